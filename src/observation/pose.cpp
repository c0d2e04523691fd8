// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/observation/pose.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <limits>
#include <utility>

#include "bayesid/math/so3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Pose::Pose(std::string name, const FramePlacement& frame, Eigen::MatrixXd measured,
           const PoseConfig& std)
    : name_(std::move(name)),
      frame_(frame),
      measured_(std::move(measured)),
      position_weight_(std.position ? 1 / *std.position : 0),
      orientation_weight_(std.orientation ? 1 / *std.orientation : 0) {
  for (Eigen::Index k = 0; k < measured_.cols(); ++k) {
    const double length = measured_.col(k).tail<4>().norm();
    measured_.col(k).tail<4>() *=
        length > 0 ? 1 / length : std::numeric_limits<double>::quiet_NaN();
  }
}

void Pose::evaluate(const Knot& at, Order order, Residual& out) const {
  out.rows = 0;
  const auto measured = measured_.col(at.sample);
  if (position_weight_ > 0 && measured.head<3>().allFinite()) add_position(at, order, out);
  if (orientation_weight_ > 0 && measured.tail<4>().allFinite()) add_orientation(at, order, out);
}

/// ∂r_p/∂q = J_linear / σ_p
void Pose::add_position(const Knot& at, Order order, Residual& out) const {
  const int row = out.rows;
  out.rows += 3;
  const Vector3d error =
      at.kinematics->pose(at.q, frame_).translation - measured_.col(at.sample).head<3>();
  out.r.segment<3>(row) = position_weight_ * error;
  if (order == Order::value) return;
  const Eigen::MatrixXd& J = at.kinematics->jacobian(at.q, frame_);
  out.dr_dx.middleRows<3>(row).setZero();
  out.dr_dx.block(row, 0, 3, J.cols()) = position_weight_ * J.topRows<3>();
}

/// ∂r_R/∂q = J_r(e)⁻¹ Rᵀ J_angular / σ_R with e = Log(R̂ᵀ R)
void Pose::add_orientation(const Knot& at, Order order, Residual& out) const {
  const int row = out.rows;
  out.rows += 3;
  const auto measured = measured_.col(at.sample);
  const Matrix3d R_measured =
      Eigen::Quaterniond(measured[6], measured[3], measured[4], measured[5]).toRotationMatrix();
  const Matrix3d R = at.kinematics->pose(at.q, frame_).rotation;
  const Vector3d error = so3_log(R_measured.transpose() * R);
  out.r.segment<3>(row) = orientation_weight_ * error;
  if (order == Order::value) return;
  const Eigen::MatrixXd& J = at.kinematics->jacobian(at.q, frame_);
  const Matrix3d turn = so3_right_jacobian(error).partialPivLu().solve(R.transpose());
  const Matrix3d weighted = orientation_weight_ * turn;
  out.dr_dx.middleRows<3>(row).setZero();
  out.dr_dx.block(row, 0, 3, J.cols()).noalias() = weighted.lazyProduct(J.bottomRows<3>());
}

}  // namespace bayesid
