// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid {

/// ", did you mean <name>?" for the candidate that is near `word`, starts with it or is its start;
/// else "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace bayesid
