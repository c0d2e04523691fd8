// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"

namespace bayesid::test {

struct DenseSolution {
  Eigen::VectorXd theta;
  Eigen::MatrixXd forces;  // of the contacts, a column for each stage
  double cost = 0;
  int iterations = 0;
};

/// A short window of a robot whose contact forces stay in friction cones, disturbances not
/// projected: parameters, states and noises of efforts at once, by a primal-dual interior-point
/// method on dense matrices whose derivatives of dynamics and forces are finite differences.
DenseSolution solve_interior_point(const RobotProblem& problem, double mu);

}  // namespace bayesid::test
