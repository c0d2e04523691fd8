// SPDX-License-Identifier: BSD-3-Clause
#include "robot/rigid_pose.hpp"

#include <Eigen/Geometry>
#include <pinocchio/spatial.hpp>

namespace bayesid {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond rotation_of(const PoseNumbers& pose) {
  return Quaterniond(pose[6], pose[3], pose[4], pose[5]).normalized();
}

}  // namespace

PoseNumbers identity_pose() {
  return PoseNumbers::Unit(6);
}

PoseNumbers integrate_pose(const PoseNumbers& pose, const PoseTangent& step) {
  const pinocchio::SE3 motion = pinocchio::exp6(pinocchio::Motion(step));
  const Quaterniond before = rotation_of(pose);
  Quaterniond turn(motion.rotation());
  if (turn.w() < 0) turn.coeffs() *= -1;
  PoseNumbers out;
  out.head<3>() = pose.head<3>() + before * motion.translation();
  out.tail<4>() = (before * turn).coeffs().normalized();
  return out;
}

PoseTangent difference_pose(const PoseNumbers& from, const PoseNumbers& to) {
  const Quaterniond back = rotation_of(from).conjugate();
  const Vector3d translation = back * (to.head<3>() - from.head<3>());
  return pinocchio::log6((back * rotation_of(to)).normalized(), translation).toVector();
}

PoseNumbers body_pose(const PoseNumbers& frame_in_world, const FramePlacement& frame_in_body) {
  const Quaterniond rotation =
      rotation_of(frame_in_world) * Quaterniond(frame_in_body.rotation).conjugate();
  PoseNumbers out;
  out.head<3>() = frame_in_world.head<3>() - rotation * frame_in_body.translation;
  out.tail<4>() = rotation.coeffs();
  return out;
}

}  // namespace bayesid
