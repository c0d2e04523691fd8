// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/stage.hpp"

namespace bayesid {

/// A stage of the linear-quadratic problem in its general form: docs/math/riccati.md (20)
///   x' = A x + B u + C ζ + c,   h_x x + h_u u + h_ζ ζ + h = 0,
///   cost ½ zᵀQz + qᵀz with z = (x, u, ζ).
struct LqStage {
  Eigen::MatrixXd A, B, C;
  Eigen::VectorXd c;
  Eigen::MatrixXd h_x, h_u, h_zeta;
  Eigen::VectorXd h;
  Eigen::MatrixXd Q;  // (nx + nu + nζ) square, symmetric, positive semidefinite; positive on u in
                      // the nullspace of h_u
  Eigen::VectorXd q;
};

/// Stages 0…N−1 and the cost of the last node in (x, ζ). The prior of the first state is part of
/// its stage's cost.
struct LqTrajectory {
  std::vector<LqStage> stages;
  Eigen::MatrixXd last_Q;
  Eigen::VectorXd last_q;
};

/// Trajectories that share θ through ζ = T θ.
struct LqProblem {
  int nx = 0;
  std::vector<LqTrajectory> trajectories;
  Eigen::MatrixXd T;              // nζ × nθ
  Eigen::MatrixXd prior_hessian;  // nθ × nθ
  Eigen::VectorXd prior_gradient;
  LinearConstraints constraints;
};

struct LqSolution {
  bool solved = false;
  Eigen::VectorXd theta;
  std::vector<std::vector<Eigen::VectorXd>> x, u;  // [trajectory][stage]
  Eigen::MatrixXd theta_cov;
};

/// The general recursion: any inputs and stage equalities, with a rank-revealing nullspace of h_u.
/// Rows of h that no input can serve become constraints on the state before, down to the arrival
/// node.    docs/math/riccati.md (21)-(27)
LqSolution solve_general(const LqProblem& problem);

}  // namespace bayesid
