// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "math/fit_line.hpp"
#include "math/median.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"
#include "posterior/channel_checks.hpp"
#include "posterior/shift_peak.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr int most_shift = 10;      // samples
constexpr int fewest_samples = 50;  // to compare anything
constexpr double degree = M_PI / 180;

std::string number(double value) {
  return rounded(value, 3);
}

/// Straight lines over samples without a value, for no longer than a tenth of a second.
VectorXd bridged(const VectorXd& time, VectorXd values) {
  constexpr double longest = 0.1;
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) continue;
    const double span = last < 0 ? 0 : time[k] - time[last];
    for (Eigen::Index i = last + 1; last >= 0 && span < longest && i < k; ++i) {
      const double share = (time[i] - time[last]) / span;
      values[i] = (1 - share) * values[last] + share * values[k];
    }
    last = k;
  }
  return values;
}

/// How many samples apart the position is measured, usually.
int stride_of(const Recording& recording, int joint) {
  std::vector<double> strides;
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < recording.position.cols(); ++k) {
    if (std::isnan(recording.position(joint, k))) continue;
    if (last >= 0) strides.push_back(static_cast<double>(k - last));
    last = k;
  }
  return std::max(1, static_cast<int>(median(std::move(strides))));
}

/// Differences of the position over `window` samples, and integrals of the velocity over the same
/// samples moved by −most_shift … most_shift.
struct Increments {
  std::vector<double> position;
  std::vector<std::vector<double>> velocity{2 * most_shift + 1};

  void add(const Recording& recording, int joint, int window) {
    const VectorXd q = recording.position.row(joint),
                   v = bridged(recording.time, recording.velocity.row(joint));
    VectorXd integral = VectorXd::Zero(v.size());
    for (Eigen::Index k = 1; k < v.size(); ++k) {
      const double dt = recording.time[k] - recording.time[k - 1];
      integral[k] = integral[k - 1] + 0.5 * dt * (v[k] + v[k - 1]);
    }
    for (Eigen::Index k = most_shift; k + window + most_shift < q.size(); ++k) {
      const double moved = q[k + window] - q[k];
      // Holes of the velocity end in its integral.
      if (!std::isfinite(moved + integral[k + window + most_shift])) continue;
      position.push_back(moved);
      for (int s = -most_shift; s <= most_shift; ++s)
        velocity[s + most_shift].push_back(integral[k + s + window] - integral[k + s]);
    }
  }
};

/// Windows of 10 ms: long enough to stand above the noise of encoders, short enough to see a lag.
std::optional<VelocityCheck> check_velocity(const LogSegments& segments, int joint) {
  constexpr double span = 0.01;
  Increments increments;
  double dt = 0;
  for (const Recording& recording : segments.recordings) {
    dt = median_step(recording.time);
    const int stride = stride_of(recording, joint);
    const int window = std::max(2, static_cast<int>(std::ceil(span / dt)));
    increments.add(recording, joint, (window + stride - 1) / stride * stride);
  }
  if (increments.position.size() < fewest_samples) return std::nullopt;
  std::vector<double> unexplained;
  for (const std::vector<double>& velocity : increments.velocity)
    unexplained.push_back(fit_line(velocity, increments.position).unexplained());
  const Line line = fit_line(increments.velocity[most_shift], increments.position);
  if (line.x_std == 0 || !std::isfinite(line.correlation)) return std::nullopt;
  const ShiftPeak peak = lowest_shift(unexplained);
  return VelocityCheck{.slope = line.slope,
                       .correlation = line.correlation,
                       .lag = peak.shift * dt,
                       .lag_gain = peak.gain};
}

/// Noise that spoils the correlation to 0.9 bends the slope by at most a fifth.
void diagnose_velocity(const std::string& place, const VelocityCheck& check, bool late_unsaid,
                       double dt, LogDiagnostics& out) {
  constexpr double clear = 0.9, lowest = 0.67, highest = 1.5;
  const std::string measured =
      place + " is " + number(1 / check.slope) + " times the derivative of the position";
  if (std::abs(check.correlation) < clear) return;
  if (check.slope < 0) {
    out.diagnostics.push_back(measured + ": its sign is wrong; set sign: -1 in logs[].columns");
  } else if (check.slope < lowest || check.slope > highest) {
    const bool degrees = std::abs(check.slope / degree - 1) < 0.2;
    out.diagnostics.push_back(measured + (degrees ? ", degrees per second" : "") +
                              ": check its unit; set scale in logs[].columns");
  } else if (late_unsaid && std::abs(check.lag) > clear_shift * dt && check.lag_gain > clear_gain) {
    out.diagnostics.push_back(
        place + " is " + number(std::abs(1e3 * check.lag)) + " ms " +
        (check.lag > 0 ? "behind" : "ahead of") +
        " the derivative of the position: if it is filtered, leave it out, or "
        "set parameters.delay.velocity");
  }
}

// ---- rest

constexpr double block_span = 0.25, shortest_rest = 1;  // s

/// Motion of each row that still counts as rest: a milliradian, or what noise looks like.
VectorXd rest_range(const RobotProblem& problem, const LogSegments& segments) {
  constexpr double least = 1e-3, deviations = 8;
  const Robot& robot = problem.dynamics().robot();
  VectorXd out = VectorXd::Constant(robot.nv(), least);
  for (const auto& [name, pose] : problem.noise().poses) {
    const double std = std::max(pose.position.value_or(0), pose.orientation.value_or(0));
    out.head(robot.base_nv()) = out.head(robot.base_nv()).cwiseMax(deviations * std);
  }
  for (const Joint& joint : robot.joints) {
    const auto found = segments.log.facts.channels.find("q." + joint.name);
    if (found == segments.log.facts.channels.end()) continue;
    out[joint.idx_v] = std::max(least, deviations * found->second.noise);
  }
  return out;
}

bool is_at_rest(const Eigen::MatrixXd& position, Eigen::Index first, Eigen::Index count,
                const VectorXd& range) {
  const auto block = position.middleCols(first, count);
  const VectorXd moved = block.rowwise().maxCoeff() - block.rowwise().minCoeff();
  return (moved.array() < range.array()).all();
}

struct Rest {
  double from = 0, to = 0;
};

/// Blocks of a quarter of a second in which nothing moves, joined.
std::vector<Rest> rests_of(const Recording& recording, const Eigen::MatrixXd& position,
                           const VectorXd& range) {
  std::vector<Rest> out;
  const Eigen::Index n = position.cols();
  const auto block = std::max<Eigen::Index>(
      1, static_cast<Eigen::Index>(std::lround(block_span / median_step(recording.time))));
  for (Eigen::Index k = 0; k + block < n; k += block) {
    if (!is_at_rest(position, k, block + 1, range)) continue;
    const double from = recording.time[k], to = recording.time[k + block];
    if (!out.empty() && out.back().to == from) {
      out.back().to = to;
    } else {
      out.push_back({from, to});
    }
  }
  // The last block may be cut short; times carry rounding.
  std::erase_if(out, [](const Rest& rest) { return rest.to - rest.from < shortest_rest - 1e-6; });
  return out;
}

}  // namespace

void diagnose_velocities(const Config& config, const RobotProblem& problem,
                         const LogSegments& segments, LogDiagnostics& out) {
  const std::vector<Joint>& joints = problem.dynamics().robot().joints;
  const auto& delays = config.parameters.delay;
  const bool late_unsaid = !delays.contains("position") && !delays.contains("velocity");
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out.joints[j].velocity = check_velocity(segments, joints[j].idx_v);
    if (!out.joints[j].velocity) continue;
    diagnose_velocity(segments.log.file + ": v." + joints[j].name, *out.joints[j].velocity,
                      late_unsaid, median_step(segments.recordings[0].time), out);
  }
}

bool diagnose_rest(const RobotProblem& problem, const LogSegments& segments, LogDiagnostics& out) {
  const Robot& robot = problem.dynamics().robot();
  // The motion of a base without a sensor is unknown.
  const bool base_is_measured = !robot.floating || !problem.noise().poses.empty();
  if (!base_is_measured || robot.nv() == 0) return false;
  const VectorXd range = rest_range(problem, segments);
  std::vector<Rest> rests;
  bool never_moves = true, never_changes = true;
  double duration = 0;
  for (const Recording& recording : segments.recordings) {
    const MotionGuess guess = guess_motion(robot, recording);
    never_moves = is_at_rest(guess.position, 0, guess.position.cols(), range) && never_moves;
    never_changes = (guess.position.colwise() - guess.position.col(0)).isZero(0) && never_changes;
    duration += recording.time[recording.num_samples() - 1] - recording.time[0];
    for (const Rest& rest : rests_of(recording, guess.position, range)) rests.push_back(rest);
  }
  for (const Rest& rest : rests) out.at_rest += rest.to - rest.from;
  // In a short log that may be the beginning of a motion, but a noise cannot be found from it.
  never_changes = never_changes && !problem.noise().automatic.empty() && is_free(problem);
  if (never_moves) return never_changes || duration > shortest_rest - 1e-6;
  if (!rests.empty()) {
    out.diagnostics.push_back(
        segments.log.file + ": the robot stands still for " + number(out.at_rest) +
        " s (from time " + rounded(rests[0].from, 6) + " s" +
        (rests.size() > 1 ? " and later" : "") +
        "), which excites gravity only: remove pauses and times with brakes on");
  }
  return false;
}

}  // namespace bayesid
