// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"

namespace bayesid {

/// The public one, and what it says about sensors that were measured too rarely.
Noise make_noise(const Robot& robot, const Config& config, const std::vector<Recording>& recordings,
                 std::vector<std::string>& warnings);

}  // namespace bayesid
