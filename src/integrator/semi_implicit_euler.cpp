// SPDX-License-Identifier: BSD-3-Clause
#include "integrator/rules.hpp"

namespace bayesid::integrator {

/// v' = v + dt a, then q' = q ⊕ dt v'.
const IntegratorRule semi_implicit_euler{
    .id = Integrator::semi_implicit_euler,
    .name = "semi_implicit_euler",
    .step = [](double dt) -> Steps { return {dt, dt * dt, dt}; },
    .part = [](double h, double dt) -> StepPart { return {h * dt, dt}; },
    .force_at = 0,
    .velocity_at = -0.5,
    .acceleration_at = 0};

}  // namespace bayesid::integrator
