// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/observation/pose.hpp"

#include <array>
#include <utility>

#include "observation/orientation.hpp"

namespace bayesid {

using Eigen::Vector3d;

Pose::Pose(std::string name, const FramePlacement& frame, Eigen::MatrixXd measured,
           const PoseConfig& std)
    : name_(std::move(name)),
      frame_(frame),
      measured_(std::move(measured)),
      position_weight_(std.position ? 1 / *std.position : 0),
      orientation_weight_(std.orientation ? 1 / *std.orientation : 0) {
  normalise_quaternions(measured_);
}

void Pose::evaluate(const Knot& at, Order order, Residual& out) const {
  out.rows = 0;
  const auto measured = measured_.col(at.sample);
  if (position_weight_ > 0 && measured.head<3>().allFinite()) {
    mark_channels(0, out);
    add_position(at, order, out);
  }
  if (orientation_weight_ > 0 && measured.tail<4>().allFinite()) {
    mark_channels(3, out);
    add_orientation(at, frame_, measured.tail<4>(), orientation_weight_, order, out);
  }
}

std::string Pose::channel_name(int channel) const {
  constexpr std::array<const char*, 6> names{"px", "py", "pz", "rx", "ry", "rz"};
  return names[channel];
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

}  // namespace bayesid
