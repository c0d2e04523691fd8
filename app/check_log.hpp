// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "bayesid/posterior/log_doubts.hpp"
#include "console.hpp"

namespace bayesid::app {

/// What a log holds: groups and channels, and what the channels of a joint say about each other.
nlohmann::json log_json(const RobotProblem& problem, const LogUse& log, const LogDoubts& doubts);

/// The same as tables.
void print_log(const Console& console, const nlohmann::json& log);

}  // namespace bayesid::app
