// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments.hpp"
#include "bayesid/config.hpp"
#include "console.hpp"

namespace bayesid::app {

/// The methods of --methods on the logs of a configuration, one table; gives the exit code.
int compare_methods(const Config& config, const Arguments& arguments, Console& console);

}  // namespace bayesid::app
