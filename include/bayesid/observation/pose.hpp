// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/observation/term.hpp"

namespace bayesid {

/// Pose of a frame in the world, position and orientation each where it was measured.
/// docs/math/observation.md (3), (4)
///   r_p = (p − p̂) / σ_p in world axes,   r_R = Log(R̂ᵀ R) / σ_R
class Pose final : public Term {
 public:
  /// `measured`: px, py, pz, qx, qy, qz, qw, 7 × samples, NaN where not measured; quaternions of
  /// any length but zero. A part without a standard deviation is not used.
  Pose(std::string name, const FramePlacement& frame, Eigen::MatrixXd measured,
       const PoseConfig& std);
  std::string kind() const override { return "pose." + name_; }
  int max_rows() const override { return 6; }
  std::string channel_name(int channel) const override;
  void evaluate(const Knot& at, Order order, Residual& out) const override;

 private:
  void add_position(const Knot& at, Order order, Residual& out) const;

  std::string name_;
  FramePlacement frame_;
  Eigen::MatrixXd measured_;
  double position_weight_, orientation_weight_;  // 1/σ; 0: not used
};

}  // namespace bayesid
