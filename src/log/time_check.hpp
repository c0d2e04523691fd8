// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/log.hpp"
#include "log/column_map.hpp"

namespace bayesid {

struct TimeUnit {
  const char* name;
  const char* scale;    // to seconds
  const char* channel;  // of a log whose clock counts them
};

/// Neither a date thousands of years away nor steps of more than 10 s.
bool may_be_seconds(double start, double step);

/// The unit that makes the start a date of our century, or the step that of a robot's log.
TimeUnit likely_unit(double start, double step);

/// Fills `log.time` from the stamps as they stand in the file, and drops samples that repeat a
/// stamp. Throws InputError when time stands still, goes back, or is not in seconds. Stamps of a
/// clock that started long ago are counted from the first one: a double holds 1.7e18 ns to 256 ns
/// only.
void set_time(Log& log, const std::vector<long double>& stamps, const ColumnSource& source,
              const std::string& column);

}  // namespace bayesid
