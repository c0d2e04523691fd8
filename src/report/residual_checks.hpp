// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/posterior/posterior.hpp"
#include "bayesid/report/details.hpp"

namespace bayesid {

/// Residuals of all channels beside the noise that was stated. An estimate follows its data, so
/// that residuals are smaller than the noise: by the share of a measurement's variance that the
/// estimate has itself, h = (std of the state / σ)², for encoders. What they lack went into the
/// noises of the same joint that move it, effort and disturbance.   docs/guide/results.md
std::vector<ResidualCheck> make_residual_checks(const RobotProblem& problem,
                                                const Solution& solution,
                                                const Posterior& posterior,
                                                const EstimatedMotion& motion);

}  // namespace bayesid
