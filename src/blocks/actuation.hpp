// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

/// Bodies, drives and rotors, and the η of an actuation without unknowns: gain 1 where there is a
/// motor, the coefficients of rotors as configured, no inertia yet.
Draft make_actuation(const Robot& robot, const Config& config);

}  // namespace bayesid::blocks
