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

/// Of each number, in their order.
std::vector<VarianceComponent> variance_components(const RobotProblem& problem,
                                                   const std::vector<NoiseNumber>& numbers,
                                                   const std::vector<PathStatistics>& statistics);

/// What is known of a standard deviation before the search, as if so many samples had shown it: an
/// inverse gamma distribution of its square.
struct StdPrior {
  double std = 1, samples = 1;
};

/// A standard deviation by its component, which was counted in units of `before`, and its prior.
/// docs/math/noise.md (1)
double updated_std(double before, const VarianceComponent& component, const StdPrior& prior);

}  // namespace bayesid
