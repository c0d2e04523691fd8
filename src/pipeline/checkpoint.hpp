// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/config.hpp"
#include "bayesid/problem.hpp"
#include "noise/find_noise.hpp"

namespace bayesid::pipeline {

inline constexpr const char* checkpoint_name = "checkpoint.bin";

/// The last accepted iterate as bytes: magic, version, fingerprint of the problem, standard
/// deviations, sizes, numbers.
std::string checkpoint_bytes(const Config& config, const RobotProblem& problem, const Point& point);

/// The problem and the iterate of a file; no iterate where the standard deviations had not been
/// found yet. Throws InputError when the file is missing, damaged, or of another problem.
TunedProblem read_checkpoint(const std::string& file, const Config& config,
                             const RobotProblem& problem);

}  // namespace bayesid::pipeline
