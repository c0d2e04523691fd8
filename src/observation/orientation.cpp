// SPDX-License-Identifier: BSD-3-Clause
#include "observation/orientation.hpp"

#include <Eigen/LU>

#include "bayesid/math/so3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void add_orientation(const Knot& at, const FramePlacement& frame, const Eigen::Vector4d& measured,
                     double weight, Order order, Residual& out) {
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
  out.dr_dsensor.middleRows<3>(row).setZero();
  out.dr_dx.block(row, 0, 3, J.cols()).noalias() = weighted.lazyProduct(J.bottomRows<3>());
}

}  // namespace bayesid
