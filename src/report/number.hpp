// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <string>

#include "math/shortest.hpp"

namespace bayesid {

/// Appends a number with that many significant digits, whatever the locale.
inline void append_number(std::string& out, double value, int digits) {
  std::array<char, 40> buffer;
  const std::to_chars_result end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                                 value, std::chars_format::general, digits);
  out.append(buffer.data(), end.ptr);
}

}  // namespace bayesid
