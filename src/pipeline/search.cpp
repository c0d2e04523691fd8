// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/search.hpp"

#include <optional>
#include <utility>

#include "baseline/smoothed_start.hpp"
#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "noise/find_noise.hpp"
#include "pipeline/suspect.hpp"

namespace bayesid::pipeline {
Solution search_once(const RobotProblem& problem, const SolverConfig& solver,
                     const RunOptions& options, const Point* start) {
  const SolverOptions search{.max_iterations = solver.max_iterations,
                             .tolerance = solver.tolerance,
                             .num_threads = options.num_threads,
                             .on_iteration = options.on_iteration,
                             .stop = options.stop,
                             .on_accepted = {},
                             .keep_sweeps = true};
  Solution out = solve(problem, search, start);
  if (out.status == Status::not_finite) fail_not_finite(problem, out.message);
  return out;
}

namespace {

/// Where a second search begins: the last iterate, as a new search scales it anew; where the first
/// one began at the problem's own start, the decoupled estimate. None: the sensors are too few.
std::optional<Point> second_start(const RobotProblem& problem, const RunOptions& options,
                                  const Point* first, const Solution& last) {
  if (first) return last.point;
  try {
    const BaselineResult decoupled =
        run_baseline(problem, Baseline::decoupled, {.num_threads = options.num_threads});
    return smoothed_start(problem, decoupled.theta);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

Solution search_twice(const RobotProblem& problem, const SolverConfig& solver,
                      const RunOptions& options, const Point* first) {
  Solution out = search_once(problem, solver, options, first);
  // A limit below the default is deliberate: no second search.
  const bool is_long = solver.max_iterations >= SolverConfig{}.max_iterations;
  const bool is_lost =
      out.status == Status::stalled || (out.status == Status::iteration_limit && is_long);
  if (!options.retry || !is_lost || problem.dynamics().robot().floating) return out;
  if (options.on_message) {
    options.on_message(first ? "Not converged. Retrying from the last iterate."
                             : "Not converged. Retrying from a simpler initial guess.");
  }
  const std::optional<Point> start = second_start(problem, options, first, out);
  if (!start) return out;
  RunOptions second = options;
  second.on_iteration = continued(options.on_iteration, out.history);
  Solution again = search_once(problem, solver, second, &*start);
  if (again.cost < out.cost || again.converged()) {
    append_history(again.history, out.history);
    again.timing.total += out.timing.total;
    again.history = std::move(out.history);
    return again;
  }
  if (again.status == Status::interrupted) out.status = again.status;
  return out;
}

Solution search_tuned(LoadedProblem& loaded, const SolverConfig& solver,
                      const RunOptions& options) {
  TunedProblem tuned = find_noise(loaded.problem, solver, options);
  loaded.problem = tuned.problem;
  RunOptions rest = options;
  rest.on_iteration = continued(options.on_iteration, tuned.history);
  Solution out = search_twice(*loaded.problem, solver, rest, tuned.start ? &*tuned.start : nullptr);
  append_history(out.history, tuned.history);
  out.history = std::move(tuned.history);
  return out;
}

RunOptions silent(const RunOptions& options) {
  return {.num_threads = options.num_threads,
          .seed = options.seed,
          .stop = options.stop,
          .retry = options.retry};
}

}  // namespace bayesid::pipeline
