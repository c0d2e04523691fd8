// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/problem/channel_facts.hpp"
#include "bayesid/problem/robot_problem.hpp"

namespace bayesid {

/// What was read of one log.
struct LogUse {
  std::string file;
  std::string model;  // SHA-256 of the description it was recorded with, as far as is known
  int samples = 0, dropped = 0, pieces = 0;
  std::vector<std::string> warnings;
  LogFacts facts;  // as recorded
};

/// A problem, and what was said and left out while it was read.
struct LoadedProblem {
  std::shared_ptr<const RobotProblem> problem;
  std::vector<LogUse> logs;
  std::vector<std::string> warnings;  // of robot and parameters; each log has its own

  /// All of them, in the order of reading.
  std::vector<std::string> all_warnings() const;
  int num_samples() const;
};

/// Reads the robot and the logs of a configuration. Throws InputError.
LoadedProblem make_problem(const Config& config);

/// Throws InputError when there are fewer samples than unknown parameters.
void check_enough_samples(const LoadedProblem& loaded, const Config& config);

}  // namespace bayesid
