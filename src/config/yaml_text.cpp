// SPDX-License-Identifier: BSD-3-Clause
#include "config/yaml_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace bayesid {
std::string text_of(double value) {
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string text_of(const std::string& name) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  const bool is_plain = !name.empty() && name[0] != '-' && name != "null" &&
                        name.find_first_not_of(plain) == std::string::npos;
  if (is_plain) return name;
  std::string out = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string text_of(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& one : list) out += (out.empty() ? "" : ", ") + text_of(one);
  return "[" + out + "]";
}

}  // namespace bayesid
