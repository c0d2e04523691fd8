// SPDX-License-Identifier: BSD-3-Clause
#include "log/csv_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "bayesid/error.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

std::string location_of(const Cell& cell) {
  return cell.file + ':' + std::to_string(cell.line) + ": column " + cell.column;
}

/// What a cell that is not a finite number stands for: infinity or NaN; else an error.
double other_value(const Cell& cell) {
  constexpr std::size_t longest = 40;  // letters that a message quotes
  std::string_view text = cell.text;
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (is_word(text, "inf") || is_word(text, "infinity")) return is_negative ? -infinity : infinity;
  if (is_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool has_comma = cell.text.find(',') != cell.text.npos;
  throw InputError(location_of(cell) + " is \"" + std::string(cell.text.substr(0, longest)) +
                   "\", expected a number" + (has_comma ? " with a decimal point" : ""));
}

/// Most cells are numbers as they stand; trim only those that are not.
double value_of(const Cell& cell, std::size_t& num_nan) {
  if (const auto value = parse_number(cell.text)) return *value;
  const std::string_view text = trimmed(cell.text);
  if (const auto value = parse_number(text)) return *value;
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double value = other_value({text, cell.file, cell.line, cell.column});
  if (std::isnan(value)) ++num_nan;
  return value;
}

/// A double, and faster, below 1e8; above, with the 19 digits that nanoseconds since 1970 need.
long double stamp_of(const Cell& cell) {
  constexpr double large = 1e8;
  const std::string_view text = trimmed(cell.text);
  const auto value = parse_number(text);
  if (value && std::fabs(*value) < large) return *value;
  if (const auto stamp = parse_number<long double>(text)) return *stamp;
  const Cell whole{text, cell.file, cell.line, cell.column};
  if (text.empty() || std::isnan(other_value(whole))) {
    throw InputError(location_of(cell) + " is empty, every sample needs its time");
  }
  throw InputError(location_of(cell) + " is infinite, every sample needs its time");
}

}  // namespace

Table read_csv_table(CsvReader& csv, const ColumnMap& map, const std::string& file) {
  Table table;
  table.columns.resize(map.channels.size());
  table.num_nan.resize(map.channels.size());
  const std::string& time_column = csv.header()[map.time.column];
  while (csv.next()) {
    table.stamps.push_back(stamp_of({csv.cells()[map.time.column], file, csv.line(), time_column}));
    table.lines.push_back(csv.line());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::size_t column = map.channels[i].column;
      const Cell cell{csv.cells()[column], file, csv.line(), csv.header()[column]};
      table.columns[i].push_back(value_of(cell, table.num_nan[i]));
    }
  }
  return table;
}

}  // namespace bayesid
