// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bayesid/posterior.hpp"
#include "math/median_step.hpp"
#include "posterior/joint_smoother.hpp"
#include "posterior/motion_segments.hpp"
#include "problem/pose_channels.hpp"
#include "robot/rigid_pose.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// How much wider than anything measured the first state may be.
constexpr double diffuse_factor = 100;

/// Length and time in units of the position's std and of the typical step.
struct Units {
  double length, time, origin;
};

/// One coordinate as its sensors saw it; NaN where they did not.
struct Channel {
  const VectorXd& time;
  VectorXd position, velocity;
  double position_std, velocity_std;
};

JointSamples make_samples(const Channel& channel, Units& units) {
  JointSamples out;
  const Eigen::Index n = channel.time.size();
  out.position = channel.position;
  out.velocity = channel.velocity * (units.time / units.length);
  out.step = VectorXd::Zero(n);
  for (Eigen::Index k = 1; k < n; ++k)
    out.step[k] = (channel.time[k] - channel.time[k - 1]) / units.time;
  out.velocity_variance = std::pow(channel.velocity_std * units.time / units.length, 2);
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

/// Position, velocity and acceleration in the units of the channel, with their covariances.
SmoothedJoint smooth_channel(const Channel& channel) {
  Units units{.length = channel.position_std,
              .time = channel.time.size() > 1 ? median_step(channel.time) : 1,
              .origin = 0};
  const JointSamples samples = make_samples(channel, units);
  SmoothedJoint out = smooth_joint_with_cov(samples, predictive_intensity(samples));
  const double speed = units.length / units.time, rise = speed / units.time;
  out.motion.row(0) = (units.length * out.motion.row(0)).array() + units.origin;
  out.motion.row(1) *= speed;
  out.motion.row(2) *= rise;
  Eigen::Matrix<double, 6, 1> scale;
  scale << units.length * units.length, units.length * speed, units.length * rise, speed * speed,
      speed * rise, rise * rise;
  out.cov = scale.asDiagonal() * out.cov;
  return out;
}

/// A quaternion and its negative are the same rotation: the one nearer to the sample before.
void align_signs(MatrixXd& base) {
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < base.cols(); ++k) {
    if (!base.col(k).allFinite()) continue;
    if (last >= 0 && base.col(k).tail<4>().dot(base.col(last).tail<4>()) < 0)
      base.col(k).tail<4>() *= -1;
    last = k;
  }
}

/// Pose numbers s and their derivatives at one sample, as motion of the base.
/// docs/math/prediction.md (7a)
void set_base(const Eigen::Matrix<double, 7, 3>& s, Eigen::Index k, MotionGuess& out) {
  using Eigen::Quaterniond;
  const auto quaternion = [](const Eigen::Vector4d& c) { return Quaterniond(c); };  // x, y, z, w
  const double length = s.col(0).tail<4>().norm();
  const Quaterniond q = quaternion(s.col(0).tail<4>() / length);
  const double stretch = q.coeffs().dot(s.col(1).tail<4>());
  const Eigen::Vector3d omega = 2 / length * (q.conjugate() * quaternion(s.col(1).tail<4>())).vec();
  const Eigen::Vector3d alpha =
      2 / length * ((q.conjugate() * quaternion(s.col(2).tail<4>())).vec() - stretch * omega);
  const Eigen::Vector3d velocity = q.conjugate() * s.col(1).head<3>();
  const Eigen::Vector3d acceleration = q.conjugate() * s.col(2).head<3>();
  out.base.col(k) << s.col(0).head<3>(), q.coeffs();
  out.position.col(k).head<6>() = difference_pose(identity_pose(), out.base.col(k));
  out.velocity.col(k).head<6>() << velocity, omega;
  out.acceleration.col(k).head<6>() << acceleration - omega.cross(velocity), alpha;
}

/// Each number of the pose is smoothed like a joint, then the quaternion is normalised.
void smooth_base(const Recording& recording, MatrixXd base, SmoothedMotion& out) {
  constexpr double position_std = 1e-3, quaternion_std = 5e-4;  // m, half of rad
  align_signs(base);
  const Eigen::Index n = recording.time.size();
  const VectorXd nothing = VectorXd::Constant(n, std::numeric_limits<double>::quiet_NaN());
  out.cov.base.resize(42, n);
  std::vector<Eigen::Matrix3Xd> rows;
  for (int i = 0; i < 7; ++i) {
    SmoothedJoint one = smooth_channel({.time = recording.time,
                                        .position = base.row(i).transpose(),
                                        .velocity = nothing,
                                        .position_std = i < 3 ? position_std : quaternion_std,
                                        .velocity_std = 1});
    out.cov.base.middleRows(6 * i, 6) = one.cov;
    rows.push_back(std::move(one.motion));
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Matrix<double, 7, 3> s;
    for (int i = 0; i < 7; ++i) s.row(i) = rows[i].col(k).transpose();
    set_base(s, k, out.motion);
  }
}

/// Every joint by itself.
SmoothedMotion smooth_joints(const Recording& recording, const VectorXd& position_std,
                             const VectorXd& velocity_std) {
  const Eigen::Index nv = recording.position.rows(), n = recording.time.size();
  SmoothedMotion out;
  MotionGuess& motion = out.motion;
  motion.position = motion.velocity = motion.acceleration = MatrixXd::Zero(nv, n);
  out.cov.joints = MatrixXd::Zero(6 * nv, n);
  for (Eigen::Index j = 0; j < nv; ++j) {
    if (recording.position.row(j).array().isNaN().all() &&
        recording.velocity.row(j).array().isNaN().all())
      continue;
    const SmoothedJoint one = smooth_channel({.time = recording.time,
                                              .position = unwrapped(recording, j),
                                              .velocity = recording.velocity.row(j).transpose(),
                                              .position_std = position_std[j],
                                              .velocity_std = velocity_std[j]});
    motion.position.row(j) = one.motion.row(0);
    motion.velocity.row(j) = one.motion.row(1);
    motion.acceleration.row(j) = one.motion.row(2);
    out.cov.joints.middleRows(6 * j, 6) = one.cov;
  }
  return out;
}

SmoothedMotion smooth_whole(const Robot& robot, const Recording& recording, const Noise& noise) {
  SmoothedMotion out = smooth_joints(recording, noise.position, noise.velocity);
  if (!robot.floating) return out;
  out.motion.base = identity_pose().replicate(1, recording.time.size());
  out.cov.base = MatrixXd::Zero(42, recording.time.size());
  const MatrixXd base = measured_base(robot, recording.poses);
  if (base.cols() > 0) smooth_base(recording, base, out);
  return out;
}

}  // namespace

MotionGuess smooth_motion(const Recording& recording, const VectorXd& position_std,
                          const VectorXd& velocity_std) {
  return smooth_joints(recording, position_std, velocity_std).motion;
}

MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise) {
  return smooth_whole(robot, recording, noise).motion;
}

namespace {

/// Samples [first, last) of a recording.
Recording segment(const Recording& recording, Eigen::Index first, Eigen::Index last) {
  Recording out;
  out.file = recording.file;
  const Eigen::Index n = last - first;
  out.time = recording.time.segment(first, n);
  out.position = recording.position.middleCols(first, n);
  out.velocity = recording.velocity.middleCols(first, n);
  out.effort = recording.effort.middleCols(first, n);
  for (const auto& [name, pose] : recording.poses) out.poses[name] = pose.middleCols(first, n);
  return out;
}

}  // namespace

MotionGuess smooth_motion(const Robot& robot, const Recording& recording, const Noise& noise,
                          const Timeline& timeline) {
  return smooth_motion_with_cov(robot, recording, noise, timeline).motion;
}

SmoothedMotion smooth_motion_with_cov(const Robot& robot, const Recording& recording,
                                      const Noise& noise, const Timeline& timeline) {
  const Eigen::Index n = recording.time.size();
  const std::vector<Eigen::Index> cuts = motion_cuts(timeline, n);
  if (cuts.size() == 2) return smooth_whole(robot, recording, noise);
  SmoothedMotion out;
  MotionGuess& motion = out.motion;
  motion.position = motion.velocity = motion.acceleration = MatrixXd::Zero(robot.nv(), n);
  out.cov.joints = MatrixXd::Zero(6 * robot.nv(), n);
  if (robot.floating) {
    motion.base = MatrixXd::Zero(7, n);
    out.cov.base = MatrixXd::Zero(42, n);
  }
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Eigen::Index first = cuts[i], count = cuts[i + 1] - first;
    const SmoothedMotion part = smooth_whole(robot, segment(recording, first, cuts[i + 1]), noise);
    motion.position.middleCols(first, count) = part.motion.position;
    motion.velocity.middleCols(first, count) = part.motion.velocity;
    motion.acceleration.middleCols(first, count) = part.motion.acceleration;
    out.cov.joints.middleCols(first, count) = part.cov.joints;
    if (!robot.floating) continue;
    motion.base.middleCols(first, count) = part.motion.base;
    out.cov.base.middleCols(first, count) = part.cov.base;
  }
  return out;
}

std::vector<SmoothedMotion> smooth_motions(const RobotProblem& problem) {
  std::vector<SmoothedMotion> out;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    out.push_back(smooth_motion_with_cov(problem.dynamics().robot(), problem.recordings()[t],
                                         problem.noise(), problem.timeline(t)));
  }
  return out;
}

}  // namespace bayesid
