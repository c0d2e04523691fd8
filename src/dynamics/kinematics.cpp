// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/dynamics.hpp"

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
        independent(MatrixXd::Zero(6, robot.nv())),
        moving(*robot.model),
        motions(*robot.model),
        rows_all(6, static_cast<int>(robot.mimic.rows())),
        rows(6, robot.nv()) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    poses_at = jacobians_at = moves_at = VectorXd::Constant(robot.nq(), nan);
    moves_with_v = moves_with_a = VectorXd::Constant(robot.nv(), nan);
    v_all = a_all = VectorXd::Zero(robot.mimic.rows());
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

  void find_motions(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    if (q == moves_at && v == moves_with_v && a == moves_with_a) return;
    if (mimic.size() > 0) {
      v_all.noalias() = mimic * v;
      a_all.noalias() = mimic * a;
    } else {
      v_all = v;
      a_all = a;
    }
    body_motions(*model, moving, q, v_all, a_all);
    read_kinematics(*model, moving, motions);
    moves_at = q;
    moves_with_v = v;
    moves_with_a = a;
  }

  std::shared_ptr<const pinocchio::Model> model;
  RigidBodyData data;
  MatrixXd mimic;             // empty without mimic joints
  MatrixXd all, independent;  // Jacobian in all velocities, and in the independent ones
  VectorXd poses_at, jacobians_at;
  // Of rows(), in a workspace of its own.
  RigidBodyData moving;
  BodyKinematics motions;
  ConstraintRows rows_all, rows;
  VectorXd moves_at, moves_with_v, moves_with_a, v_all, a_all;
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

const ConstraintRows& Kinematics::rows(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                                       const std::vector<MotionConstraint>& constraints,
                                       Level level) {
  Storage& s = *storage_;
  s.find_motions(q, v, a);
  ConstraintRows& out = s.mimic.size() > 0 ? s.rows_all : s.rows;
  evaluate_rows(constraints, s.motions, level, true, out);
  if (s.mimic.size() == 0) return out;
  s.rows.r = out.r;
  s.rows.J.noalias() = out.J.lazyProduct(s.mimic);
  s.rows.dr_dq.noalias() = out.dr_dq.lazyProduct(s.mimic);
  s.rows.dr_dv.noalias() = out.dr_dv.lazyProduct(s.mimic);
  return s.rows;
}

}  // namespace bayesid
