// SPDX-License-Identifier: BSD-3-Clause
#include "sensors/orientation.hpp"

#include <Eigen/LU>
#include <limits>

#include "math/so3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void add_orientation(const Instant& at, const FramePlacement& frame,
                     const Eigen::Vector4d& measured, double weight, Order order, Residual& out) {
  const int row = out.rows;
  out.rows += 3;
  const Matrix3d R_measured = Eigen::Quaterniond(measured).toRotationMatrix();
  const Matrix3d R = at.kinematics->pose(at.q, frame).rotation;
  const Vector3d error = so3_log(R_measured.transpose() * R);
  out.r.segment<3>(row) = weight * error;
  if (order == Order::value) return;
  const Eigen::MatrixXd& J = at.kinematics->jacobian(at.q, frame);
  const Matrix3d turn = so3_right_jacobian(error).partialPivLu().solve(R.transpose());
  const Matrix3d weighted = weight * turn;
  out.dr_dx.middleRows<3>(row).setZero();
  out.dr_da.middleRows<3>(row).setZero();
  out.dr_dparameters.middleRows<3>(row).setZero();
  out.dr_dx.block(row, 0, 3, J.cols()).noalias() = weighted.lazyProduct(J.bottomRows<3>());
}

void normalise_quaternions(Eigen::MatrixXd& samples) {
  for (Eigen::Index k = 0; k < samples.cols(); ++k) {
    const double length = samples.col(k).tail<4>().norm();
    samples.col(k).tail<4>() *= length > 0 ? 1 / length : std::numeric_limits<double>::quiet_NaN();
  }
}

Eigen::Quaterniond simulate_orientation(const Matrix3d& rotation, double std, const Draw& draw) {
  const Eigen::VectorXd turn = draw(Eigen::VectorXd::Constant(3, std));
  const Eigen::Quaterniond error(Eigen::AngleAxisd(
      turn.norm(), turn.norm() > 0 ? Vector3d(turn / turn.norm()) : Vector3d::UnitX()));
  return Eigen::Quaterniond(rotation) * error;
}

}  // namespace bayesid
