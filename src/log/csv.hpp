// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bayesid {

/// Reads the rows of a CSV text one after the other; every row must have as many cells as the
/// header. Lines end with \n or \r\n, spaces around cells and quotes do not count, blank lines may
/// stand at the end only.
class CsvReader {
 public:
  /// `text` and `file`, the name for messages, must outlive the reader. Reads the header.
  CsvReader(std::string_view text, const std::string& file);

  const std::vector<std::string>& header() const { return header_; }
  int line() const { return line_; }  // of the row last read
  /// Reads the next row into cells(); false at the end.
  bool next();
  const std::vector<std::string_view>& cells() const { return cells_; }

 private:
  std::string_view take_line();
  void split(std::string_view line);
  void check_header(std::string_view line) const;

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
  int line_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string_view> cells_;
};

/// Without spaces at both ends, then without quotes.
std::string_view trimmed(std::string_view cell);

}  // namespace bayesid
