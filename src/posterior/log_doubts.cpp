// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior/log_doubts.hpp"

#include <algorithm>

#include "bayesid/error.hpp"
#include "posterior/channel_doubts.hpp"

namespace bayesid {

namespace {

/// A driver without effort sensors fills the field with zeros.
void check_some_effort(const RobotProblem& problem) {
  const Dynamics& dynamics = problem.dynamics();
  const Eigen::VectorXd gain = dynamics.parameters().physical(dynamics.parameters().prior()).gain;
  if ((gain.array() == 0).all()) return;
  for (const Recording& recording : problem.recordings()) {
    if (!recording.effort.isZero(0)) return;
  }
  throw InputError(problem.recordings()[0].file +
                   ": every effort (tau.*) is zero in every sample: the driver does not measure "
                   "it; a robot that swings freely has model.actuation.joints: []");
}

void check_some_motion(const LoadedProblem& loaded, bool all_at_rest) {
  if (!all_at_rest) return;
  throw InputError(loaded.logs[0].file +
                   ": the robot stands still in every sample, which shows weights at one posture "
                   "only: were brakes on? Record a motion");
}

}  // namespace

std::vector<LogDoubts> doubt_logs(const Config& config, LoadedProblem& loaded) {
  const RobotProblem& problem = *loaded.problem;
  check_some_effort(problem);
  std::vector<LogDoubts> out;
  int first = 0;
  bool all_at_rest = true;
  for (const LogUse& log : loaded.logs) {
    const LogPieces pieces{.log = log,
                           .recordings = std::span(problem.recordings()).subspan(first, log.pieces),
                           .first = first};
    LogDoubts one;
    for (const Joint& joint : problem.dynamics().robot().joints)
      one.joints.push_back({.joint = joint.name, .velocity = {}, .effort = {}});
    doubt_channels(problem, pieces, one);
    doubt_velocities(config, problem, pieces, one);
    doubt_frames(problem, pieces, one);
    all_at_rest = doubt_rest(problem, pieces, one) && all_at_rest;
    doubt_efforts(config, problem, pieces, one);
    out.push_back(std::move(one));
    first += log.pieces;
  }
  check_some_motion(loaded, all_at_rest);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::vector<std::string>& warnings = loaded.logs[i].warnings;
    warnings.insert(warnings.end(), out[i].doubts.begin(), out[i].doubts.end());
  }
  return out;
}

}  // namespace bayesid
