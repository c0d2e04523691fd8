// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/posterior.hpp"
#include "math/fit_line.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"
#include "posterior/channel_checks.hpp"
#include "posterior/shift_peak.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int most_shift = 10;       // samples; as many are left out at both ends
constexpr int fewest_samples = 100;  // of all segments
constexpr double slow = 0.05;        // rad/s or m/s: friction has its sign above

std::string number(double value) {
  return rounded(value, 3);
}

/// Columns of one joint, a row for each sample of each segment, its ends left out.
struct Columns {
  std::vector<double> expected, gravity, velocity, acceleration;
  std::vector<std::vector<double>> effort{2 * most_shift + 1};  // by shift

  std::vector<double> measured() const { return effort[most_shift]; }
  Eigen::Index size() const { return std::ssize(expected); }
};

/// Effort that the prior needs along the motion of the position sensors: velocities may be what is
/// wrong, so they are not used.
class Expectation {
 public:
  Expectation(const RobotProblem& problem, const LogSegments& segments) {
    const Dynamics& dynamics = problem.dynamics();
    const VectorXd theta = dynamics.parameters().prior();
    columns_.resize(dynamics.robot().joints.size());
    for (const Recording& measured : segments.recordings) {
      Recording recording = measured;
      recording.velocity.setConstant(std::numeric_limits<double>::quiet_NaN());
      MotionGuess motion = smooth_motion(dynamics.robot(), recording, problem.noise());
      const MatrixXd expected = predict_effort(dynamics, theta, motion);
      MotionGuess rest = motion;
      rest.velocity.setZero();
      rest.acceleration.setZero();
      const MatrixXd gravity = predict_effort(dynamics, theta, rest);
      for (const Joint& joint : dynamics.robot().joints)
        add(measured, motion, expected, gravity, joint.idx_v - dynamics.robot().base_nv(),
            joint.idx_v);
    }
  }
  const Columns& joint(std::size_t j) const { return columns_[j]; }

 private:
  void add(const Recording& measured, const MotionGuess& motion, const MatrixXd& expected,
           const MatrixXd& gravity, int joint, int row) {
    Columns& out = columns_[joint];
    for (Eigen::Index k = most_shift; k + most_shift < expected.cols(); ++k) {
      out.expected.push_back(expected(row, k));
      out.gravity.push_back(gravity(row, k));
      out.velocity.push_back(motion.velocity(row, k));
      out.acceleration.push_back(motion.acceleration(row, k));
      for (int s = -most_shift; s <= most_shift; ++s)
        out.effort[s + most_shift].push_back(measured.effort(row, k + s));
    }
  }
  std::vector<Columns> columns_;
};

Eigen::Map<const VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), std::ssize(values)};
}

/// Efforts without gravity are what the prior needs less its own gravity, joint by joint: the
/// difference is −ĝ to nine tenths, none of ĝ is left in the effort, and the rest is there.
EffortCheck check_effort(const Columns& columns) {
  const VectorXd measured = as_vector(columns.effort[most_shift]);
  const VectorXd gravity = as_vector(columns.gravity), expected = as_vector(columns.expected);
  const Line line = fit_line(columns.expected, columns.measured());
  EffortCheck out{.slope = line.slope, .correlation = line.correlation};
  MatrixXd basis(columns.size(), 3);
  basis << gravity, expected - gravity, VectorXd::Ones(columns.size());
  const VectorXd parts = basis.colPivHouseholderQr().solve(measured);
  out.gravity = parts[0];
  out.rest = parts[1];
  const VectorXd missing = measured - expected, left = missing + gravity;
  const auto std_of = [](const VectorXd& x) {
    return std::sqrt((x.array() - x.mean()).square().mean());
  };
  out.gravity_share = line.x_std > 0 ? std_of(gravity) / line.x_std : 0;
  const Line lacking =
      fit_line(columns.gravity, std::vector<double>(missing.begin(), missing.end()));
  constexpr double clear = -0.95, most_left = 0.1, least_rest = 0.5;
  out.lacks_gravity = lacking.correlation < clear &&
                      std::pow(std_of(left), 2) < most_left * std::pow(std_of(missing), 2) &&
                      std::abs(out.gravity) < most_left && out.rest > least_rest;
  return out;
}

bool has_gain(const Config& config, const std::string& joint) {
  if (!config.parameters.effort_gain) return false;
  const Selection& selection = config.parameters.effort_gain->joints;
  return selection.all || std::ranges::find(selection.names, joint) != selection.names.end();
}

void diagnose_effort(const Config& config, const std::string& file, const JointCheck& joint,
                     LogDiagnostics& out) {
  const EffortCheck& check = *joint.effort;
  const std::string place = file + ": tau." + joint.joint;
  const std::string compared =
      " times the model's prediction (correlation " + number(check.correlation) + ")";
  if (has_other_sign(check)) {
    out.diagnostics.push_back(place +
                              " has the opposite sign of the model's prediction (correlation " +
                              number(check.correlation) + "): set sign: -1 in logs[].columns");
  } else if (has_other_unit(check) && !has_gain(config, joint.joint)) {
    out.diagnostics.push_back(
        place + " is " + number(check.slope) + compared +
        ": if it is a current or a raw number, set scale in logs[].columns, or "
        "estimate parameters.effort_gain");
  }
}

/// Refused only when every joint that carries weight agrees.
void refuse_without_gravity(const LogSegments& segments, const LogDiagnostics& diagnostics) {
  constexpr double carries = 0.3;
  std::string name;
  for (const JointCheck& joint : diagnostics.joints) {
    if (!joint.effort || joint.effort->gravity_share < carries) continue;
    if (!joint.effort->lacks_gravity) return;
    if (name.empty()) name = joint.joint;
  }
  if (name.empty()) return;
  throw InputError(segments.log.file + ": tau." + name +
                   " and every other effort that carries weight lacks gravity: it is probably "
                   "compensated by the driver; log the whole effort, or set model.gravity: "
                   "[0, 0, 0]");
}

/// Share of the effort that prior, friction and inertia of the joint cannot explain, by shift.
std::vector<double> unexplained_by_shift(const Columns& columns) {
  const Eigen::Index n = columns.size();
  MatrixXd basis(n, 6);
  basis.col(0) = as_vector(columns.gravity);
  basis.col(1) = as_vector(columns.expected) - as_vector(columns.gravity);
  basis.col(2) = as_vector(columns.velocity);
  basis.col(3) = (as_vector(columns.velocity) / slow).array().tanh();
  basis.col(4) = as_vector(columns.acceleration);
  basis.col(5).setOnes();
  const Eigen::ColPivHouseholderQR<MatrixXd> factor(basis);
  std::vector<double> out;
  for (const std::vector<double>& shifted : columns.effort) {
    const VectorXd effort = as_vector(shifted);
    const double whole = (effort.array() - effort.mean()).square().sum();
    out.push_back((effort - basis * factor.solve(effort)).squaredNorm() / whole);
  }
  return out;
}

/// One delay of all efforts: the shift with the least geometric mean of what is unexplained, over
/// the joints that the prior explains to nine tenths. Friction and inertia are left free, since a
/// wrong prior of them looks like a shift of a slow motion.
std::optional<EffortDelay> find_delay(const Expectation& expectation,
                                      const LogDiagnostics& diagnostics, double dt) {
  constexpr double most_unexplained = 0.1;
  std::vector<double> logarithms(2 * most_shift + 1, 0.0);
  int joints = 0;
  for (std::size_t j = 0; j < diagnostics.joints.size(); ++j) {
    if (!diagnostics.joints[j].effort) continue;
    const std::vector<double> share = unexplained_by_shift(expectation.joint(j));
    const bool is_explained = *std::ranges::min_element(share) < most_unexplained;
    if (!is_explained || !std::ranges::all_of(share, [](double x) { return x > 0; })) continue;
    ++joints;
    for (std::size_t s = 0; s < share.size(); ++s) logarithms[s] += std::log(share[s]);
  }
  if (joints == 0) return std::nullopt;
  std::vector<double> misfit;
  for (const double sum : logarithms) misfit.push_back(std::exp(sum / joints));
  const ShiftPeak peak = lowest_shift(misfit);
  return EffortDelay{.delay = peak.shift * dt, .gain = peak.gain};
}

/// A delay of the positions that the configuration knows is not yet in them.
void diagnose_delay(const Config& config, const LogSegments& segments, double dt,
                    LogDiagnostics& out) {
  if (config.parameters.delay.contains("position")) return;
  if (!out.effort_delay || out.effort_delay->gain < clear_gain) return;
  const double delay = out.effort_delay->delay;
  if (std::abs(delay) < clear_shift * dt) return;
  const std::string size =
      number(std::abs(1e3 * delay)) + " ms (" + rounded(std::abs(delay / dt), 2) + " samples)";
  const std::string remedy = delay > 0 ? "set parameters.delay: {effort: " + number(delay) + "}"
                                       : "set parameters.delay: {position: " + number(-delay) + "}";
  out.diagnostics.push_back(segments.log.file + ": efforts are " + size +
                            (delay > 0 ? " behind" : " ahead of") + " the positions: " + remedy);
}

/// Constraints share the load in ways that motion does not show; a floating base that nothing sees
/// may do anything.
bool is_unknown(const RobotProblem& problem, const LogSegments& segments) {
  const Robot& robot = problem.dynamics().robot();
  if (robot.joints.empty() || (robot.floating && problem.noise().poses.empty())) return true;
  for (int i = 0; i < std::ssize(segments.recordings); ++i) {
    if (problem.timeline(segments.first + i).max_rows() > 0) return true;
  }
  return false;
}

}  // namespace

bool has_other_sign(const EffortCheck& check) {
  constexpr double clear = -0.7;
  return check.correlation < clear;
}

bool has_other_unit(const EffortCheck& check) {
  constexpr double clear = 0.8, lowest = 0.2, highest = 5;
  return check.correlation > clear && (check.slope < lowest || check.slope > highest);
}

void diagnose_efforts(const Config& config, const RobotProblem& problem,
                      const LogSegments& segments, LogDiagnostics& out) {
  const Dynamics& dynamics = problem.dynamics();
  if (is_unknown(problem, segments)) return;
  const Expectation expectation(problem, segments);
  const VectorXd gain = dynamics.parameters().physical(dynamics.parameters().prior()).gain;
  const double dt = median_step(segments.recordings[0].time);
  for (const Joint& joint : dynamics.robot().joints) {
    const int j = joint.idx_v - dynamics.robot().base_nv();
    const Columns& columns = expectation.joint(j);
    if (gain[joint.idx_v] == 0 || columns.size() < fewest_samples) continue;
    const EffortCheck check = check_effort(columns);
    if (std::isfinite(check.correlation) && check.correlation != 0) out.joints[j].effort = check;
  }
  refuse_without_gravity(segments, out);
  for (const JointCheck& joint : out.joints) {
    if (joint.effort) diagnose_effort(config, segments.log.file, joint, out);
  }
  out.effort_delay = find_delay(expectation, out, dt);
  diagnose_delay(config, segments, dt, out);
}

}  // namespace bayesid
