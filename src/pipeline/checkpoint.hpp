// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/config.hpp"
#include "bayesid/problem.hpp"

namespace bayesid::pipeline {

inline constexpr const char* checkpoint_name = "checkpoint.bin";

/// The last accepted iterate as bytes: magic, version, fingerprint of the problem, sizes, numbers.
std::string checkpoint_bytes(const Config& config, const RobotProblem& problem, const Point& point);

/// The iterate of a file. Throws InputError when it is missing, damaged, or of another problem.
Point read_checkpoint(const std::string& file, const Config& config, const RobotProblem& problem);

}  // namespace bayesid::pipeline
