// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Contacts and loops against the logs: gains that no time step keeps stable, rows that depend on
/// each other, loops that are open at the first sample. Throws InputError; what is only suspicious
/// is added to `warnings`.
void check_constraints(const Config& config, const RobotProblem& problem,
                       std::vector<std::string>& warnings);

}  // namespace bayesid
