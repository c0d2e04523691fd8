// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/posterior.hpp"

namespace bayesid::app {

/// Parameters with error bars that the data determine, and the names of the others.
std::string parameter_summary(const Robot& robot, const Posterior& posterior);

/// Identifiable base parameters, those that the logs determine, and the motions that determine the
/// others; a few lines of each.
std::string identifiability_summary(const Identifiability& identifiability,
                                    const std::string& rest_in);

}  // namespace bayesid::app
