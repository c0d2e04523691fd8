// SPDX-License-Identifier: BSD-3-Clause
#include "integrator/rules.hpp"

namespace bayesid::integrator {

/// The same with forces half a step on, of second order where the motion is continuous.
const IntegratorRule midpoint{.id = Integrator::midpoint,
                              .name = "midpoint",
                              .step = [](double dt) -> Steps { return {dt, 0.5 * dt * dt, dt}; },
                              .part = [](double h, double) -> StepPart { return {0.5 * h * h, h}; },
                              .force_at = 0.5,
                              .velocity_at = 0,
                              .acceleration_at = 0.5};

}  // namespace bayesid::integrator
