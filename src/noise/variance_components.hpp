// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/problem.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

/// What the samples of one standard deviation say at a solution, in units of it: the sum of the
/// squares of their residuals, and what the model expects of that sum.
struct VarianceComponent {
  double squares = 0, expected = 0;
};

/// Of each number, in their order.                                 docs/math/noise.md (1)
std::vector<VarianceComponent> variance_components(const RobotProblem& problem,
                                                   const std::vector<NoiseNumber>& numbers,
                                                   const std::vector<PathStatistics>& statistics);

/// What is known of a standard deviation before the search: normal in its logarithm.
struct LogPrior {
  double mean = 0, std = 1;
};

/// The logarithm of a standard deviation that is now exp(log_std) by its component and its prior.
/// docs/math/noise.md (2)
double update_log_std(double log_std, const VarianceComponent& component, const LogPrior& prior);

}  // namespace bayesid
