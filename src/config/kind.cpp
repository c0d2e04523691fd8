// SPDX-License-Identifier: BSD-3-Clause
#include "config/kind.hpp"

#include "bayesid/error.hpp"

namespace bayesid::config {

Location Location::inside(const std::string& child) const {
  return {.file = file, .key = key.empty() ? child : key + '.' + child};
}

Location Location::item(std::size_t index) const {
  return {.file = file, .key = key + '[' + std::to_string(index) + ']'};
}

void fail(const YamlTree& node, const Location& at, const std::string& what) {
  throw InputError(at.file + ':' + std::to_string(node.line) + ": " + at.key + what);
}

std::vector<Row> rows_behind(const std::string& prefix, const std::vector<Row>& rows) {
  std::vector<Row> out = rows;
  for (Row& row : out) row.key.insert(0, prefix);
  return out;
}

std::string schema_of(const std::vector<std::string>& schemas) {
  if (schemas.size() == 1) return schemas[0];
  std::string list;
  for (const std::string& one : schemas) list += (list.empty() ? "" : ", ") + one;
  return R"({"anyOf": [)" + list + "]}";
}

}  // namespace bayesid::config
