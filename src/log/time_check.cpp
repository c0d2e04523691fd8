// SPDX-License-Identifier: BSD-3-Clause
#include "log/time_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "bayesid/error.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"

namespace bayesid {
namespace {

constexpr double long_ago = 1e8;      // s: three years
constexpr double longest_era = 1e11;  // s: three thousand years, so not seconds
constexpr double longest_step = 10;   // s
constexpr double shortest_step = 1e-7;

std::string shown(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// As it stands in the file: stamps of old clocks have more digits than a double.
std::string shown_stamp(long double stamp) {
  if (std::fabs(stamp) < long_ago) return shown(static_cast<double>(stamp));
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), stamp == std::floor(stamp) ? "%.0Lf" : "%.9Lf", stamp);
  return text.data();
}

/// The long double of a stamp since 1970 is good to 0.1 ns, so that its nanoseconds are exact: all
/// ways to write the same stamp give the same time.
double whole_nanoseconds(long double seconds) {
  return static_cast<double>(std::round(seconds * 1e9L)) / 1e9;
}

std::string unit_of(const ColumnSource& source) {
  return source.per_second == 1     ? "seconds"
         : source.per_second == 1e3 ? "milliseconds"
         : source.per_second == 1e6 ? "microseconds"
                                    : "nanoseconds";
}

void check_unit(const Log& log, double start, const ColumnSource& source,
                const std::string& column) {
  const double step = median_step(log.time);
  const auto units = static_cast<double>(source.per_second);
  if (!may_be_seconds(start, step)) {
    const TimeUnit unit = likely_unit(std::fabs(start) * units, step * units);
    throw InputError(log.file + ": column " + column + " looks like " + unit.name +
                     " (it starts at " + rounded(start * units, 6) + ", median step " +
                     rounded(step * units, 6) + "), expected " + unit_of(source) +
                     ": map it with logs[].columns: {" + unit.channel + ": \"" + column + "\"}");
  }
  if (step < shortest_step) {
    throw InputError(log.file + ": column " + column + " has a median step of " + rounded(step, 6) +
                     " s, too short for " + unit_of(source) +
                     ": check the scale of logs[].columns." + source.channel);
  }
}

void check_forward(const Log& log, const std::vector<long double>& stamps, double gain) {
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const double step = static_cast<double>(stamps[i] - stamps[i - 1]) * gain;
    if (step >= 0) continue;
    throw InputError(log.file + ':' + std::to_string(log.lines[i]) + ": time goes back by " +
                     rounded(-step, 6) + " s, from " + shown_stamp(stamps[i - 1]) + " to " +
                     shown_stamp(stamps[i]) + "; split the log there, or sort it");
  }
}

/// Keeps the first of samples with the same time.
void drop_repeated(Log& log) {
  std::vector<std::size_t> kept{0};
  int first_line = 0;
  for (std::size_t i = 1; i < log.time.size(); ++i) {
    if (log.time[i] > log.time[kept.back()]) {
      kept.push_back(i);
    } else if (first_line == 0) {
      first_line = log.lines[i];
    }
  }
  const auto dropped = static_cast<int>(log.time.size() - kept.size());
  if (dropped == 0) return;

  const auto keep = [&](auto& values) {
    for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
    values.resize(kept.size());
  };
  keep(log.time);
  keep(log.lines);
  for (auto& [name, values] : log.channels) keep(values);
  log.dropped += dropped;
  log.warnings.push_back(log.file + ": " + std::to_string(dropped) +
                         (dropped == 1 ? " sample repeats" : " samples repeat") +
                         " the time of the one before (line " + std::to_string(first_line) +
                         (dropped == 1 ? ")" : " and others)") + "; the first was kept");
}

}  // namespace

bool may_be_seconds(double start, double step) {
  return step <= longest_step && std::fabs(start) <= longest_era;
}

TimeUnit likely_unit(double start, double step) {
  constexpr TimeUnit ms{"milliseconds", "1e-3", "time_ms"}, us{"microseconds", "1e-6", "time_us"},
      ns{"nanoseconds", "1e-9", "time_ns"};
  if (start > 1e17) return ns;
  if (start > 1e14) return us;
  if (start > longest_era) return ms;
  if (step >= 1e5) return ns;
  return step >= 1e3 ? us : ms;
}

void set_time(Log& log, const std::vector<long double>& stamps, const ColumnSource& source,
              const std::string& column) {
  const long double first = stamps.front();
  const auto is_first = [&](long double stamp) { return stamp == first; };
  if (std::all_of(stamps.begin(), stamps.end(), is_first)) {
    throw InputError(log.file + ": every value of column " + column + " is " + shown_stamp(first) +
                     ": the clock did not run; map a column that increases with logs[].columns");
  }
  check_forward(log, stamps, static_cast<double>(source.gain / source.per_second));

  // Divided, not multiplied: 5 ms and 0.005 s are the same number.
  const auto seconds = [&](long double stamp) { return stamp / source.per_second; };
  const double start = static_cast<double>(seconds(first)) * source.gain + source.offset;
  const bool is_old_clock = std::fabs(start) > long_ago;
  log.time_origin = is_old_clock ? start : 0;
  log.time.reserve(stamps.size());
  for (const long double stamp : stamps) {
    log.time.push_back(is_old_clock
                           ? whole_nanoseconds(seconds(stamp - first) * source.gain)
                           : static_cast<double>(seconds(stamp)) * source.gain + source.offset);
  }
  drop_repeated(log);
  check_unit(log, start, source, column);
}

}  // namespace bayesid
