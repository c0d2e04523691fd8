// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "baseline/regression_rows.hpp"

namespace bayesid {

/// One candidate of the cross-validation.
struct WindowScore {
  SmoothingWindow window;
  double error = 0;  // of what was held out, relative to what is measured there
};

enum class RowKind { effort, energy };

/// Errors of held-out parts (five contiguous ones) by linear least squares on the others, for
/// orders and a ladder of windows.                                  docs/math/baselines.md (13)
std::vector<WindowScore> cross_validate(const RobotProblem& problem, RowKind kind, int num_threads);

/// The candidate with the least error.
SmoothingWindow best_window(const std::vector<WindowScore>& scores);

/// Samples between the two ends of a balance of energy.
int energy_interval(const RobotProblem& problem, SmoothingWindow window);

}  // namespace bayesid
