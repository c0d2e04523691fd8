// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace bayesid {

/// The number a whole text stands for: 1, +1, -.5, 1e-4, 1.0E-4. Whatever the locale says, the
/// decimal sign is a point. Nothing for infinities, NaN, hexadecimal, text left over, or what
/// overflows.
template <typename Real = double>
std::optional<Real> parse_number(std::string_view text) {
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  const std::string_view digits = has_sign ? text.substr(1) : text;
  if (text.starts_with('+')) text = digits;
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return {};

  Real value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return {};
  if (error == std::errc()) return value;
  const bool is_tiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
  if (error == std::errc::result_out_of_range && is_tiny) return Real{0};
  return {};
}

}  // namespace bayesid
