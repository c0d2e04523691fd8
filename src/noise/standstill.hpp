// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Where the drives of a problem nearly stand still, by the motion sensors alone. There Coulomb
/// friction takes any value up to that of sliding, and efforts tell as little of the rest of the
/// model.                                                            docs/math/noise.md (7)
class Standstill {
 public:
  /// None where the motion cannot be smoothed or no drive has Coulomb friction.
  explicit Standstill(const RobotProblem& problem);

  /// Friction at these parameters.
  void set(const RobotProblem& problem, const Eigen::VectorXd& theta, Noise& noise) const;
  /// Noise::standstill for its standstill_friction.
  void place(const RobotProblem& problem, Noise& noise) const;

 private:
  std::vector<Eigen::MatrixXd> shares_;  // of its friction, drives × samples of each recording
};

}  // namespace bayesid
