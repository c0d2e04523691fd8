// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

#include "dynamics/rigid_body.hpp"
#include "math/so3.hpp"

namespace bayesid {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Regressor = Eigen::Matrix<double, 6, 10>;

/// Motion of a body in its own frame: what its inertial parameters are multiplied with.
struct BodyMotion {
  Vector3d acceleration;  // of the origin, against gravity
  Vector3d omega, alpha;
};

BodyMotion motion_of(const pinocchio::Model& model, const pinocchio::Data& data,
                     pinocchio::JointIndex i) {
  const Vector3d v = data.v[i].linear(), omega = data.v[i].angular();
  const Vector3d gravity = data.oMi[i].rotation().transpose() * model.gravity.linear();
  return {data.a[i].linear() + omega.cross(v) - gravity, omega, data.a[i].angular()};
}

/// I x as a function of (xx, xy, yy, xz, yz, zz).
Eigen::Matrix<double, 3, 6> inertia_columns(const Vector3d& x) {
  return (Eigen::Matrix<double, 3, 6>() << x[0], x[1], 0, x[2], 0, 0,  //
          0, x[0], x[1], 0, x[2], 0,                                   //
          0, 0, 0, x[0], x[1], x[2])
      .finished();
}

/// From the body's frame to the world's. Forces do not depend on inertias, moments not on the mass.
void to_world(const Matrix3d& R, const Vector3d& p, Regressor& out) {
  const Eigen::Matrix<double, 3, 4> force = R.lazyProduct(out.topLeftCorner<3, 4>());
  const Eigen::Matrix<double, 3, 9> moment = R.lazyProduct(out.bottomRightCorner<3, 9>());
  out.topLeftCorner<3, 4>() = force;
  out.bottomRightCorner<3, 9>() = moment;
  for (int i = 0; i < 4; ++i) out.col(i).tail<3>() += p.cross(force.col(i));
}

/// out(first + i) = axisᵀ column i of the body, `stride` apart.
void write_row(const double* axis, const Regressor& body, double* out, Eigen::Index stride,
               Eigen::Index first) {
  out += first * stride;
  for (int i = 0; i < 10; ++i, out += stride) {
    const double* column = body.data() + 6 * i;
    double sum = axis[3] * column[3] + axis[4] * column[4] + axis[5] * column[5];
    if (i < 4) sum += axis[0] * column[0] + axis[1] * column[1] + axis[2] * column[2];
    *out = sum;
  }
}

/// (force, moment about the origin) = out · π of one body.
void body_regressor(const BodyMotion& m, Regressor& out) {
  const Matrix3d omega = skew(m.omega);
  out.setZero();
  out.topLeftCorner<3, 1>() = m.acceleration;
  out.block<3, 3>(0, 1) = skew(m.alpha) + omega * omega;
  out.block<3, 3>(3, 1) = -skew(m.acceleration);
  out.bottomRightCorner<3, 6>() = inertia_columns(m.alpha) + omega * inertia_columns(m.omega);
}

}  // namespace

void body_motions(const pinocchio::Model& model, RigidBodyData& data, const ConstVectorRef& q,
                  const ConstVectorRef& v, const ConstVectorRef& a) {
  pinocchio::forwardKinematics(model, *data, q, v, a);
  pinocchio::computeJointJacobians(model, *data);
}

const Eigen::MatrixXd& torque_regressor(const pinocchio::Model& model, RigidBodyData& body_data) {
  pinocchio::Data& data = *body_data;
  Regressor body;
  for (pinocchio::JointIndex i = 1; i < static_cast<pinocchio::JointIndex>(model.njoints); ++i) {
    body_regressor(motion_of(model, data, i), body);
    to_world(data.oMi[i].rotation(), data.oMi[i].translation(), body);
    // A body loads the joints between it and the base; each carries the part along its own axis.
    // Other entries stay zero.
    const Eigen::Index first = 10 * (static_cast<Eigen::Index>(i) - 1);
    for (const pinocchio::JointIndex joint : model.supports[i]) {
      for (int k = 0; k < model.nvs[joint]; ++k) {
        const int row = model.idx_vs[joint] + k;
        write_row(data.J.col(row).data(), body, data.jointTorqueRegressor.data() + row,
                  data.jointTorqueRegressor.outerStride(), first);
      }
    }
  }
  return data.jointTorqueRegressor;
}

void torque_along(const pinocchio::Model& model, RigidBodyData& body_data,
                  const Eigen::Matrix<double, 10, Eigen::Dynamic>& dpi, Eigen::VectorXd& tau) {
  pinocchio::Data& data = *body_data;
  const auto num_joints = static_cast<pinocchio::JointIndex>(model.njoints);
  for (pinocchio::JointIndex i = 1; i < num_joints; ++i) {
    const BodyMotion m = motion_of(model, data, i);
    const auto pi = dpi.col(static_cast<Eigen::Index>(i) - 1);
    const Vector3d h = pi.segment<3>(1);
    const Eigen::Matrix<double, 6, 1> I = pi.tail<6>();
    const Vector3d force =
        pi[0] * m.acceleration + m.alpha.cross(h) + m.omega.cross(m.omega.cross(h));
    const Vector3d momentum = inertia_columns(m.omega) * I;
    const Vector3d moment =
        inertia_columns(m.alpha) * I + m.omega.cross(momentum) + h.cross(m.acceleration);
    data.of[i] = data.oMi[i].act(pinocchio::Force(force, moment));
  }
  for (pinocchio::JointIndex i = num_joints - 1; i > 0; --i) {
    const int row = model.idx_vs[i], n = model.nvs[i];
    tau.segment(row, n).noalias() = data.J.middleCols(row, n).transpose() * data.of[i].toVector();
    if (model.parents[i] > 0) data.of[model.parents[i]] += data.of[i];
  }
}

}  // namespace bayesid
