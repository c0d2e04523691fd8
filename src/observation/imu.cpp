// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/observation/imu.hpp"

#include <utility>

#include "observation/orientation.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// A place that moves against the world, seen in its own axes.
MotionConstraint seen_from(const FramePlacement& frame, ConstraintType type,
                           std::vector<int> rows) {
  MotionConstraint out;
  out.type = type;
  out.axes = Axes::local;
  out.first = frame;
  out.second = {0, Matrix3d::Identity(), Vector3d::Zero()};
  out.rows = std::move(rows);
  return out;
}

double weight_of(const std::optional<double>& std) {
  return std ? 1 / *std : 0;
}

}  // namespace

std::array<int, 6> imu_biases(const ParameterSet& parameters, const std::string& name) {
  constexpr std::array<const char*, 6> axes{"ax", "ay", "az", "wx", "wy", "wz"};
  std::array<int, 6> out{};
  for (int i = 0; i < 6; ++i) {
    out[i] = parameters.layout().sensor_index("imu_bias." + name + "." + axes[i]);
  }
  return out;
}

Imu::Imu(Description description, Eigen::MatrixXd measured)
    : is_(std::move(description)),
      measured_(std::move(measured)),
      acceleration_weight_(weight_of(is_.std.acceleration)),
      rate_weight_(weight_of(is_.std.rate)),
      orientation_weight_(weight_of(is_.std.orientation)),
      point_{seen_from(is_.frame, ConstraintType::point, {0, 1, 2})},
      turn_{seen_from(is_.frame, ConstraintType::frame, {3, 4, 5})} {
  normalise_quaternions(measured_);
  for (int i = 0; i < 6; ++i) {
    columns_[i] = is_.bias[i] < 0 ? -1 : static_cast<int>(parameters_.size());
    if (is_.bias[i] >= 0) parameters_.push_back(is_.bias[i]);
  }
}

void Imu::evaluate(const Knot& at, Order order, Residual& out) const {
  out.rows = 0;
  const auto measured = measured_.col(at.sample);
  if (acceleration_weight_ > 0 && measured.head<3>().allFinite()) {
    mark_channels(0, out);
    add_acceleration(at, order, out);
  }
  if (rate_weight_ > 0 && measured.segment<3>(3).allFinite()) {
    mark_channels(3, out);
    add_rate(at, order, out);
  }
  if (orientation_weight_ > 0 && measured.tail<4>().allFinite()) {
    mark_channels(6, out);
    add_orientation(at, is_.frame, measured.tail<4>(), orientation_weight_, order, out);
  }
}

std::string Imu::channel_name(int channel) const {
  constexpr std::array<const char*, 9> names{"ax", "ay", "az", "wx", "wy", "wz", "rx", "ry", "rz"};
  return names[channel];
}

/// ∂(−Rᵀg)/∂q = −[Rᵀg]ₓ Rᵀ J_angular
void Imu::add_acceleration(const Knot& at, Order order, Residual& out) const {
  const int row = out.rows;
  const double w = acceleration_weight_;
  out.rows += 3;
  const Matrix3d R = at.kinematics->pose(at.q, is_.frame).rotation;
  const Vector3d g = R.transpose() * is_.gravity;
  const ConstraintRows& rows = at.kinematics->rows(at.q, at.v, at.a, point_, Level::acceleration);
  out.r.segment<3>(row) = w * (rows.r.head<3>() - g - measured_.col(at.sample).head<3>());
  if (order == Order::derivatives) {
    const Eigen::Index nv = at.v.size();
    out.dr_dx.block(row, 0, 3, nv) = w * rows.dr_dq.topRows<3>();
    out.dr_dx.block(row, nv, 3, nv) = w * rows.dr_dv.topRows<3>();
    out.dr_da.middleRows<3>(row) = w * rows.J.topRows<3>();
    const Eigen::MatrixXd& J = at.kinematics->jacobian(at.q, is_.frame);
    for (Eigen::Index j = 0; j < nv; ++j) {
      const Vector3d turn = R.transpose() * J.col(j).tail<3>();
      out.dr_dx.block<3, 1>(row, j) -= w * g.cross(turn);
    }
    out.dr_dsensor.middleRows<3>(row).setZero();
  }
  add_bias(at, 0, w, row, out);
}

void Imu::add_rate(const Knot& at, Order order, Residual& out) const {
  const int row = out.rows;
  const double w = rate_weight_;
  out.rows += 3;
  const ConstraintRows& rows = at.kinematics->rows(at.q, at.v, at.a, turn_, Level::velocity);
  out.r.segment<3>(row) = w * (rows.r.head<3>() - measured_.col(at.sample).segment<3>(3));
  if (order == Order::derivatives) {
    const Eigen::Index nv = at.v.size();
    out.dr_dx.block(row, 0, 3, nv) = w * rows.dr_dq.topRows<3>();
    out.dr_dx.block(row, nv, 3, nv) = w * rows.J.topRows<3>();
    out.dr_da.middleRows<3>(row).setZero();
    out.dr_dsensor.middleRows<3>(row).setZero();
  }
  add_bias(at, 3, w, row, out);
}

void Imu::add_bias(const Knot& at, int first, double weight, int row, Residual& out) const {
  for (int i = 0; i < 3; ++i) {
    if (columns_[first + i] < 0) continue;
    out.r[row + i] += weight * at.sensor[is_.bias[first + i]];
    out.dr_dsensor(row + i, columns_[first + i]) = weight;
  }
}

}  // namespace bayesid
