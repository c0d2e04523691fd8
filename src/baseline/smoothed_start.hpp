// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"

namespace bayesid {

/// Where the maximum a posteriori may begin when sensors are noisy: smoothed states instead of
/// measured ones, and these parameters. States of robots in constraints stay as problem.start()
/// has them.                                                        docs/math/baselines.md
Point smoothed_start(const RobotProblem& problem, const Eigen::VectorXd& theta);

}  // namespace bayesid
