// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"

namespace bayesid::blocks {

/// `parameters.set`: prior, std and fixed of single parameters.
void apply_overrides(const Config& config, ParameterList& list);

/// `parameters.frozen`: a parameter, a physical value that depends on it alone, or the beginning of
/// the names of a family.
void freeze(const Config& config, ParameterList& list);

}  // namespace bayesid::blocks
