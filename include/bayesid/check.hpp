// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// Measured velocity beside the differences of the position: Δq ≈ slope · ∫v + constant.
struct VelocityCheck {
  double slope = 0, correlation = 0;
  double lag = 0;       // s, time delay of the velocity at the best fit …
  double lag_gain = 1;  // … and the factor by which it reduces the misfit
};

/// Measured effort beside the prior model's prediction along the smoothed motion: τ ≈ slope · τ̂ +
/// constant.
struct EffortCheck {
  double slope = 0, correlation = 0;
  double gravity = 1, rest = 1;  // τ ≈ gravity · ĝ(q) + rest · (τ̂ − ĝ(q)) + constant
  double gravity_share = 0;      // std of ĝ / std of τ̂
  bool lacks_gravity = false;    // τ − τ̂ is −ĝ(q)
};

/// Consistency checks of the channels of one joint.
struct JointCheck {
  std::string joint;
  std::optional<VelocityCheck> velocity;  // absent: nothing to compare
  std::optional<EffortCheck> effort;      // absent: not actuated, or the robot is constrained
  double at_limit = 0;                    // share of samples with the effort at the URDF's limit
};

/// Time delay of the efforts, estimated from all joints together.
struct EffortDelay {
  double delay = 0;  // s
  double gain = 1;   // factor by which it reduces the misfit of the prior model
};

/// Diagnostics of one log.
struct LogDiagnostics {
  std::vector<JointCheck> joints;
  std::optional<EffortDelay> effort_delay;
  double at_rest = 0;  // s
  std::vector<std::string> diagnostics;
};

/// Compares the channels of every log with each other, with the configuration and with the prior;
/// the diagnostics are added to the warnings of the logs. Throws InputError for logs that cannot be
/// used: efforts all zero, without gravity, robots that never move, quaternions in another order.
std::vector<LogDiagnostics> check_logs(const Config& config, LoadedProblem& loaded);

/// Excitation of one joint in all logs.
struct JointUse {
  std::string joint;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;  // position
  double fastest = 0;
  double effort_rms = 0;
  double samples = 0, positions = 0, velocities = 0;  // how many were measured

  double position_missing() const { return 1 - positions / samples; }
  double velocity_missing() const { return 1 - velocities / samples; }
};

/// Contents of one log, and the consistency checks of its channels.
struct LogCheck {
  LogUse use;
  LogDiagnostics diagnostics;
  double duration = 0, rate = 0;            // s, Hz
  std::map<std::string, double> noise_std;  // as configured; absent: not fitted, or exact
};

/// What is known before an identification.
struct Check {
  LoadedProblem loaded;
  std::vector<LogCheck> logs;
  std::vector<JointUse> joints;
  Posterior forecast;  // of the logs, linearised at the prior
  Identifiability identifiability;
  std::vector<std::string> problems;  // errors: why it would fail or determine nothing
};

/// Reads robot and logs as `identify` does, and linearises once at the prior. Throws InputError.
Check check(const Config& config, const RunOptions& options = {});

/// The same as one JSON document.
std::string document_of(const Check& check);

}  // namespace bayesid
