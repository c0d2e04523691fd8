// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bayesid {

/// The columns that a log needs, as they stand in its file, whatever its format.
struct Table {
  std::vector<long double> stamps;           // the column of the time
  std::vector<std::vector<double>> columns;  // one for each channel of the map; NaN: not measured
  std::vector<std::size_t> num_nan;  // values of each that the file itself says are no number
  std::vector<int> lines;            // of each sample: its line, or its row counted from 1
  int dropped = 0;
  std::vector<std::string> warnings;  // each starts with the name of the file
};

}  // namespace bayesid
