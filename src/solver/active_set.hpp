// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Nearest point to `target` with E y + e = 0 and G y + g ≥ 0: the arrival problem in whitened
/// coordinates.
struct Projection {
  bool solved = false;  // finite, feasible and with multipliers of the right sign
  Eigen::VectorXd y;
  Eigen::VectorXd equality_force, force;  // multipliers of E and of G
  std::vector<int> active;
};

/// Active rows by ProxQP, guarded: data checked, iterations capped. Its answer is a guess to be
/// polished and checked.
std::vector<int> guess_active_rows(const Eigen::VectorXd& target, const Eigen::MatrixXd& E,
                                   const Eigen::VectorXd& e, const Eigen::MatrixXd& G,
                                   const Eigen::VectorXd& g);

}  // namespace bayesid
