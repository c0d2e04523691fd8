// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Active rows by ProxQP, guarded: data checked, iterations capped. Its answer is a guess to be
/// polished and checked.
std::vector<int> guess_active_rows(const Eigen::VectorXd& target, const Eigen::MatrixXd& E,
                                   const Eigen::VectorXd& e, const Eigen::MatrixXd& G,
                                   const Eigen::VectorXd& g);

}  // namespace bayesid
