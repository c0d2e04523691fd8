// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid {

/// The candidate with the smallest edit distance to `word`, for "did you mean"; empty when none is
/// nearer than max(2, length / 3) letters.
std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace bayesid
