// SPDX-License-Identifier: BSD-3-Clause
#include "support/floating_motion.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

namespace bayesid::test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr double yaw_rate = 1.3;

Quaterniond roll_at(double t) {
  return Quaterniond(AngleAxisd(0.5 * std::sin(2 * t), Vector3d::UnitX()));
}

Quaterniond rotation_at(double t) {
  return AngleAxisd(yaw_rate * t, Vector3d::UnitZ()) * roll_at(t);
}

}  // namespace

Eigen::Matrix<double, 7, 1> base_pose_at(double t) {
  Eigen::Matrix<double, 7, 1> out;
  out << 0.3 * std::sin(t), 0.2 * std::cos(2 * t), 0.4 * t, rotation_at(t).coeffs();
  return out;
}

Eigen::Matrix<double, 6, 1> base_velocity_at(double t) {
  const Vector3d world(0.3 * std::cos(t), -0.4 * std::sin(2 * t), 0.4);
  Eigen::Matrix<double, 6, 1> out;
  out << rotation_at(t).conjugate() * world,
      roll_at(t).conjugate() * Vector3d(0, 0, yaw_rate) + Vector3d(std::cos(2 * t), 0, 0);
  return out;
}

Eigen::Matrix<double, 6, 1> base_acceleration_at(double t) {
  constexpr double h = 1e-5;
  return (base_velocity_at(t + h) - base_velocity_at(t - h)) / (2 * h);
}

Log floating_log(const Robot& robot, const std::string& frame, int samples, double step) {
  constexpr std::array<const char*, 7> axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
  const FramePlacement placement = *find_frame(robot, frame);
  Log log;
  log.file = "run.csv";
  for (int k = 0; k < samples; ++k) {
    const double t = step * k;
    log.time.push_back(t);
    log.lines.push_back(k + 2);
    for (const Joint& joint : robot.joints) {
      log.channels["q." + joint.name].push_back(0.1 * std::sin(t));
      log.channels["tau." + joint.name].push_back(1);
    }
    const Eigen::Matrix<double, 7, 1> base = base_pose_at(t);
    const Quaterniond R_base(Eigen::Vector4d(base.tail<4>()));
    Eigen::Matrix<double, 7, 1> pose;
    pose << base.head<3>() + R_base * placement.translation,
        (R_base * Quaterniond(placement.rotation)).coeffs();
    if (k % 3 == 1) pose.tail<4>() *= -1;  // the same rotation
    for (int i = 0; i < 7; ++i) log.channels["pose." + frame + "." + axes[i]].push_back(pose[i]);
  }
  return log;
}

}  // namespace bayesid::test
