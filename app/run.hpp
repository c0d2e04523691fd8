// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "arguments.hpp"
#include "bayesid/problem/make_problem.hpp"
#include "bayesid/report/result.hpp"
#include "bayesid/solver/solve.hpp"
#include "console.hpp"

namespace bayesid::app {

/// Solves with a line for each iteration; stops between iterations at an interrupt. Numbers that
/// fail at the start are an InputError that names log, time and joint.
Solution solve_with_progress(const RobotProblem& problem, const SolverConfig& solver,
                             const Arguments& arguments, Console& console,
                             const Point* start = nullptr);

/// From the measured states; a fixed base that does not converge is tried once more from the
/// decoupled estimate, and the better of both counts.
Solution solve_from_both(const RobotProblem& problem, const SolverConfig& solver,
                         const Arguments& arguments, Console& console);

/// The result with the warnings and settings of this run.
Result make_run_result(const LoadedProblem& loaded, const Solution& solution,
                       const Arguments& arguments);

/// result.json (the document), identified.urdf, actuation.yaml, trajectory.csv, series.bin.
void write_result(const LoadedProblem& loaded, const Solution& solution, const Result& result,
                  const std::string& document, OutputFolder& folder);

/// A configuration with program, version and seed at its head.
std::string stamped_config(const Config& config, const std::string& folder, unsigned seed);

/// Parameters with error bars that the data see, and the names of those they do not.
std::string parameter_summary(const Robot& robot, const Posterior& posterior);

/// Names of the free values that the data tell less than 10 % about.
std::vector<std::string> unseen_names(const std::vector<Estimate>& estimates);

/// What the robot can show, what the log shows, and what would show the rest; a few lines of each.
std::string identifiability_summary(const Identifiability& identifiability,
                                    const std::string& rest_in);

/// "converged after 12 iterations, 3.4 s, 5000 stages, 2 threads"
std::string status_line(const Result& result);

/// Exit code of a status; an interrupt gives 128 + its signal.
int exit_code(Status status);

/// Throws InputError naming the constraints of parameters that cannot hold together.
void check_conflicts(const Config& config, const RobotProblem& problem);

/// Files that a configuration names, and itself: an output folder must not replace them.
std::vector<std::string> input_files(const Config& config);

/// The whole file. Throws InputError.
std::string read_text(const std::string& file);

}  // namespace bayesid::app
