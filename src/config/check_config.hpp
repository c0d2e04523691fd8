// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"

namespace bayesid {

/// What the schema cannot see of contacts, loops, phases and impacts: names that clash or are not
/// there, rows that a loop does not have, times that do not fit. Throws InputError with file, line
/// and key at the first fault.
void check_config(const Config& config);

}  // namespace bayesid
