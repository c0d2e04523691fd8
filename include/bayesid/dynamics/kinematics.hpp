// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>

#include "bayesid/dynamics/constraint.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Pose of a frame in the world.
struct FramePose {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
};

/// Where frames are and how they move. Bodies are computed once for each configuration, whoever
/// asks first. Belongs to one thread; nothing allocates after the constructor.
class Kinematics {
 public:
  explicit Kinematics(const Robot& robot);
  ~Kinematics();
  Kinematics(Kinematics&&) noexcept;

  FramePose pose(const Eigen::VectorXd& q, const FramePlacement& frame);
  /// J, 6 × nv: velocity of the frame's origin, then angular velocity, in world axes, is J v. Valid
  /// until the next call.
  const Eigen::MatrixXd& jacobian(const Eigen::VectorXd& q, const FramePlacement& frame);
  /// At most six rows of constraints at a motion, with derivatives. Valid until the next call.
  const ConstraintRows& rows(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const Eigen::VectorXd& a,
                             const std::vector<MotionConstraint>& constraints, Level level);

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

}  // namespace bayesid
