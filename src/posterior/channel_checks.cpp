// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/channel_checks.hpp"

#include <algorithm>
#include <cmath>

#include "math/step_jitter.hpp"
#include "math/text.hpp"

namespace bayesid {

namespace {

std::string number(double value) {
  return rounded(value, 3);
}

std::string percent(double share) {
  return rounded(100 * share, 2) + " %";
}

/// A kind of channel of a joint, and the key of its configured noise.
struct Kind {
  std::string prefix, key;
  Eigen::VectorXd configured;  // std of each velocity; empty: exact
};

std::vector<Kind> kinds_of(const Noise& noise) {
  return {{"q.", "position", noise.position},
          {"v.", "velocity", noise.velocity},
          {"tau.", "effort", noise.effort}};
}

/// Rounding to steps alone has a standard deviation of step/√12.
void diagnose_step(const std::string& place, const ChannelFacts& facts, const Kind& kind,
                   double configured, LogDiagnostics& out) {
  const double least = facts.step / std::sqrt(12.0);
  constexpr double slack = 0.9;
  if (facts.step == 0 || configured >= slack * least) return;
  out.diagnostics.push_back(place + " is quantised in steps of " + number(facts.step) +
                            ", a std of at least " + number(least) + ", but measurements." +
                            kind.key + " is " + number(configured) + ": set it to at least " +
                            number(least));
}

/// Noise so far above the configured one makes the error bars too small by as much. Only white
/// noise is judged: the rest may be motion.
void diagnose_noise(const std::string& place, const ChannelFacts& facts, const Kind& kind,
                    double configured, LogDiagnostics& out) {
  constexpr double far = 5;
  if (!facts.is_white || facts.step > 0 || facts.repeats > 1 || facts.noise < far * configured)
    return;
  out.diagnostics.push_back(place + " has a measured noise of " + number(facts.noise) +
                            " (std, from its differences), but measurements." + kind.key + " is " +
                            number(configured) + ": set it to about " + rounded(facts.noise, 2));
}

/// Values that are repeated several times and then change, by no multiple of a step, are held by a
/// sampler: no sensor gives the same number twice.
void diagnose_repeats(const std::string& place, const ChannelFacts& facts, LogDiagnostics& out) {
  constexpr double fewest = 3;
  if (facts.is_constant() || facts.step > 0 || facts.repeats < fewest) return;
  out.diagnostics.push_back(
      place + " repeats each value " + rounded(facts.repeats, 2) +
      " times: it is a command, or sampled at a lower rate; log the measured effort, and leave "
      "cells empty where nothing was measured");
}

/// Nothing that moves needs the same effort all the time; without any, the joint is passive.
void diagnose_constant(const std::string& place, const ChannelFacts& effort,
                       const ChannelFacts& position, LogDiagnostics& out) {
  if (!effort.is_constant() || effort.lowest == 0 || position.is_constant()) return;
  out.diagnostics.push_back(place + " is " + number(effort.lowest) +
                            " in every sample while the joint moves: it is not measured; log the "
                            "measured effort, or name the actuated joints in "
                            "model.actuation.joints");
}

/// A signal that is cut off stays at the same number; one with steps does so at every turn.
void diagnose_extreme(const std::string& place, const ChannelFacts& facts, LogDiagnostics& out) {
  constexpr int fewest = 5;
  constexpr double least_share = 0.005;
  if (facts.is_constant() || facts.step > 0 || facts.repeats > 1 || facts.extreme == 0) return;
  const double share = static_cast<double>(facts.at_extreme) / facts.samples;
  if (facts.at_extreme < fewest || share < least_share) return;
  out.diagnostics.push_back(
      place + " is exactly " + number(facts.extreme) + ", its extreme, in " + percent(share) +
      " of the samples: the signal is clipped; reduce the motion or the sensor gain");
}

/// Share of samples within 1 % of the limit, when none is beyond; else the limit is not one.
double share_at_limit(const LogSegments& segments, const Joint& joint) {
  constexpr double slack = 0.01;
  if (!(joint.effort > 0) || !std::isfinite(joint.effort)) return 0;
  double at = 0, samples = 0;
  for (const Recording& recording : segments.recordings) {
    const Eigen::ArrayXd size = recording.effort.row(joint.idx_v).transpose().array().abs();
    if (size.maxCoeff() > (1 + slack) * joint.effort) return 0;
    at += static_cast<double>((size >= (1 - slack) * joint.effort).count());
    samples += static_cast<double>(size.size());
  }
  return samples > 0 ? at / samples : 0;
}

void diagnose_limit(const std::string& place, const LogSegments& segments, const Joint& joint,
                    JointCheck& check, LogDiagnostics& out) {
  constexpr double least_share = 0.01;
  check.at_limit = share_at_limit(segments, joint);
  if (check.at_limit < least_share) return;
  out.diagnostics.push_back(place + " is at the limit of the URDF, " + number(joint.effort) +
                            ", in " + percent(check.at_limit) +
                            " of the samples: the actuator is saturated; use a smaller motion");
}

void diagnose_joint(const Noise& noise, const LogSegments& segments, const Joint& joint,
                    JointCheck& check, LogDiagnostics& out) {
  for (const Kind& kind : kinds_of(noise)) {
    const std::string name = kind.prefix + joint.name;
    const auto found = segments.log.facts.channels.find(name);
    if (found == segments.log.facts.channels.end() || found->second.samples == 0) continue;
    const std::string place = segments.log.file + ": " + name;
    if (kind.configured.size() > 0) {
      diagnose_step(place, found->second, kind, kind.configured[joint.idx_v], out);
      diagnose_noise(place, found->second, kind, kind.configured[joint.idx_v], out);
    }
    if (kind.prefix != "tau.") continue;
    diagnose_repeats(place, found->second, out);
    const auto position = segments.log.facts.channels.find("q." + joint.name);
    if (position != segments.log.facts.channels.end())
      diagnose_constant(place, found->second, position->second, out);
    const std::size_t before = out.diagnostics.size();
    diagnose_limit(place, segments, joint, check, out);
    if (out.diagnostics.size() == before) diagnose_extreme(place, found->second, out);
  }
}

/// 60 Hz are 12 samples in the period of a 5 Hz motion, the fastest that arms and legs make on
/// purpose.
void diagnose_rate(const LogSegments& segments, LogDiagnostics& out) {
  constexpr double lowest = 60;
  const auto found = segments.log.facts.groups.find("position");
  if (found == segments.log.facts.groups.end() || found->second.rate == 0) return;
  if (found->second.rate >= lowest) return;
  out.diagnostics.push_back(segments.log.file + ": positions are sampled at " +
                            rounded(found->second.rate, 3) +
                            " Hz, which does not resolve accelerations: record at 60 Hz or more");
}

/// When positions were measured.
std::vector<double> position_times(const LogSegments& segments) {
  std::vector<double> out;
  for (const Recording& recording : segments.recordings) {
    const auto series = recording.series.find("position");
    const bool has_clock = series != recording.series.end();
    const Eigen::VectorXd& time = has_clock ? series->second.time : recording.time;
    const Eigen::MatrixXd& values = has_clock ? series->second.values : recording.position;
    for (Eigen::Index k = 0; k < time.size(); ++k) {
      if (!values.col(k).array().isNaN().all()) out.push_back(time[k]);
    }
  }
  return out;
}

/// Stamps that jitter are those of the measurements, or of their arrival.
void diagnose_jitter(const LogSegments& segments, LogDiagnostics& out) {
  const StepJitter jitter = step_jitter(position_times(segments));
  if (!jitter.is_clear()) return;
  out.diagnostics.push_back(segments.log.file + ": the time steps of positions vary by " +
                            percent(jitter.share) + " (std) about " + number(1e3 * jitter.step) +
                            " ms: the stamps count as the times of measurement; if they are times "
                            "of arrival, log the clock of the sensor");
}

/// A sine with fewer than 12 samples in a period has second differences of more than half of the
/// first.
void diagnose_sharpness(const LogSegments& segments, const Joint& joint, LogDiagnostics& out) {
  constexpr double sharp = 0.52;
  const auto found = segments.log.facts.channels.find("q." + joint.name);
  if (found == segments.log.facts.channels.end()) return;
  const ChannelFacts& facts = found->second;
  if (facts.sharpness < sharp || facts.is_white || facts.step > 0) return;
  out.diagnostics.push_back(
      segments.log.file + ": q." + joint.name +
      " has fewer than 12 samples per period: raise the sampling rate or move "
      "slower");
}

}  // namespace

void diagnose_channels(const RobotProblem& problem, const LogSegments& segments,
                       LogDiagnostics& out) {
  diagnose_rate(segments, out);
  diagnose_jitter(segments, out);
  const std::vector<Joint>& joints = problem.dynamics().robot().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    diagnose_sharpness(segments, joints[j], out);
    diagnose_joint(problem.noise(), segments, joints[j], out.joints[j], out);
  }
}

}  // namespace bayesid
