// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/posterior/identifiability.hpp"
#include "bayesid/posterior/posterior.hpp"

namespace bayesid::app {

/// Parameters with error bars that the data see, and the names of those they do not.
std::string parameter_summary(const Robot& robot, const Posterior& posterior);

/// What the robot can show, what the log shows, and what would show the rest; a few lines of each.
std::string identifiability_summary(const Identifiability& identifiability,
                                    const std::string& rest_in);

}  // namespace bayesid::app
