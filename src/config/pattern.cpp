// SPDX-License-Identifier: BSD-3-Clause
#include "config/pattern.hpp"

#include <regex.h>

#include <cassert>

namespace bayesid {

// The system's matcher: std::regex descends one call for each letter, and a user's key can be long.
bool matches(const std::string& text, const std::string& pattern) {
  constexpr int flags = REG_EXTENDED + REG_NOSUB;
  regex_t compiled;
  [[maybe_unused]] const int failed = regcomp(&compiled, pattern.c_str(), flags);
  assert(!failed);
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

}  // namespace bayesid
