// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem/robot_problem.hpp"

namespace bayesid {

/// θ-dependent part of a RobotProblem.
class RobotAt final : public Problem::At {
 public:
  explicit RobotAt(std::shared_ptr<const DynamicsAt> at) : dynamics(std::move(at)) {}
  std::shared_ptr<const DynamicsAt> dynamics;
};

/// Memory of one thread.
class RobotProblem::Scratch final : public Problem::Workspace {
 public:
  explicit Scratch(const RobotProblem& problem);

  Dynamics::Workspace dynamics;
  ForceBalance balance;
  Kinematics kinematics;
  Knot knot;
  std::vector<Residual> residuals;  // one for each term
  Eigen::VectorXd a, tau, n, q_next, dq, defect, force, tangent, xi;
  Eigen::MatrixXd mass, mass_inverse, effort_cov, noise, scaled;
};

/// Lower Cholesky factor of a positive semidefinite matrix, in place; columns without variance
/// become zero.
void semidefinite_cholesky(Eigen::MatrixXd& matrix);

/// Inverse of a symmetric positive definite matrix; `work` is destroyed.
void invert_positive(Eigen::MatrixXd& work, Eigen::MatrixXd& inverse);

}  // namespace bayesid
