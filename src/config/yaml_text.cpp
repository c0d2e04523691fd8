// SPDX-License-Identifier: BSD-3-Clause
#include "config/yaml_text.hpp"

#include <charconv>
#include <cmath>

namespace bayesid {
namespace {

template <typename List>
std::string list_text(const List& list) {
  std::string out;
  for (const auto& one : list) out += (out.empty() ? "" : ", ") + text_of(one);
  return "[" + out + "]";
}

}  // namespace

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

std::string text_of(const std::vector<double>& list) {
  return list_text(list);
}

std::string text_of(const std::vector<std::string>& list) {
  return list_text(list);
}

std::string text_of(const std::array<double, 3>& vector) {
  return list_text(vector);
}

std::string text_of(const std::map<std::string, double>& map) {
  std::string out;
  for (const auto& [key, value] : map) {
    out += (out.empty() ? "" : ", ") + text_of(key) + ": " + text_of(value);
  }
  return "{" + out + "}";
}

}  // namespace bayesid
