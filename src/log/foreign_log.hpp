// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "log/child_process.hpp"
#include "log/column_map.hpp"
#include "log/table.hpp"

namespace bayesid {

/// Is it a log that python/bayesid_logs reads: .npz, .h5, .parquet, .mat, .mcap, .ulg, .db3 or the
/// folder of a ROS 2 bag?
bool is_foreign_log(const std::string& path);

/// A log in a format other than CSV: a Python program reads the file and hands over its columns.
/// The bytes that go to and fro are described in python/bayesid_logs/__main__.py.
class ForeignLog {
 public:
  /// Starts the program and reads the names. Throws InputError.
  explicit ForeignLog(const std::string& file);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<bool>& on_request() const { return on_request_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The columns that the map asks for.
  Table read(const ColumnMap& map);

 private:
  [[noreturn]] void fail_early();
  template <typename Number>
  Number number();
  template <typename Number>
  std::vector<Number> numbers(std::size_t count);
  std::string text();
  void read_warnings();
  void expect(char tag);
  std::vector<std::uint32_t> request(const ColumnMap& map) const;
  std::vector<double> read_column(std::size_t rows, std::size_t& num_nan);
  std::vector<long double> read_stamps(std::size_t rows, const std::string& column,
                                       long double per_second);

  std::string file_;
  ChildProcess child_;
  std::vector<std::string> names_;
  std::vector<bool> on_request_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::string> warnings_;
};

}  // namespace bayesid
