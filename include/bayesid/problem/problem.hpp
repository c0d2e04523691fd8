// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/math/stage.hpp"
#include "bayesid/parameter_space.hpp"
#include "bayesid/trajectory.hpp"

namespace bayesid {

/// What is estimated: θ and every trajectory.
struct Point {
  Eigen::VectorXd theta;
  std::vector<Path> paths;
};

/// What depends on θ alone, of the parameters and of each trajectory.
struct ProblemAt {
  std::shared_ptr<const ParameterSpace::At> parameters;
  std::vector<std::shared_ptr<const Trajectory::At>> trajectories;
};

/// An estimation problem as the solver sees it: parameters, and trajectories that share them.
///
/// With the noise of each transition eliminated, the objective is a function Φ of states and θ
/// alone:     (docs/math/problem.md)
///   Φ = ½|θ − θ̄|² + Σ node costs(x_k) + Σ ½|x_{k+1} ⊖ f(x_k; θ)|²_{W_k⁻¹}
/// It is the value of the constrained problem at the noise that closes every transition, and the
/// merit function of the line search.
class Problem {
 public:
  Problem(std::shared_ptr<const ParameterSpace> parameters,
          std::vector<std::shared_ptr<const Trajectory>> trajectories);

  const ParameterSpace& space() const { return *space_; }
  int num_trajectories() const { return static_cast<int>(trajectories_.size()); }
  const Trajectory& trajectory(int t) const { return *trajectories_[t]; }
  const std::vector<std::shared_ptr<const Trajectory>>& trajectories() const {
    return trajectories_;
  }
  /// Those of every trajectory.
  std::vector<std::string> cost_parts() const;
  bool has_inequalities() const;

  Point start() const;
  std::shared_ptr<const ProblemAt> at(const Eigen::VectorXd& theta) const;

 private:
  std::shared_ptr<const ParameterSpace> space_;
  std::vector<std::shared_ptr<const Trajectory>> trajectories_;
};

}  // namespace bayesid
