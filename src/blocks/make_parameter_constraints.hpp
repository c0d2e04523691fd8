// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/parameters.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::blocks {

/// What blocks say of themselves, then `constraints`: bounds, masses, symmetry, equal values, sums,
/// places of centres of mass.
ParameterConstraints make_parameter_constraints(const Robot& robot, const Config& config,
                                                const std::shared_ptr<const ParameterList>& list);

/// Left and right of a robot that is its own mirror image; `index` in constraints.symmetry.
///                                                                  docs/math/parameters.md (19)
std::vector<ParameterConstraint> mirrored(const Robot& robot, const Config& config,
                                          const ParameterList& list, int index);

}  // namespace bayesid::blocks
