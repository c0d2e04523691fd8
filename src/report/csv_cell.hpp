// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid {

/// A name as a cell: in quotes when it holds what separates cells.
inline std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace bayesid
