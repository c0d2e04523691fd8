// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "bayesid/observation/term.hpp"

namespace bayesid {

/// Inertial measurement unit: specific force, body rate and orientation, each where it was
/// measured. docs/math/observation.md (5), (6)
///   r_a = (Rᵀ(p̈ − g) + b_a − f̂) / σ_a,   r_ω = (Rᵀω + b_ω − ω̂) / σ_ω,   r_R = Log(R̂ᵀ R) / σ_R
class Imu final : public Term {
 public:
  /// Where the sensor is, what is known of it, and its biases among the sensors' parameters:
  /// ax … wz, −1 where there is none.
  struct Description {
    std::string name;
    FramePlacement frame;
    ImuConfig std;
    Eigen::Vector3d gravity;
    std::array<int, 6> bias;
  };
  /// `measured`: ax … az, wx … wz, qx … qw, 10 × samples, NaN where not measured.
  Imu(Description description, Eigen::MatrixXd measured);
  std::string kind() const override { return "imu." + is_.name; }
  int max_rows() const override { return 9; }
  std::string channel_name(int channel) const override;
  bool sees_acceleration() const override { return acceleration_weight_ > 0; }
  std::vector<int> parameters() const override { return parameters_; }
  void evaluate(const Knot& at, Order order, Residual& out) const override;

 private:
  void add_acceleration(const Knot& at, Order order, Residual& out) const;
  void add_rate(const Knot& at, Order order, Residual& out) const;
  void add_bias(const Knot& at, int first, double weight, int row, Residual& out) const;

  Description is_;
  Eigen::MatrixXd measured_;
  double acceleration_weight_, rate_weight_, orientation_weight_;  // 1/σ; 0: not used
  std::vector<MotionConstraint> point_, turn_;  // motions whose rows are what the sensor sees
  std::vector<int> parameters_;
  std::array<int, 6> columns_{};  // of dr_dsensor; −1: none
};

/// Biases of a sensor among the sensors' parameters: ax … wz, −1 where there is none.
std::array<int, 6> imu_biases(const ParameterSet& parameters, const std::string& name);

}  // namespace bayesid
