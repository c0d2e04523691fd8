// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/problem.hpp"

namespace bayesid::pipeline {

/// Throws InputError for a misfit that is no finite number at a place of the problem: names log,
/// time and the measurement near it that is the least like the others of its channel.
[[noreturn]] void fail_not_finite(const RobotProblem& problem, const std::string& place);

}  // namespace bayesid::pipeline
