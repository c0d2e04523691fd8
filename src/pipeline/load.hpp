// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/check.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"

namespace bayesid::pipeline {

/// Robot and logs of a configuration, with the diagnostics of the logs among their warnings.
struct CheckedProblem {
  LoadedProblem loaded;
  std::vector<LogDiagnostics> diagnostics;  // of each log
};

/// Throws InputError for what cannot be estimated: constraints that cannot hold together, fewer
/// samples than parameters, logs that cannot be meant.
CheckedProblem load(const Config& config);

/// Throws InputError naming the constraints of parameters that cannot hold together.
void check_conflicts(const Config& config, const RobotProblem& problem);

/// Warnings of the robot and of the priors.
std::vector<std::string> model_warnings(const Dynamics& dynamics);

void warn(const RunOptions& options, const std::vector<std::string>& warnings);

/// The whole file. Throws InputError.
std::string read_text(const std::string& file);

}  // namespace bayesid::pipeline
