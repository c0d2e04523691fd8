// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pipeline/load.hpp"
#include "pipeline/noise_by_channel.hpp"
#include "pipeline/search.hpp"

namespace bayesid {
namespace {

constexpr double least_motion = 1e-3;  // rad or m: a joint that moves less stands still

JointUse use_of(const RobotProblem& problem, const Joint& joint) {
  JointUse out{.joint = joint.name};
  const int j = joint.idx_v;
  for (const Recording& recording : problem.recordings()) {
    const MotionGuess guess = guess_motion(problem.dynamics().robot(), recording);
    out.lowest = std::min(out.lowest, guess.position.row(j).minCoeff());
    out.highest = std::max(out.highest, guess.position.row(j).maxCoeff());
    out.fastest = std::max(out.fastest, guess.velocity.row(j).cwiseAbs().maxCoeff());
    out.effort_rms += recording.effort.row(j).squaredNorm();
    out.samples += recording.num_samples();
    out.positions += static_cast<double>((recording.position.row(j).array().isFinite()).count());
    out.velocities += static_cast<double>((recording.velocity.row(j).array().isFinite()).count());
  }
  out.effort_rms = std::sqrt(out.effort_rms / out.samples);
  return out;
}

/// Conditions under which the identification fails or determines nothing.
std::vector<std::string> find_problems(const RobotProblem& problem,
                                       const std::vector<JointUse>& joints,
                                       const Posterior& forecast) {
  std::vector<std::string> out;
  const ParameterSet& parameters = problem.dynamics().parameters();
  const Eigen::VectorXd gain = parameters.physical(problem.space().prior_mean())
                                   .gain.tail(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointUse& use = joints[j];
    if (use.highest - use.lowest < least_motion)
      out.push_back("joint " + use.joint + " does not move");
    if (gain[static_cast<Eigen::Index>(j)] != 0 && use.effort_rms == 0)
      out.push_back("tau." + use.joint + " is zero in every sample");
  }
  for (int r = 0; r < problem.dynamics().num_rotors(); ++r) {
    const bool rests = std::ranges::all_of(
        problem.recordings(), [&](const Recording& log) { return log.thrust.row(r).isZero(0); });
    if (rests) out.push_back("thrust." + parameters.rotors()[r].name + " is zero in every sample");
  }
  if (forecast.rank == 0) out.emplace_back("the data determine no parameter");
  return out;
}

std::vector<LogCheck> check_logs(const pipeline::CheckedProblem& given) {
  const RobotProblem& problem = *given.loaded.problem;
  std::vector<LogCheck> out;
  std::size_t segment = 0;
  for (const LogUse& use : given.loaded.logs) {
    LogCheck log{.use = use,
                 .diagnostics = given.diagnostics[out.size()],
                 .noise_std = pipeline::noise_by_channel(problem, use.facts)};
    int steps = 0;
    for (int i = 0; i < use.segments; ++i, ++segment) {
      const Recording& recording = problem.recordings()[segment];
      log.duration += recording.time[recording.num_samples() - 1] - recording.time[0];
      steps += recording.num_samples() - 1;
    }
    log.rate = steps / log.duration;
    out.push_back(std::move(log));
  }
  return out;
}

}  // namespace

Check check(const Config& config, const RunOptions& options) {
  pipeline::CheckedProblem given = pipeline::load(config);
  const RobotProblem& problem = *given.loaded.problem;
  pipeline::warn(options, given.loaded.all_warnings());
  SolverConfig once = config.solver;
  once.max_iterations = 0;  // only the information at the start
  const Solution solution = pipeline::search_once(problem, once, options);
  Check out{.loaded = given.loaded,
            .logs = check_logs(given),
            .joints = {},
            .forecast = make_posterior(problem.dynamics().parameters(), solution),
            .identifiability = make_identifiability(problem, solution),
            .problems = {}};
  for (const Joint& joint : problem.dynamics().robot().joints)
    out.joints.push_back(use_of(problem, joint));
  out.problems = find_problems(problem, out.joints, out.forecast);
  return out;
}

}  // namespace bayesid
