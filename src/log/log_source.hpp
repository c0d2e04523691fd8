// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "log/column_map.hpp"
#include "log/csv.hpp"
#include "log/foreign_log.hpp"
#include "log/table.hpp"

namespace bayesid {

/// A log file of any format: its names first, then the columns that a map asks for, once.
class LogSource {
 public:
  /// Reads the names. Throws InputError.
  explicit LogSource(const std::string& file);
  LogSource(const LogSource&) = delete;
  LogSource& operator=(const LogSource&) = delete;

  Header header() const;
  /// "file: " or "file:line: " of the names.
  std::string place() const;
  /// Throws InputError with the warnings of the reader, which often are the reason.
  ColumnMap map(const LogConfig& config) const;
  /// As they stand in the file: gains and offsets are not applied.
  Table read(const ColumnMap& map);

 private:
  std::string file_, text_;
  std::optional<CsvReader> csv_;
  std::unique_ptr<ForeignLog> foreign_;
};

}  // namespace bayesid
