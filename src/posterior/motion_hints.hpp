// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"

namespace bayesid {

/// What to do differently from the log, in words, so that each change of ζ (a column, of one
/// posterior standard deviation) shows in the forces: one joint elsewhere, slower, faster, or
/// accelerated, else two at once. "" where none of that helps.  docs/math/identifiability.md (10)
std::vector<std::string> motion_hints(const RobotProblem& problem, const Point& point,
                                      const Eigen::MatrixXd& dzeta);

}  // namespace bayesid
