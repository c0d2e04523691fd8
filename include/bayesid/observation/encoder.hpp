// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/observation/term.hpp"

namespace bayesid {

/// Joint positions, any subset at any sample. docs/math/observation.md (1)
///   r_j = (q_j ⊖ q̂_j) / σ_j
class EncoderPosition final : public Term {
 public:
  /// `measured`: angle or length, nv × samples, NaN where not measured. `std`: of each row.
  EncoderPosition(const Robot& robot, Eigen::MatrixXd measured, const Eigen::VectorXd& std);
  std::string kind() const override { return "position"; }
  int max_rows() const override { return static_cast<int>(measured_.rows()); }
  void evaluate(const Knot& at, Order order, Residual& out) const override;

 private:
  std::vector<Joint> joints_;
  Eigen::MatrixXd measured_;
  Eigen::VectorXd weight_;  // 1/σ
};

/// Joint velocities, any subset at any sample. docs/math/observation.md (2)
///   r_j = (v_j − v̂_j) / σ_j
class EncoderVelocity final : public Term {
 public:
  EncoderVelocity(Eigen::MatrixXd measured, const Eigen::VectorXd& std);
  std::string kind() const override { return "velocity"; }
  int max_rows() const override { return static_cast<int>(measured_.rows()); }
  void evaluate(const Knot& at, Order order, Residual& out) const override;

 private:
  Eigen::MatrixXd measured_;
  Eigen::VectorXd weight_;  // 1/σ
};

}  // namespace bayesid
