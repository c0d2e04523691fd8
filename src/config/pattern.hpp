// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid {

/// Whether a regular expression, of the kind that JSON Schema and POSIX share, is found in a text.
bool matches(const std::string& text, const std::string& pattern);

}  // namespace bayesid
