// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "bayesid/log.hpp"
#include "bayesid/problem.hpp"

namespace bayesid::pipeline {

/// Configured standard deviation of the channels of a log; those that are not fitted, or exact, are
/// absent.
std::map<std::string, double> noise_by_channel(const RobotProblem& problem, const LogFacts& facts);

}  // namespace bayesid::pipeline
