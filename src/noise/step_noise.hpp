// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Sets the disturbances that are automatic. Where efforts are noisy they are a tenth of what that
/// noise does to a step, enough for what the integrator leaves and too little to explain what
/// efforts should; otherwise they stay.                            docs/math/noise.md (3)
void set_step_noise(const RobotProblem& problem, const Eigen::VectorXd& theta, Noise& noise);

}  // namespace bayesid
