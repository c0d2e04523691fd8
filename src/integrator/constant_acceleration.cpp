// SPDX-License-Identifier: BSD-3-Clause
#include "integrator/rules.hpp"

namespace bayesid::integrator {

/// q' = q ⊕ (dt v + ½dt² a), v' = v + dt a, with the acceleration at the start of the step.
const IntegratorRule constant_acceleration{
    .id = Integrator::constant_acceleration,
    .name = "constant_acceleration",
    .step = [](double dt) -> Steps { return {dt, 0.5 * dt * dt, dt}; },
    .part = [](double h, double) -> StepPart { return {0.5 * h * h, h}; },
    .force_at = 0,
    .velocity_at = 0,
    .acceleration_at = 0.5};

}  // namespace bayesid::integrator
