// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "bayesid/error.hpp"
#include "bayesid/log/log.hpp"
#include "log/column_map.hpp"
#include "log/csv.hpp"
#include "log/read_bytes.hpp"
#include "log/time_check.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

/// Equal but for capitals; `word` has none.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

struct Cell {
  std::string_view text;
  const std::string& file;
  int line;
  const std::string& column;
};

[[noreturn]] void fail(const Cell& cell) {
  constexpr std::size_t longest = 40;  // letters that a message quotes
  const std::string place = cell.file + ':' + std::to_string(cell.line) + ": column " + cell.column;
  std::string_view text = cell.text;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (is_word(text, "inf") || is_word(text, "infinity")) {
    throw InputError(place + " is infinite, leave the cell empty when nothing was measured");
  }
  const bool has_comma = cell.text.find(',') != cell.text.npos;
  throw InputError(place + " is \"" + std::string(cell.text.substr(0, longest)) +
                   "\", expected a number" + (has_comma ? " with a decimal point" : ""));
}

/// Most cells are numbers as they stand; trim only those that are not.
double value_of(const Cell& cell) {
  if (const auto value = parse_number(cell.text)) return *value;
  const std::string_view text = trimmed(cell.text);
  if (const auto value = parse_number(text)) return *value;
  if (text.empty() || is_word(text, "nan") || is_word(text, "-nan")) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  fail({text, cell.file, cell.line, cell.column});
}

/// With the 19 digits that nanoseconds since 1970 need; a double is enough, and faster, for short
/// ones.
long double stamp_of(const Cell& cell) {
  const std::string_view text = trimmed(cell.text);
  if (text.empty() || is_word(text, "nan")) {
    throw InputError(cell.file + ':' + std::to_string(cell.line) + ": column " + cell.column +
                     " is empty, every sample needs its time");
  }
  if (text.size() <= std::numeric_limits<double>::digits10)
    return value_of({text, cell.file, cell.line, cell.column});
  if (const auto value = parse_number<long double>(text)) return *value;
  fail({text, cell.file, cell.line, cell.column});
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

}  // namespace

Log read_log(const LogConfig& config) {
  const std::string text = read_bytes(config.file);
  CsvReader csv(text, config.file);
  const std::string place = config.file + ':' + std::to_string(csv.line()) + ": ";
  const ColumnMap map = make_column_map(csv.header(), config, place);

  Log log;
  log.file = config.file;
  std::vector<std::vector<double>*> columns;
  columns.reserve(map.channels.size());
  for (const ColumnSource& source : map.channels) columns.push_back(&log.channels[source.channel]);
  std::vector<long double> stamps;
  const std::string& time_column = csv.header()[map.time.column];
  while (csv.next()) {
    stamps.push_back(stamp_of({csv.cells()[map.time.column], log.file, csv.line(), time_column}));
    log.lines.push_back(csv.line());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& [channel, column, gain, offset] = map.channels[i];
      const Cell cell{csv.cells()[column], log.file, csv.line(), csv.header()[column]};
      columns[i]->push_back(gain * value_of(cell) + offset);
    }
  }
  if (stamps.size() < 2) {
    throw InputError(log.file + ": has " + std::to_string(stamps.size()) +
                     (stamps.size() == 1 ? " sample" : " samples") + ", expected at least 2");
  }
  set_time(log, stamps, map.time, time_column);
  drop_empty_channels(log);
  warn_of_ignored(log, map.ignored);
  return log;
}

}  // namespace bayesid
