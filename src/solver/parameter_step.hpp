// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/trajectory.hpp"

namespace bayesid {

/// What the data say about ζ around a point, states eliminated: gᵀδζ + ½ δζᵀH δζ; and a pull
/// towards the point.
struct ParameterModel {
  const ParameterSpace& space;
  Eigen::MatrixXd H;
  Eigen::VectorXd g;
  Eigen::VectorXd center;        // θ of the linearisation
  Eigen::VectorXd damping;       // precision of a pull towards the center
  Eigen::VectorXd trust_region;  // largest change of each parameter; infinite: none
};

struct ParameterStep {
  bool solved = false;
  Eigen::VectorXd theta, dzeta;
  std::vector<int> active;  // inequalities that hold with equality
};

/// Minimises prior + data + damping over θ, with ζ(θ) as nonlinear as it is: Newton's method with
/// line search on the small problem, so that the curvature of the parametrisation costs no sweep
/// over the log.     docs/math/riccati.md (16a)
ParameterStep solve_parameters(const ParameterModel& model, const std::vector<int>& guess);

}  // namespace bayesid
