// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/trajectory.hpp"
#include "stage/stage_setting.hpp"

namespace bayesid {

/// Limits of positions and velocities at node k: added to its cost, as a cost, and their gap with
/// the next multipliers on request. docs/math/inequalities.md (2), (3)
void add_state_limits(const StageSetting& setting, int k, const Path& path, Stage& out);
double state_limit_cost(const StageSetting& setting, int k, const Path& path);
double update_state_multipliers(const StageSetting& setting, int k, bool change, Path& path);

}  // namespace bayesid
