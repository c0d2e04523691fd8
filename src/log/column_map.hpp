// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid {

/// Where a channel comes from: value = gain · column + offset.
struct ColumnSource {
  std::string channel;
  std::size_t column = 0;
  double gain = 1;
  double offset = 0;
  long double per_second =
      1;  // of a time channel: what its unit has of them; divided by before gain
};

/// Names of the columns of a file.
struct Header {
  const std::vector<std::string>& names;
  std::vector<bool> on_request;  // used only when `columns` names them; empty: none is so
};

struct ColumnMap {
  ColumnSource time;
  std::vector<ColumnSource> channels;
  std::vector<std::string> ignored;  // columns that are no channel
};

/// Is it the name of a channel: q.<joint>, imu.<name>.ax …; `time` is not one.
bool is_channel(const std::string& name);

/// Is it an element of an array without names, whose joint `joint_order` gives: q[0], position_1,
/// /joint_states/effort[2]?
bool is_numbered(const std::string& name);

/// arm/q.joint1 → q.joint1, when that is a channel or the time.
std::string last_part(const std::string& name);

/// How many units a second has of a channel that is the time: `time`, time_ms, time_us, time_ns; 0:
/// it is none of them.
long double units_per_second(const std::string& name);

/// Finds the source of each channel: `columns` first, then `joint_order`, then canonical names. Of
/// a path (arm/q.joint1) the last part is the name.
/// `place` ("file:line: ") starts the messages.
ColumnMap make_column_map(const Header& header, const LogConfig& config, const std::string& place);

}  // namespace bayesid
