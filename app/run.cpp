// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>

#include "bayesid/baseline/baseline.hpp"
#include "bayesid/baseline/smoothed_start.hpp"
#include "bayesid/error.hpp"
#include "interrupt.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

constexpr double seen_threshold =
    0.1;  // share of the prior variance below which nothing was learnt
constexpr std::size_t most_rows = 60;
constexpr std::size_t most_unseen = 24;

/// A measured number that stands out, in units of what is usual in its channel.
struct Suspect {
  std::string words;
  double size = -1;
};

void look_at(const Recording& recording, const std::string& channel, const Eigen::MatrixXd& values,
             int joint, int sample, Suspect& worst) {
  const double value = values(joint, sample);
  if (std::isnan(value)) return;
  std::vector<double> sizes;
  for (Eigen::Index k = 0; k < values.cols(); ++k) {
    if (!std::isnan(values(joint, k))) sizes.push_back(std::abs(values(joint, k)));
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double size = std::abs(value) / (*middle + 1e-3);
  if (size <= worst.size) return;
  worst = {recording.file + ", time " + number(recording.time[sample]) + " s: " + channel + " is " +
               number(value) + ", usual there is " + number(*middle),
           size};
}

/// The measurement near stage k that is the least like the others of its channel.
Suspect suspect_near(const Robot& robot, const Recording& recording, int k) {
  Suspect worst;
  // The cost of a step looks at both its ends.
  for (int i = std::max(0, k - 1); i < std::min(recording.num_samples(), k + 2); ++i) {
    for (const Joint& joint : robot.joints) {
      const int j = joint.idx_v;
      const std::string& name = joint.name;
      look_at(recording, "q." + name, recording.position, j, i, worst);
      look_at(recording, "v." + name, recording.velocity, j, i, worst);
      look_at(recording, "tau." + name, recording.effort, j, i, worst);
    }
  }
  return worst;
}

/// Names log, time and joint.
[[noreturn]] void fail_not_finite(const RobotProblem& problem, const std::string& place) {
  std::string words = place;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Recording& recording = problem.recordings()[t];
    for (int k = 0; k < recording.num_samples(); ++k) {
      if (problem.trajectory(t).location(k) != place) continue;
      words = suspect_near(problem.dynamics().robot(), recording, k).words;
    }
  }
  throw InputError(words +
                   "; the misfit there is not a finite number: check the log and its units");
}

/// Iterations of both searches, one after the other.
void append(std::vector<Iteration>& first, const std::vector<Iteration>& second) {
  const int number = first.empty() ? 0 : first.back().number;
  const double seconds = first.empty() ? 0 : first.back().seconds;
  for (Iteration row : second) {
    row.number += number;
    row.seconds += seconds;
    first.push_back(row);
  }
}

}  // namespace

Solution solve_with_progress(const RobotProblem& problem, const SolverConfig& solver,
                             const Arguments& arguments, Console& console, const Point* start) {
  SolverOptions options{.max_iterations = solver.max_iterations,
                        .tolerance = solver.tolerance,
                        .num_threads = arguments.threads};
  options.on_iteration = [&](const Iteration& row) { console.progress(row); };
  options.stop = [] { return interrupt() != 0; };
  Solution out = solve(problem, options, start);
  console.end_progress();
  if (out.status == Status::not_finite) fail_not_finite(problem, out.message);
  return out;
}

Solution solve_from_both(const RobotProblem& problem, const SolverConfig& solver,
                         const Arguments& arguments, Console& console) {
  Solution out = solve_with_progress(problem, solver, arguments, console);
  // Who lowers the limit wants to see where the search is then.
  const bool is_long = solver.max_iterations >= SolverConfig{}.max_iterations;
  const bool is_lost =
      out.status == Status::stalled || (out.status == Status::iteration_limit && is_long);
  if (!is_lost || problem.dynamics().robot().floating) return out;
  console.print("not converged: once more from the decoupled estimate\n");
  Point start;
  try {
    const BaselineResult decoupled =
        run_baseline(problem, Baseline::decoupled, {.num_threads = arguments.threads});
    start = smoothed_start(problem, decoupled.theta);
  } catch (const InputError&) {
    return out;  // the sensors are too few for it
  }
  Solution again = solve_with_progress(problem, solver, arguments, console, &start);
  if (again.cost < out.cost) {
    append(out.history, again.history);
    again.timing.total += out.timing.total;
    again.history = std::move(out.history);
    return again;
  }
  if (again.status == Status::interrupted) out.status = again.status;
  return out;
}

Result make_run_result(const LoadedProblem& loaded, const Solution& solution,
                       const Arguments& arguments) {
  Result out = make_result(*loaded.problem, solution, loaded.logs);
  out.num_threads = arguments.threads;
  out.seed = arguments.seed;
  out.warnings = loaded.all_warnings();
  out.details = std::make_shared<const ResultDetails>(
      make_details(*loaded.problem, solution, out.posterior, out.predictions, arguments.threads));
  out.verdict = make_verdict(out);
  return out;
}

void write_result(const LoadedProblem& loaded, const Solution& solution, const Result& result,
                  const std::string& document, OutputFolder& folder) {
  const Dynamics& dynamics = loaded.problem->dynamics();
  folder.write("result.json", document);
  folder.write("identified.urdf",
               rewrite_urdf(dynamics.robot().urdf_file,
                            dynamics.parameters().link_inertias(solution.point.theta)));
  folder.write("actuation.yaml", actuation_yaml(result));
  folder.write("trajectory.csv", trajectory_csv(result.details->motion.tables));
  folder.write("series.bin", result.details->series.bytes);
}

std::string stamped_config(const Config& config, const std::string& folder, unsigned seed) {
  return "# bayesid " BAYESID_VERSION ", seed " + std::to_string(seed) +
         "; every setting that was in force\n" + config_yaml(config, folder);
}

std::vector<std::string> unseen_names(const std::vector<Estimate>& estimates) {
  std::vector<std::string> out;
  for (const Estimate& one : estimates) {
    if (one.prior_std > 0 && one.seen < seen_threshold) out.push_back(one.name);
  }
  return out;
}

std::string parameter_summary(const Robot& robot, const Posterior& posterior) {
  std::vector<Row> rows;
  std::size_t num_seen = 0;
  for (const Estimate& one : posterior.physical) {
    if (one.prior_std <= 0 || one.seen < seen_threshold) continue;
    if (++num_seen > most_rows) continue;
    rows.push_back({one.name, number(one.prior), with_std(one.value, one.std),
                    unit_of(robot, one.name), percent(one.seen)});
  }
  std::string out = table_text({"parameter", "prior", "estimate", "unit", "seen"}, rows);
  if (num_seen > most_rows) {
    out += "  … and " + std::to_string(num_seen - most_rows) + " more in result.json\n";
  }
  std::vector<std::string> unseen = unseen_names(posterior.physical);
  if (unseen.empty()) return out;
  out += "\n" + std::to_string(unseen.size()) +
         " values the data do not see (less than 10 % of the prior variance removed):\n";
  if (unseen.size() > most_unseen) {
    const std::size_t more = unseen.size() - most_unseen;
    unseen.resize(most_unseen);
    unseen.push_back("… and " + std::to_string(more) + " more in result.json");
  }
  return out + wrapped(unseen);
}

std::string status_line(const Result& result) {
  std::string name = to_string(result.status);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + " after " + std::to_string(result.history.size()) + " iterations, " +
         number(result.timing.total) + " s, " + std::to_string(result.num_stages) + " stages, " +
         std::to_string(result.posterior.rank) + " combinations of " +
         std::to_string(result.posterior.names.size()) + " parameters determined\n";
}

int exit_code(Status status) {
  constexpr int signal_base = 128;
  if (status == Status::converged) return exit_done;
  if (status == Status::interrupted && interrupt() != 0) return signal_base + interrupt();
  return exit_not_converged;
}

void check_conflicts(const Config& config, const RobotProblem& problem) {
  const std::vector<std::string> names = conflicting_constraints(problem);
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + '"';
  throw InputError(place_of(config, "constraints") + ": " + list +
                   (names.size() == 1 ? " cannot hold" : " cannot hold together"));
}

std::vector<std::string> input_files(const Config& config) {
  std::vector<std::string> out{config.file, config.model.urdf};
  for (const LogConfig& log : config.logs) {
    out.push_back(log.file);
    if (!log.model.empty()) out.push_back(log.model);
  }
  if (!config.simulation.trajectory.empty()) out.push_back(config.simulation.trajectory);
  if (!config.parameters.prior_from.empty()) out.push_back(config.parameters.prior_from);
  return out;
}

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace bayesid::app
