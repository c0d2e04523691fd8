// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "bayesid/posterior/log_doubts.hpp"

namespace bayesid {

/// One log and the pieces it was cut into.
struct LogPieces {
  const LogUse& log;
  std::span<const Recording> recordings;
  int first = 0;  // index of the first piece among all recordings
};

/// Steps, held values, noise, low rates, clipping: what a channel shows by itself.
void doubt_channels(const RobotProblem& problem, const LogPieces& pieces, LogDoubts& out);

/// Velocities against positions.
void doubt_velocities(const Config& config, const RobotProblem& problem, const LogPieces& pieces,
                      LogDoubts& out);

/// Efforts against the prior along the smoothed motion.
void doubt_efforts(const Config& config, const RobotProblem& problem, const LogPieces& pieces,
                   LogDoubts& out);

/// Poses and inertial sensors against kinematics and gravity.
void doubt_frames(const RobotProblem& problem, const LogPieces& pieces, LogDoubts& out);

/// Stretches in which nothing moves; gives whether that is all of the log.
bool doubt_rest(const RobotProblem& problem, const LogPieces& pieces, LogDoubts& out);

}  // namespace bayesid
