// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace bayesid {

inline std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

inline std::string percent_text(double share) {
  return formatted(share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
}

inline std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

/// "a, b, c and 4 more"
inline std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most_names = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(most_names, names.size()); ++i)
    out += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most_names)
    out += " and " + std::to_string(names.size() - most_names) + " more";
  return out;
}

}  // namespace bayesid
