// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/result.hpp"

namespace bayesid {

/// Residuals and innovations of all channels beside the noise that was stated. An estimate follows
/// its data, so that residuals are smaller than the noise, by the share of a sample's variance that
/// the estimate has itself; innovations are not.                          docs/guide/results.md
std::vector<ResidualCheck> make_residual_checks(const RobotProblem& problem,
                                                const std::vector<PathStatistics>& statistics);

/// The innovations of all channels of each sensor that has any.
std::vector<SensorCheck> make_sensor_checks(const std::vector<ResidualCheck>& channels);

}  // namespace bayesid
