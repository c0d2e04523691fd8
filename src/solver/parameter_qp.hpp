// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/lq_problem.hpp"

namespace bayesid {

/// Step of the parameters, multipliers and active set.
struct ParameterQpSolution {
  bool solved = false;
  Eigen::VectorXd dtheta;
  std::vector<int> active;                 // rows of G that hold with equality
  Eigen::VectorXd equality_multipliers;    // multipliers of E
  Eigen::VectorXd inequality_multipliers;  // multipliers of G, ≥ 0, zero off the active set
};

/// min ½ δᵀH δ + gᵀδ subject to the constraints. H symmetric positive definite, else not solved.
/// `guess`: rows of G expected to be active (the previous active set). docs/math/riccati.md
/// (13)-(16)
ParameterQpSolution solve_parameter_qp(const Eigen::MatrixXd& H, const Eigen::VectorXd& g,
                                       const LinearConstraints& constraints,
                                       const std::vector<int>& guess);

/// Σ = Z (Zᵀ H Z)⁻¹ Zᵀ with Z a basis of the nullspace of the equalities and the active
/// inequalities.      (17)
Eigen::MatrixXd constrained_covariance(const Eigen::MatrixXd& H,
                                       const LinearConstraints& constraints,
                                       const std::vector<int>& active);

/// log det(ZᵀH Z) − log det(ZᵀP Z): what data added to the precision P of the prior, in the
/// directions that the equalities leave.                           (17a)
double information_gain(const Eigen::MatrixXd& H, const Eigen::MatrixXd& P,
                        const Eigen::MatrixXd& equalities);

}  // namespace bayesid
