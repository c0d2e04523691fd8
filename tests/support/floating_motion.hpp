// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/log.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::test {

/// Pose x, y, z, qx, qy, qz, qw of a base that travels and tumbles, known at any time.
Eigen::Matrix<double, 7, 1> base_pose_at(double t);
/// Its velocity in its own axes, linear then angular, and the derivative of that.
Eigen::Matrix<double, 6, 1> base_velocity_at(double t);
Eigen::Matrix<double, 6, 1> base_acceleration_at(double t);

/// A log of a floating robot that moves like that: joints at 0.1 sin t, efforts 1, and the pose of
/// a frame on the base.
Log floating_log(const Robot& robot, const std::string& frame, int samples, double step);

}  // namespace bayesid::test
