// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/observation/encoder.hpp"

#include <cmath>
#include <utility>

namespace bayesid {

EncoderPosition::EncoderPosition(const Robot& robot, Eigen::MatrixXd measured,
                                 const Eigen::VectorXd& std)
    : joints_(robot.joints), measured_(std::move(measured)), weight_(std.cwiseInverse()) {}

void EncoderPosition::evaluate(const Knot& at, Order order, Residual& out) const {
  out.rows = 0;
  for (const Joint& joint : joints_) {
    const int j = joint.idx_v;
    const double measured = measured_(j, at.sample);
    if (std::isnan(measured)) continue;
    double error = at.q[joint.idx_q] - measured;
    if (joint.continuous) {
      // Angle of the rotation from the measured direction to (cos, sin).
      const double c = std::cos(measured), s = std::sin(measured);
      const double q_cos = at.q[joint.idx_q], q_sin = at.q[joint.idx_q + 1];
      error = std::atan2(q_sin * c - q_cos * s, q_cos * c + q_sin * s);
    }
    out.r[out.rows] = weight_[j] * error;
    out.channel[out.rows] = j;
    if (order == Order::derivatives) {
      out.dr_dx.row(out.rows).setZero();
      out.dr_dx(out.rows, j) = weight_[j];
    }
    ++out.rows;
  }
}

EncoderVelocity::EncoderVelocity(Eigen::MatrixXd measured, const Eigen::VectorXd& std)
    : measured_(std::move(measured)), weight_(std.cwiseInverse()) {}

void EncoderVelocity::evaluate(const Knot& at, Order order, Residual& out) const {
  out.rows = 0;
  const Eigen::Index nv = measured_.rows();
  for (Eigen::Index j = 0; j < nv; ++j) {
    const double measured = measured_(j, at.sample);
    if (std::isnan(measured)) continue;
    out.r[out.rows] = weight_[j] * (at.v[j] - measured);
    out.channel[out.rows] = static_cast<int>(j);
    if (order == Order::derivatives) {
      out.dr_dx.row(out.rows).setZero();
      out.dr_dx(out.rows, nv + j) = weight_[j];
    }
    ++out.rows;
  }
}

}  // namespace bayesid
