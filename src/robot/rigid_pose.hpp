// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/robot.hpp"

namespace bayesid {

/// A pose in the world as seven numbers, the quaternion last: x, y, z, qx, qy, qz, qw.
using PoseNumbers = Eigen::Matrix<double, 7, 1>;
/// Linear, then angular, in the axes of the moving frame.
using PoseTangent = Eigen::Matrix<double, 6, 1>;

PoseNumbers identity_pose();

/// T Exp ν; the quaternion keeps its sign and length one.
PoseNumbers integrate_pose(const PoseNumbers& pose, const PoseTangent& step);

/// Log(T_from⁻¹ T_to).
PoseTangent difference_pose(const PoseNumbers& from, const PoseNumbers& to);

/// T_world_body from T_world_frame and T_body_frame; the quaternion may have any length but zero.
PoseNumbers body_pose(const PoseNumbers& frame_in_world, const FramePlacement& frame_in_body);

}  // namespace bayesid
