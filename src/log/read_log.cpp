// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "bayesid/error.hpp"
#include "bayesid/log.hpp"
#include "log/column_map.hpp"
#include "log/log_source.hpp"
#include "log/table.hpp"
#include "log/time_check.hpp"

namespace bayesid {
namespace {

constexpr double isolated = 0.05;  // share of bad values that are left out with a warning

std::string share(std::size_t count, std::size_t total) {
  return std::to_string(count) + " of " + std::to_string(total) + " values";
}

/// Infinite values count as not measured, unless they are many. `name` is that of the column.
void mask_infinite(const Table& table, std::vector<double>& values, const std::string& name,
                   Log& log) {
  std::size_t infinite = 0, measured = 0;
  int first_line = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    measured += std::isnan(values[k]) ? 0 : 1;
    if (!std::isinf(values[k])) continue;
    values[k] = std::numeric_limits<double>::quiet_NaN();
    if (infinite++ == 0) first_line = table.lines[k];
  }
  if (infinite == 0) return;
  const std::string place = log.file + ':' + std::to_string(first_line) + ": ";
  if (static_cast<double>(infinite) > isolated * static_cast<double>(measured)) {
    throw InputError(place + "column " + name +
                     " is infinite, leave the cell empty when nothing was measured");
  }
  log.warnings.push_back(place + share(infinite, measured) + " of " + name +
                         " are infinite, this one first; they are taken as not measured");
}

/// A value now and then that is written as nan was meant to be one; many are a lower rate.
void warn_of_nan(std::size_t num_nan, std::size_t samples, const std::string& name, Log& log) {
  if (num_nan == 0 || static_cast<double>(num_nan) > isolated * static_cast<double>(samples))
    return;
  log.warnings.push_back(log.file + ": " + share(num_nan, samples) + " of " + name +
                         " are nan, taken as not measured");
}

/// A sensor that is listed and never spoke is a sensor that is not there.
void drop_empty_channels(Log& log) {
  for (auto channel = log.channels.begin(); channel != log.channels.end();) {
    const std::vector<double>& values = channel->second;
    const bool is_empty =
        std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (!is_empty) {
      ++channel;
      continue;
    }
    log.warnings.push_back(log.file + ": " + channel->first +
                           " has no value in any sample, taken as not measured");
    channel = log.channels.erase(channel);
  }
}

void warn_of_ignored(Log& log, const std::vector<std::string>& ignored) {
  constexpr std::size_t max_listed = 5;
  if (ignored.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(ignored.size(), max_listed); ++i) {
    names += (i > 0 ? ", " : "") + ignored[i];
  }
  if (ignored.size() > max_listed) names += ", …";
  log.warnings.push_back(log.file + ": " + std::to_string(ignored.size()) +
                         (ignored.size() == 1 ? " column is" : " columns are") +
                         " not a channel and not used: " + names);
}

/// Everything after the reading of the file, whatever its format.
Log make_log(Table table, const ColumnMap& map, const std::vector<std::string>& header,
             const LogConfig& config) {
  const std::string& file = config.file;
  Log log;
  log.file = file;
  log.dropped = table.dropped;
  log.warnings = std::move(table.warnings);
  const std::size_t samples = table.stamps.size();
  for (std::size_t i = 0; i < map.channels.size(); ++i) {
    const ColumnSource& source = map.channels[i];
    std::vector<double>& values = table.columns[i];
    mask_infinite(table, values, header[source.column], log);
    warn_of_nan(table.num_nan[i], samples, header[source.column], log);
    for (double& value : values) value = source.gain * value + source.offset;
    log.channels[source.channel] = std::move(values);
  }
  if (samples < 2) {
    throw InputError(file + ": has " + std::to_string(samples) +
                     (samples == 1 ? " sample" : " samples") + ", expected at least 2");
  }
  log.lines = std::move(table.lines);
  set_time(log, table.stamps, map.time, header[map.time.column]);
  drop_empty_channels(log);
  warn_of_ignored(log, map.ignored);
  return log;
}

}  // namespace

Log read_log(const LogConfig& config) {
  LogSource source(config.file);
  const ColumnMap map = source.map(config);
  return make_log(source.read(map), map, source.header().names, config);
}

}  // namespace bayesid
