// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"
#include "bayesid/parameters.hpp"

namespace bayesid::pipeline {

/// The configuration with every prior moved away from the truth by the relative `error`, up or down
/// at random: positive values by a factor 1 ± error, the others likewise. A prior std smaller than
/// the move grows to it, so that the prior does not deny the truth. Slopes of friction move by one
/// prior std.
Config with_wrong_priors(const Config& truth, const ParameterSet& parameters, double error,
                         unsigned seed);

}  // namespace bayesid::pipeline
