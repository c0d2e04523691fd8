// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <vector>

#include "bayesid/posterior/prediction.hpp"
#include "posterior/joint_smoother.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

// How much wider than anything measured the first state may be.
constexpr double diffuse_factor = 100;

double median_step(const VectorXd& time) {
  std::vector<double> steps;
  for (Eigen::Index k = 1; k < time.size(); ++k) steps.push_back(time[k] - time[k - 1]);
  if (steps.empty()) return 1;
  const auto middle = steps.begin() + static_cast<long>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

/// Angles without jumps of whole turns. A step of more than half a turn is believed only when the
/// velocity says so too.
VectorXd unwrapped(const Recording& recording, Eigen::Index joint) {
  VectorXd out = recording.position.row(joint).transpose();
  double turns = 0;
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    if (std::isnan(out[k])) continue;
    out[k] += turns;
    if (last >= 0) {
      const double v = recording.velocity(joint, last);
      const double expected = std::isnan(v) ? 0.0 : v * (recording.time[k] - recording.time[last]);
      const double jump = -2 * M_PI * std::round((out[k] - out[last] - expected) / (2 * M_PI));
      turns += jump;
      out[k] += jump;
    }
    last = k;
  }
  return out;
}

/// Length and time in units of the position's std and of the typical step.
struct Units {
  double length, time, origin;
};

JointSamples make_samples(const Recording& recording, Eigen::Index joint, double velocity_std,
                          Units& units) {
  JointSamples out;
  const Eigen::Index n = recording.time.size();
  out.position = unwrapped(recording, joint);
  out.velocity = recording.velocity.row(joint).transpose() * (units.time / units.length);
  out.step = VectorXd::Zero(n);
  for (Eigen::Index k = 1; k < n; ++k)
    out.step[k] = (recording.time[k] - recording.time[k - 1]) / units.time;
  out.velocity_variance = std::pow(velocity_std * units.time / units.length, 2);
  units.origin = 0;
  for (Eigen::Index k = n; k-- > 0;) {
    if (!std::isnan(out.position[k])) units.origin = out.position[k];
  }
  double largest = 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    out.position[k] = (out.position[k] - units.origin) / units.length;
    if (!std::isnan(out.position[k])) largest = std::max(largest, std::abs(out.position[k]));
    if (!std::isnan(out.velocity[k])) largest = std::max(largest, std::abs(out.velocity[k]));
  }
  out.start_std = diffuse_factor * largest;
  return out;
}

}  // namespace

MotionGuess smooth_motion(const Recording& recording, const VectorXd& position_std,
                          const VectorXd& velocity_std) {
  const Eigen::Index nv = recording.position.rows(), n = recording.time.size();
  MotionGuess out;
  out.position.resize(nv, n);
  out.velocity.resize(nv, n);
  out.acceleration.resize(nv, n);
  const double step = median_step(recording.time);
  for (Eigen::Index j = 0; j < nv; ++j) {
    Units units{.length = position_std[j], .time = step, .origin = 0};
    const JointSamples samples = make_samples(recording, j, velocity_std[j], units);
    const Eigen::Matrix3Xd motion = smooth_joint(samples, predictive_intensity(samples));
    const double speed = units.length / units.time;
    out.position.row(j) = (units.length * motion.row(0)).array() + units.origin;
    out.velocity.row(j) = speed * motion.row(1);
    out.acceleration.row(j) = speed / units.time * motion.row(2);
  }
  return out;
}

}  // namespace bayesid
