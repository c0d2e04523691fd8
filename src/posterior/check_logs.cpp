// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/check.hpp"

#include <algorithm>
#include <optional>

#include "bayesid/error.hpp"
#include "math/text.hpp"
#include "posterior/channel_checks.hpp"

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
                   "it; log the efforts, or set model.actuation.joints: [] for a passive robot");
}

/// A driver that does not measure efforts may repeat any number: nothing tells their noise. Zero is
/// known to be none.
void check_changing_effort(const RobotProblem& problem) {
  const bool is_sought =
      std::ranges::any_of(problem.noise().automatic,
                          [](const std::string& name) { return name.starts_with("effort"); });
  if (!is_sought || !is_free(problem)) return;
  std::optional<Eigen::VectorXd> first;
  for (const Recording& recording : problem.recordings()) {
    if (!first) first = recording.effort.col(0);
    if (!(recording.effort.colwise() - *first).isZero(0)) return;
  }
  if (!first || first->isZero(0)) return;
  const Robot& robot = problem.dynamics().robot();
  const auto joint = std::ranges::find_if(
      robot.joints, [&](const Joint& one) { return (*first)[one.idx_v] != 0; });
  throw InputError(problem.recordings()[0].file +
                   ": every effort is constant in every sample (tau." + joint->name + " is " +
                   rounded((*first)[joint->idx_v], 4) +
                   "): the driver does not measure it; log the measured efforts, not a command");
}

void check_some_motion(const LoadedProblem& loaded, bool all_at_rest) {
  if (!all_at_rest) return;
  throw InputError(loaded.logs[0].file +
                   ": the robot stands still in every sample, which determines gravity torques at "
                   "one posture only: release the brakes and record a motion");
}

}  // namespace

std::vector<LogDiagnostics> check_logs(const Config& config, LoadedProblem& loaded) {
  const RobotProblem& problem = *loaded.problem;
  check_some_effort(problem);
  std::vector<LogDiagnostics> out;
  int first = 0;
  std::vector<bool> rests;  // of each log: nothing moves
  for (const LogUse& log : loaded.logs) {
    const LogSegments segments{
        .log = log,
        .recordings = std::span(problem.recordings()).subspan(first, log.segments),
        .first = first};
    LogDiagnostics one;
    for (const Joint& joint : problem.dynamics().robot().joints)
      one.joints.push_back({.joint = joint.name, .velocity = {}, .effort = {}});
    diagnose_channels(problem, segments, one);
    diagnose_velocities(config, problem, segments, one);
    diagnose_frames(problem, segments, one);
    rests.push_back(diagnose_rest(problem, segments, one));
    diagnose_efforts(config, problem, segments, one);
    out.push_back(std::move(one));
    first += log.segments;
  }
  check_some_motion(loaded, std::ranges::find(rests, false) == rests.end());
  check_changing_effort(problem);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!rests[i]) continue;
    out[i].diagnostics.push_back(loaded.logs[i].file +
                                 ": the robot stands still in every sample, which determines "
                                 "gravity torques at one posture only: leave this log out");
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::vector<std::string>& warnings = loaded.logs[i].warnings;
    warnings.insert(warnings.end(), out[i].diagnostics.begin(), out[i].diagnostics.end());
  }
  return out;
}

}  // namespace bayesid
