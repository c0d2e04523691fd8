// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"
#include "bayesid/solve.hpp"

namespace bayesid::pipeline {

/// One search, from `start` when given. Numbers that fail at the start are an InputError that names
/// log, time and joint.
Solution search_once(const RobotProblem& problem, const SolverConfig& solver,
                     const RunOptions& options, const Point* start = nullptr);

/// From `first`, else from the measured states; a fixed base that does not converge is tried once
/// more from the decoupled estimate, and the better of both counts.
Solution search_twice(const RobotProblem& problem, const SolverConfig& solver,
                      const RunOptions& options, const Point* first = nullptr);

/// The same, after the automatic standard deviations of the problem, which is replaced, have been
/// found.
Solution search_tuned(LoadedProblem& loaded, const SolverConfig& solver, const RunOptions& options);

/// The same threads and the same interrupt, without a word.
RunOptions silent(const RunOptions& options);

}  // namespace bayesid::pipeline
