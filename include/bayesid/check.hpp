// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "bayesid/posterior/identifiability.hpp"
#include "bayesid/posterior/log_doubts.hpp"
#include "bayesid/posterior/posterior.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// How much one joint was moved and pushed in all logs.
struct JointUse {
  std::string joint;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;  // position
  double fastest = 0;
  double effort_rms = 0;
  double samples = 0, positions = 0, velocities = 0;  // how many were measured

  double position_missing() const { return 1 - positions / samples; }
  double velocity_missing() const { return 1 - velocities / samples; }
};

/// What one log holds, and what its channels say about each other.
struct LogCheck {
  LogUse use;
  LogDoubts doubts;
  double duration = 0, rate = 0;            // s, Hz
  std::map<std::string, double> noise_std;  // as configured; absent: not fitted, or exact
};

/// What can be said before an identification.
struct Check {
  LoadedProblem loaded;
  std::vector<LogCheck> logs;
  std::vector<JointUse> joints;
  Posterior forecast;  // of the logs, linearised at the prior
  Identifiability identifiability;
  std::vector<std::string> problems;  // why it would fail or say nothing
};

/// Reads robot and logs as `identify` does, and linearises once at the prior. Throws InputError.
Check check(const Config& config, const RunOptions& options = {});

/// The same as one JSON document.
std::string document_of(const Check& check);

}  // namespace bayesid
