// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem.hpp"

#include <algorithm>

#include "bayesid/error.hpp"
#include "problem/check_constraints.hpp"
#include "problem/contact_schedule.hpp"
#include "problem/filtered_samples.hpp"
#include "problem/held_samples.hpp"
#include "problem/make_noise.hpp"
#include "problem/model_digest.hpp"
#include "problem/repair_log.hpp"

namespace bayesid {

namespace {

/// Logs of different robots, or of different versions of one, are warned about.
void compare_models(const Robot& robot, const Config& config, std::size_t index, LogUse& out) {
  const std::string& recorded_with = config.logs[index].model;
  if (recorded_with.empty()) return;
  const std::string used = out.model;
  out.model = file_digest(recorded_with);
  if (out.model.empty()) {
    throw InputError(location_of(config, "logs[" + std::to_string(index) + "].model") +
                     ": cannot read " + recorded_with);
  }
  if (out.model == used) return;
  out.warnings.push_back(out.file + ": recorded with " + recorded_with + " (" +
                         out.model.substr(0, 8) + "), which is not the model " + robot.urdf_file +
                         " (" + used.substr(0, 8) +
                         "): one set of parameters is fitted to different robots");
}

/// Reads one log, adds its segments to `recordings` and reports what was used.
LogUse add_log(const Robot& robot, const Config& config, std::size_t index,
               std::vector<Recording>& recordings) {
  const LogConfig& given = config.logs[index];
  Log log = read_log(given);
  LogUse out{.file = log.file, .model = file_digest(robot.urdf_file), .dropped = log.dropped};
  drop_held_samples(log);
  out.facts = describe_log(log);
  repair_log(robot, log);
  thin_filtered_samples(config.measurements, log);
  out.warnings = log.warnings;
  compare_models(robot, config, index, out);
  const GriddedLog gridded = place_on_grid(robot, log, config, given.rate, out.warnings);
  std::vector<Recording> segments = make_recordings(robot, gridded, config, out.warnings);
  add_contact_schedule(config, index, log, segments, out.warnings);
  for (Recording& segment : segments) {
    out.samples += segment.num_samples();
    ++out.segments;
    recordings.push_back(std::move(segment));
  }
  out.dropped += static_cast<int>(gridded.log.time.size()) - out.samples;
  return out;
}

/// At least one window has to fit into a log.
void check_energy_window(const Config& config, const RobotProblem& problem) {
  if (!problem.noise().energy) return;
  int longest = 0;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    if (problem.num_energy_rows(t) > 0) return;
    int open = 0;
    for (const StagePlan& stage : problem.timeline(t).stages) {
      open = stage.impact ? 0 : open + 1;
      longest = std::max(longest, open);
    }
  }
  throw InputError(location_of(config, "measurements.energy.window") + ": no log has " +
                   std::to_string(problem.noise().energy_window) +
                   " stages without a gap or an impact, the longest segment has " +
                   std::to_string(longest));
}

}  // namespace

std::vector<std::string> LoadedProblem::all_warnings() const {
  std::vector<std::string> out = warnings;
  for (const LogUse& log : logs) out.insert(out.end(), log.warnings.begin(), log.warnings.end());
  return out;
}

int LoadedProblem::num_samples() const {
  int out = 0;
  for (const LogUse& log : logs) out += log.samples;
  return out;
}

LoadedProblem make_problem(const Config& config) {
  if (config.logs.empty()) {
    throw InputError(location_of(config, "logs") + " is missing: add `logs: [{file: run1.csv}]`");
  }
  Robot robot = read_robot(config.model);
  ParameterSet parameters(robot, config);
  LoadedProblem out;
  out.warnings = robot.warnings;
  out.warnings.insert(out.warnings.end(), parameters.warnings().begin(),
                      parameters.warnings().end());
  std::vector<Recording> recordings;
  for (std::size_t i = 0; i < config.logs.size(); ++i) {
    out.logs.push_back(add_log(robot, config, i, recordings));
  }
  const Noise noise = make_noise(robot, config, recordings, out.warnings);
  const ProblemOptions options{.constraints = make_constraints(robot, config),
                               .projection = config.disturbance.projection,
                               .formulation = config.solver.dynamics,
                               .on_constraints = config.initial_state.on_constraints,
                               .initial_mean = config.initial_state.mean,
                               .limits = make_stage_limits(robot, config, noise)};
  auto dynamics = std::make_shared<const Dynamics>(std::move(robot), std::move(parameters));
  out.problem = std::make_shared<const RobotProblem>(std::move(dynamics), std::move(recordings),
                                                     noise, config.solver.integrator, options);
  check_constraints(config, *out.problem, out.warnings);
  check_energy_window(config, *out.problem);
  return out;
}

void check_enough_samples(const LoadedProblem& loaded, const Config& config) {
  const int samples = loaded.num_samples();
  const int unknowns = loaded.problem->dynamics().parameters().ntheta();
  if (samples >= unknowns) return;
  std::string files;
  for (const LogUse& log : loaded.logs) files += (files.empty() ? "" : ", ") + log.file;
  throw InputError(location_of(config, "logs") + ": " + files + " have " + std::to_string(samples) +
                   " samples, fewer than the " + std::to_string(unknowns) +
                   " unknown parameters: record longer, or estimate fewer with `parameters`");
}

}  // namespace bayesid
