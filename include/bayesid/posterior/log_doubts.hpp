// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/problem/make_problem.hpp"

namespace bayesid {

/// Measured velocity beside the differences of the position: Δq ≈ slope · ∫v + constant.
struct VelocityCheck {
  double slope = 0, correlation = 0;
  double lag = 0;       // s, how late the velocity is where the two agree best …
  double lag_gain = 1;  // … and by what factor that lessens what is unexplained
};

/// Measured effort beside what the prior needs for the smoothed motion: τ ≈ slope · τ̂ + constant.
struct EffortCheck {
  double slope = 0, correlation = 0;
  double gravity = 1, rest = 1;  // τ ≈ gravity · ĝ(q) + rest · (τ̂ − ĝ(q)) + constant
  double gravity_share = 0;      // std of ĝ / std of τ̂
  bool lacks_gravity = false;    // τ − τ̂ is −ĝ(q)
};

/// What the channels of one joint say about each other.
struct JointCheck {
  std::string joint;
  std::optional<VelocityCheck> velocity;  // absent: nothing to compare
  std::optional<EffortCheck> effort;  // absent: not actuated, or the robot is held by constraints
  double at_limit = 0;                // share of samples with the effort at the URDF's limit
};

/// How late efforts are stamped, by all joints together.
struct EffortDelay {
  double delay = 0;  // s
  double gain = 1;   // by what factor it lessens what the prior does not explain
};

/// What one log makes doubtful.
struct LogDoubts {
  std::vector<JointCheck> joints;
  std::optional<EffortDelay> effort_delay;
  double at_rest = 0;  // s
  std::vector<std::string> doubts;
};

/// Compares the channels of every log with each other, with the configuration and with the prior;
/// the doubts are added to the warnings of the logs. Throws InputError for logs that cannot be
/// meant: efforts all zero, without gravity, robots that never move, quaternions in another order.
std::vector<LogDoubts> doubt_logs(const Config& config, LoadedProblem& loaded);

}  // namespace bayesid
