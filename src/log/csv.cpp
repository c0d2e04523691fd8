// SPDX-License-Identifier: BSD-3-Clause
#include "log/csv.hpp"

#include <algorithm>
#include <map>

#include "bayesid/error.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string cells_of(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

/// A separator other than a comma that the line uses, by name; "" when there is none.
std::string foreign_separator(std::string_view line) {
  if (line.find(';') != line.npos) return "';'";
  if (line.find('\t') != line.npos) return "tabs";
  if (line.find(' ') != line.npos) return "spaces";
  return "";
}

}  // namespace

std::string_view trimmed(std::string_view cell) {
  cell = without_spaces(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
    cell = without_spaces(cell.substr(1, cell.size() - 2));
  }
  return cell;
}

CsvReader::CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
  if (is_blank(text)) throw InputError(file_ + ": is empty, expected a line of column names");
  std::string_view line;
  while (is_blank(line)) line = take_line();
  // Some tools write the names as a comment.
  if (line.starts_with('#')) line.remove_prefix(1);
  split(line);
  for (const std::string_view cell : cells_) header_.emplace_back(trimmed(cell));
  check_header(line);
}

std::string_view CsvReader::take_line() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view line = text_.substr(position_, end - position_);
  position_ = end + 1;
  ++line_;
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::split(std::string_view line) {
  cells_.clear();
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != ',' || quoted)) continue;
    cells_.push_back(line.substr(start, i - start));
    start = i + 1;
  }
}

void CsvReader::check_header(std::string_view line) const {
  const std::string place = file_ + ':' + std::to_string(line_) + ": ";
  const std::string separator = foreign_separator(line);
  if (line.find(',') == line.npos && !separator.empty()) {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const bool has_comma = position_ < text_.size() &&
                           text_.substr(position_, end - position_).find(',') != text_.npos;
    throw InputError(place + "columns are separated by " + separator + ", expected ','" +
                     (has_comma ? "; numbers use a decimal comma, expected a point" : ""));
  }
  const auto is_number = [](const std::string& name) { return parse_number(name).has_value(); };
  if (std::all_of(header_.begin(), header_.end(), is_number)) {
    throw InputError(place +
                     "the first row holds numbers, expected column names such as time,q.joint1");
  }
  if (separator == "';'") {  // "0,1;0,2" without a header
    throw InputError(place + "columns are separated by ';', expected ','");
  }
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i].empty()) continue;
    const auto [first, is_new] = columns.emplace(header_[i], i);
    if (is_new) continue;
    throw InputError(place + "columns " + std::to_string(first->second + 1) + " and " +
                     std::to_string(i + 1) + " are both named " + header_[i]);
  }
}

bool CsvReader::next() {
  if (position_ >= text_.size()) return false;
  const std::string_view line = take_line();
  if (is_blank(line) && header_.size() > 1) {
    if (position_ >= text_.size() || is_blank(text_.substr(position_))) return false;
    throw InputError(file_ + ':' + std::to_string(line_) + ": the line is empty");
  }
  split(line);
  if (cells_.size() == header_.size()) return true;
  const std::string hint =
      line.find(';') != line.npos           ? "; columns are separated by ';', expected ','"
      : cells_.size() == 2 * header_.size() ? "; numbers may use a decimal comma, expected a point"
                                            : "";
  throw InputError(file_ + ':' + std::to_string(line_) + ": has " + cells_of(cells_.size()) +
                   ", the header has " + std::to_string(header_.size()) + hint);
}

}  // namespace bayesid
