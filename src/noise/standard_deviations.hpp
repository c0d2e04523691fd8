// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>

#include "bayesid/problem.hpp"

namespace bayesid {

/// All standard deviations of a problem that can be automatic, as one vector.
Eigen::VectorXd standard_deviations(const RobotProblem& problem);

/// The problem with others, in the same order.
std::shared_ptr<const RobotProblem> with_standard_deviations(const RobotProblem& problem,
                                                             const Eigen::VectorXd& std,
                                                             bool is_found);

}  // namespace bayesid
