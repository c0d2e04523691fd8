// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/dynamics/kinematics.hpp"

#include <Eigen/Geometry>
#include <limits>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

#include "dynamics/rigid_body.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Kinematics::Storage {
  explicit Storage(const Robot& robot)
      : model(robot.model),
        data(*robot.model),
        mimic(robot.has_mimic() ? robot.mimic : MatrixXd()),
        all(MatrixXd::Zero(6, robot.mimic.rows())),
        independent(MatrixXd::Zero(6, robot.nv())) {
    poses_at = jacobians_at =
        VectorXd::Constant(robot.nq(), std::numeric_limits<double>::quiet_NaN());
  }

  void find_poses(const VectorXd& q) {
    if (q == poses_at) return;
    pinocchio::forwardKinematics(*model, *data, q);
    poses_at = q;
  }

  void find_jacobians(const VectorXd& q) {
    find_poses(q);
    if (q == jacobians_at) return;
    pinocchio::computeJointJacobians(*model, *data);
    jacobians_at = q;
  }

  std::shared_ptr<const pinocchio::Model> model;
  RigidBodyData data;
  MatrixXd mimic;             // empty without mimic joints
  MatrixXd all, independent;  // Jacobian in all velocities, and in the independent ones
  VectorXd poses_at, jacobians_at;
};

Kinematics::Kinematics(const Robot& robot) : storage_(std::make_unique<Storage>(robot)) {}
Kinematics::~Kinematics() = default;
Kinematics::Kinematics(Kinematics&&) noexcept = default;

FramePose Kinematics::pose(const VectorXd& q, const FramePlacement& frame) {
  storage_->find_poses(q);
  const pinocchio::SE3& body = (*storage_->data).oMi[frame.body];
  return {.rotation = body.rotation() * frame.rotation,
          .translation = body.translation() + body.rotation() * frame.translation};
}

const MatrixXd& Kinematics::jacobian(const VectorXd& q, const FramePlacement& frame) {
  Storage& s = *storage_;
  s.find_jacobians(q);
  const Vector3d point = pose(q, frame).translation;
  MatrixXd& out = s.mimic.size() > 0 ? s.all : s.independent;
  out.setZero();
  // Columns of Pinocchio's J are velocities at the origin of the world.
  for (const pinocchio::JointIndex joint : s.model->supports[frame.body]) {
    for (int k = 0; k < s.model->nvs[joint]; ++k) {
      const int i = s.model->idx_vs[joint] + k;
      const auto column = (*s.data).J.col(i);
      const Vector3d angular = column.tail<3>();
      out.col(i) << column.head<3>() + angular.cross(point), angular;
    }
  }
  if (s.mimic.size() > 0) s.independent.noalias() = s.all.lazyProduct(s.mimic);
  return s.independent;
}

}  // namespace bayesid
