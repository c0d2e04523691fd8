// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/log.hpp"
#include "log/column_map.hpp"

namespace bayesid {

/// Fills `log.time` from the stamps as they stand in the file, and drops samples that repeat a
/// stamp. Throws InputError when time stands still, goes back, or is not in seconds. Stamps of a
/// clock that started long ago are counted from the first one: a double holds 1.7e18 ns to 256 ns
/// only.
void set_time(Log& log, const std::vector<long double>& stamps, const ColumnSource& source,
              const std::string& column);

}  // namespace bayesid
