// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/config.hpp"
#include "bayesid/problem.hpp"

namespace bayesid::pipeline {

/// SHA-256 of everything that decides what is estimated: all settings of the configuration but
/// those that only say how far to search and what to simulate or excite, the bytes of the files it
/// names, and the measurements.
std::string fingerprint(const Config& config, const RobotProblem& problem);

}  // namespace bayesid::pipeline
