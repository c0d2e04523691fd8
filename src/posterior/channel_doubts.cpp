// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/channel_doubts.hpp"

#include <algorithm>
#include <cmath>

#include "math/text.hpp"

namespace bayesid {

namespace {

std::string number(double value) {
  return rounded(value, 3);
}

std::string percent(double share) {
  return rounded(100 * share, 2) + " %";
}

/// A kind of channel of a joint, and the key of the configuration that says how good it is.
struct Kind {
  std::string prefix, key;
  Eigen::VectorXd claimed;  // std of each velocity; empty: exact
};

std::vector<Kind> kinds_of(const Noise& noise) {
  return {{"q.", "position", noise.position},
          {"v.", "velocity", noise.velocity},
          {"tau.", "effort", noise.effort}};
}

/// Rounding to steps alone has a standard deviation of step/√12.
void doubt_step(const std::string& place, const ChannelFacts& facts, const Kind& kind,
                double claimed, LogDoubts& out) {
  const double least = facts.step / std::sqrt(12.0);
  constexpr double slack = 0.9;
  if (facts.step == 0 || claimed >= slack * least) return;
  out.doubts.push_back(place + " moves in steps of " + number(facts.step) + ", a std of at least " +
                       number(least) + "; measurements." + kind.key + " claims " + number(claimed));
}

/// Noise so far above the claim makes the error bars too small by as much. Only white noise is
/// judged: the rest may be motion.
void doubt_claim(const std::string& place, const ChannelFacts& facts, const Kind& kind,
                 double claimed, LogDoubts& out) {
  constexpr double far = 5;
  if (!facts.is_white || facts.step > 0 || facts.hold > 1 || facts.noise < far * claimed) return;
  out.doubts.push_back(place + " has noise of " + number(facts.noise) +
                       " (std, from its differences); measurements." + kind.key + " claims " +
                       number(claimed));
}

/// Values that are repeated several times and then change, by no multiple of a step, are held by a
/// sampler: no sensor gives the same number twice.
void doubt_hold(const std::string& place, const ChannelFacts& facts, LogDoubts& out) {
  constexpr double fewest = 3;
  if (facts.is_constant() || facts.step > 0 || facts.hold < fewest) return;
  out.doubts.push_back(
      place + " repeats each value " + rounded(facts.hold, 2) +
      " times: is it a command, or measured at a lower rate? Log the measured effort, and leave "
      "cells empty where nothing was measured");
}

/// A signal that is cut off stays at the same number; one with steps does so at every turn.
void doubt_extreme(const std::string& place, const ChannelFacts& facts, LogDoubts& out) {
  constexpr int fewest = 5;
  constexpr double least_share = 0.005;
  if (facts.is_constant() || facts.step > 0 || facts.hold > 1 || facts.extreme == 0) return;
  const double share = static_cast<double>(facts.at_extreme) / facts.samples;
  if (facts.at_extreme < fewest || share < least_share) return;
  out.doubts.push_back(place + " is exactly " + number(facts.extreme) + ", its extreme, in " +
                       percent(share) + " of the samples: the signal is cut off there");
}

/// Share of samples within 1 % of the limit, when none is beyond; else the limit is not one.
double share_at_limit(const LogPieces& pieces, const Joint& joint) {
  constexpr double slack = 0.01;
  if (!(joint.effort > 0) || !std::isfinite(joint.effort)) return 0;
  double at = 0, samples = 0;
  for (const Recording& recording : pieces.recordings) {
    const Eigen::ArrayXd size = recording.effort.row(joint.idx_v).transpose().array().abs();
    if (size.maxCoeff() > (1 + slack) * joint.effort) return 0;
    at += static_cast<double>((size >= (1 - slack) * joint.effort).count());
    samples += static_cast<double>(size.size());
  }
  return samples > 0 ? at / samples : 0;
}

void doubt_limit(const std::string& place, const LogPieces& pieces, const Joint& joint,
                 JointCheck& check, LogDoubts& out) {
  constexpr double least_share = 0.01;
  check.at_limit = share_at_limit(pieces, joint);
  if (check.at_limit < least_share) return;
  out.doubts.push_back(place + " is at the limit of the URDF, " + number(joint.effort) + ", in " +
                       percent(check.at_limit) + " of the samples: it is saturated there");
}

void doubt_joint(const Noise& noise, const LogPieces& pieces, const Joint& joint, JointCheck& check,
                 LogDoubts& out) {
  for (const Kind& kind : kinds_of(noise)) {
    const std::string name = kind.prefix + joint.name;
    const auto found = pieces.log.facts.channels.find(name);
    if (found == pieces.log.facts.channels.end() || found->second.samples == 0) continue;
    const std::string place = pieces.log.file + ": " + name;
    if (kind.claimed.size() > 0) {
      doubt_step(place, found->second, kind, kind.claimed[joint.idx_v], out);
      doubt_claim(place, found->second, kind, kind.claimed[joint.idx_v], out);
    }
    if (kind.prefix != "tau.") continue;
    doubt_hold(place, found->second, out);
    const std::size_t before = out.doubts.size();
    doubt_limit(place, pieces, joint, check, out);
    if (out.doubts.size() == before) doubt_extreme(place, found->second, out);
  }
}

/// 60 Hz are 12 samples in the period of a 5 Hz motion, the fastest that arms and legs make on
/// purpose.
void doubt_rate(const LogPieces& pieces, LogDoubts& out) {
  constexpr double lowest = 60;
  const auto found = pieces.log.facts.groups.find("position");
  if (found == pieces.log.facts.groups.end() || found->second.rate == 0) return;
  if (found->second.rate >= lowest) return;
  out.doubts.push_back(pieces.log.file + ": positions are sampled at " +
                       rounded(found->second.rate, 3) +
                       " Hz; below 60 Hz accelerations between samples are lost");
}

/// A sine with fewer than 12 samples in a period has second differences of more than half of the
/// first.
void doubt_sharpness(const LogPieces& pieces, const Joint& joint, LogDoubts& out) {
  constexpr double sharp = 0.52;
  const auto found = pieces.log.facts.channels.find("q." + joint.name);
  if (found == pieces.log.facts.channels.end()) return;
  const ChannelFacts& facts = found->second;
  if (facts.sharpness < sharp || facts.is_white || facts.step > 0) return;
  out.doubts.push_back(pieces.log.file + ": q." + joint.name +
                       " turns with fewer than 12 samples in a period: the sampling rate is too "
                       "low for this motion");
}

}  // namespace

void doubt_channels(const RobotProblem& problem, const LogPieces& pieces, LogDoubts& out) {
  doubt_rate(pieces, out);
  const std::vector<Joint>& joints = problem.dynamics().robot().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    doubt_sharpness(pieces, joints[j], out);
    doubt_joint(problem.noise(), pieces, joints[j], out.joints[j], out);
  }
}

}  // namespace bayesid
