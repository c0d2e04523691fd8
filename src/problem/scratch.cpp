// SPDX-License-Identifier: BSD-3-Clause
#include "problem/scratch.hpp"

#include <Eigen/Cholesky>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

RobotProblem::Scratch::Scratch(const RobotProblem& problem)
    : dynamics(problem.dynamics()),
      balance(problem.dynamics().nv(), problem.dynamics().nzeta()),
      kinematics(problem.dynamics().robot()) {
  const int nv = problem.dynamics().nv(), nq = problem.dynamics().robot().nq();
  knot.kinematics = &kinematics;
  knot.q = q_next = VectorXd::Zero(nq);
  knot.v = a = tau = n = dq = force = tangent = xi = VectorXd::Zero(nv);
  defect = VectorXd::Zero(2 * nv);
  mass = mass_inverse = effort_cov = scaled = MatrixXd::Zero(nv, nv);
  noise = MatrixXd::Zero(2 * nv, 2 * nv);
  if (!problem.trajectories_.empty()) {
    for (const auto& term : problem.trajectories_[0].terms)
      residuals.emplace_back(term->max_rows(), 2 * nv);
  }
}

void semidefinite_cholesky(MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double variance = matrix(j, j);
    for (Eigen::Index i = 0; i < j; ++i) {
      const double factor = matrix(j, i);
      if (factor != 0) matrix.col(j).tail(n - j) -= factor * matrix.col(i).tail(n - j);
    }
    const double pivot = matrix(j, j);
    if (pivot <= 1e-15 * variance || pivot <= 0) {
      matrix.col(j).tail(n - j).setZero();
    } else {
      matrix.col(j).tail(n - j) /= std::sqrt(pivot);
    }
    matrix.col(j).head(j).setZero();
  }
}

void invert_positive(MatrixXd& work, MatrixXd& inverse) {
  const Eigen::LLT<Eigen::Ref<MatrixXd>> chol(work);
  inverse.setIdentity();
  chol.matrixL().solveInPlace(inverse);
  chol.matrixL().transpose().solveInPlace(inverse);
}

}  // namespace bayesid
