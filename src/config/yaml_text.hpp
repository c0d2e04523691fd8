// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid {

// Values as YAML on one line.

/// The shortest text that reads back as the same number.
std::string text_of(double value);
/// Quoted unless it is plainly a name.
std::string text_of(const std::string& name);
std::string text_of(const std::vector<std::string>& list);

}  // namespace bayesid
