// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "bayesid/check.hpp"

namespace bayesid {

/// One log and the segments it was cut into.
struct LogSegments {
  const LogUse& log;
  std::span<const Recording> recordings;
  int first = 0;  // index of the first segment among all recordings
};

/// Neither loops nor contacts, whose forces a robot at rest tells.
inline bool is_free(const RobotProblem& problem) {
  const MotionConstraints& constraints = problem.options().constraints;
  return constraints.loops.empty() && constraints.contacts.empty();
}

/// Steps, repeated values, noise, low rates, clipping: what a channel shows by itself.
void diagnose_channels(const RobotProblem& problem, const LogSegments& segments,
                       LogDiagnostics& out);

/// Velocities against positions.
void diagnose_velocities(const Config& config, const RobotProblem& problem,
                         const LogSegments& segments, LogDiagnostics& out);

/// The opposite of the model's prediction.
bool has_other_sign(const EffortCheck& check);
/// Like the model's prediction, in another unit: priors that are wrong by a factor of 5 in the
/// weight they carry are rare; gear ratios, motor constants and raw counts are off by more.
bool has_other_unit(const EffortCheck& check);

/// Efforts against the prior along the smoothed motion.
void diagnose_efforts(const Config& config, const RobotProblem& problem,
                      const LogSegments& segments, LogDiagnostics& out);

/// Poses and inertial sensors against kinematics and gravity.
void diagnose_frames(const RobotProblem& problem, const LogSegments& segments, LogDiagnostics& out);

/// Stretches in which nothing moves; gives whether that is all of the log.
bool diagnose_rest(const RobotProblem& problem, const LogSegments& segments, LogDiagnostics& out);

}  // namespace bayesid
