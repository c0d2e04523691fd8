// SPDX-License-Identifier: BSD-3-Clause
#include "config/guide.hpp"

#include <algorithm>
#include <sstream>

#include "bayesid/error.hpp"

namespace bayesid::config {
namespace {

constexpr std::string_view opening = "<!-- fields: ";
constexpr std::string_view closing = " -->";
constexpr std::string_view end = "<!-- end -->";

/// The key of the marker on this line, else "".
std::string marked_key(const std::string& line) {
  if (!line.starts_with(opening) || !line.ends_with(closing)) return "";
  return line.substr(opening.size(), line.size() - opening.size() - closing.size());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string cell(const std::string& text) {
  std::string out = text.empty() ? " " : ' ' + text + ' ';
  for (std::size_t i = out.find('|'); i != out.npos; i = out.find('|', i + 2)) out.insert(i, "\\");
  return out + '|';
}

/// Whether a row belongs to the table of a key, rather than to one further inside.
bool belongs(const Row& row, const std::string& key, const std::vector<std::string>& tables) {
  const auto is_below = [&](const std::string& table) {
    return row.key.starts_with('.' + table + '.');
  };
  return is_below(key) && std::ranges::none_of(tables, [&](const std::string& other) {
           return other.size() > key.size() && is_below(other);
         });
}

std::string table_of(const std::string& key, const std::vector<std::string>& tables,
                     const std::vector<Row>& rows) {
  std::vector<Row> own;
  for (const Row& row : rows) {
    if (!row.meaning.empty() && belongs(row, key, tables)) own.push_back(row);
  }
  if (own.empty()) throw InputError("the guide asks for the fields of " + key + ", there are none");
  const bool has_units = std::ranges::any_of(own, [](const Row& row) { return !row.unit.empty(); });
  std::string out = has_units ? "| key | default | unit | meaning |\n|---|---|---|---|\n"
                              : "| key | default | meaning |\n|---|---|---|\n";
  for (const Row& row : own) {
    out += '|' + cell('`' + row.key.substr(key.size() + 2) + '`') + cell(row.value) +
           (has_units ? cell(row.unit) : "") + cell(row.meaning) + '\n';
  }
  return out;
}

}  // namespace

std::string with_tables(const std::string& page, const std::vector<Row>& rows) {
  const std::vector<std::string> lines = lines_of(page);
  std::vector<std::string> tables;
  for (const std::string& line : lines) {
    if (const std::string key = marked_key(line); !key.empty()) tables.push_back(key);
  }
  std::string out;
  bool is_table = false;
  for (const std::string& line : lines) {
    is_table = is_table && line != end;
    if (!is_table) out += line + '\n';
    const std::string key = marked_key(line);
    if (key.empty()) continue;
    is_table = true;
    out += table_of(key, tables, rows);
  }
  return out;
}

}  // namespace bayesid::config
