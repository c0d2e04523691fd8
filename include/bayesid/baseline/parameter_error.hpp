// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/problem/robot_problem.hpp"

namespace bayesid {

/// How far parameters are from a known truth, relative.             docs/math/baselines.md
/// (14)-(16)
struct ParameterError {
  double base = 0;                 // of the inertial base parameters: what efforts can show
  double effort = 0;               // the same, each by what it does to efforts in random motions
  std::optional<double> friction;  // of the friction at speeds up to 2; absent without friction
  std::optional<double> mass;      // root mean square over links; absent when none is estimated
};

/// Judges any number of estimates against one truth.
class ParameterTruth {
 public:
  ParameterTruth(const RobotProblem& problem, const Eigen::VectorXd& theta);
  /// `values`: what people read, by name.
  ParameterError error(const PhysicalParameters& eta,
                       const std::map<std::string, double>& values) const;

 private:
  const Dynamics& dynamics_;
  PhysicalParameters eta_;
  std::map<std::string, double> values_;
  Eigen::MatrixXd to_base_;  // of ζ, inertial rows alone
  Eigen::VectorXd effect_;
};

}  // namespace bayesid
