// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/result.hpp"

namespace bayesid {

/// Every standard deviation of the measurements beside what its residuals say: for those that were
/// stated, what would make them as large as expected.
std::vector<NoiseReport> make_noise_report(const RobotProblem& problem,
                                           const std::vector<ResidualCheck>& residuals);

}  // namespace bayesid
