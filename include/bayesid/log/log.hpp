// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid {

/// A recording: one clock, and channels in SI units under their canonical names (`q.<joint>` …).
/// A value that was not measured at a sample is NaN.
struct Log {
  std::string file;
  std::vector<double> time;  // s, strictly increasing
  double time_origin =
      0;  // s, the first stamp when the clock started long ago (1970); time counts from there
  std::map<std::string, std::vector<double>> channels;
  std::vector<int>
      lines;        // line of the file each sample came from; row, from 1, when it is no text
  int dropped = 0;  // samples left out …
  std::vector<std::string> warnings;  // … and why, one sentence each
};

/// Reads a log of any format (docs/guide/logs.md) and maps its columns to canonical channels.
/// Throws InputError naming file, line and column.
Log read_log(const LogConfig& config);

}  // namespace bayesid
