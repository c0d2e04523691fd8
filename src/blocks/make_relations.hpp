// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/parameters/relations.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid::blocks {

/// What blocks say of themselves, then `constraints`: bounds, masses, symmetry, equal values, sums,
/// places of centres of mass.
Relations make_relations(const Robot& robot, const Config& config,
                         const std::shared_ptr<const ParameterList>& list);

/// Left and right of a robot that is its own mirror image; `index` in constraints.symmetry.
///                                                                  docs/math/parameters.md (19)
std::vector<Relation> mirrored(const Robot& robot, const Config& config, const ParameterList& list,
                               int index);

}  // namespace bayesid::blocks
