// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics.hpp"

namespace bayesid {

/// Base parameters of the robot, found from the regressor at random motions: the columns of ∂h/∂η
/// that span the rest, and K with ∂h/∂η = ∂h/∂ζ · K on the entries that are estimated.
/// docs/math/dynamics.md (3)
BaseCoordinates make_base_coordinates(const Robot& robot, const ParameterSet& parameters,
                                      bool shows_link_efforts);

}  // namespace bayesid
