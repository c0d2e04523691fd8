// SPDX-License-Identifier: BSD-3-Clause
#include "math/did_you_mean.hpp"

#include <cstddef>

#include "math/nearest_name.hpp"

namespace bayesid {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t shortest_start = 3;  // letters; fewer say nothing
  std::string name = nearest_name(word, candidates);
  for (const std::string& candidate : candidates) {
    if (!name.empty()) break;
    const bool starts = candidate.starts_with(word) && word.size() >= shortest_start;
    const bool continues = word.starts_with(candidate) && candidate.size() >= shortest_start;
    if (starts || continues) name = candidate;
  }
  return name.empty() ? "" : ", did you mean " + name + "?";
}

}  // namespace bayesid
