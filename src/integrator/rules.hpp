// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/integrator.hpp"

namespace bayesid::integrator {

extern const IntegratorRule semi_implicit_euler, constant_acceleration, midpoint;

}  // namespace bayesid::integrator
