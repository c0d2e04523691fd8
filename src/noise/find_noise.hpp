// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

/// A problem whose automatic standard deviations come from its data, and a start near the answer.
struct TunedProblem {
  std::shared_ptr<const RobotProblem> problem;
  std::optional<Point> start;  // absent: its own
  std::vector<Iteration> history = {};
};

/// Smoothed motion and consistent regression first, which say what efforts leave unexplained; then
/// solutions and variance components in turn, until the standard deviations stay.
/// docs/math/noise.md
TunedProblem find_noise(std::shared_ptr<const RobotProblem> problem, const SolverConfig& solver,
                        const RunOptions& options);

}  // namespace bayesid
