// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"

namespace bayesid::config {

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string json_text(const YamlTree& tree) {
  if (tree.kind == YamlTree::Kind::null) return "null";
  if (tree.kind == YamlTree::Kind::scalar)
    return tree.number() || tree.boolean() ? tree.text : json_text(tree.text);
  const bool is_map = tree.kind == YamlTree::Kind::map;
  std::string out;
  for (const YamlTree& child : tree.children) {
    if (!out.empty()) out += ", ";
    if (is_map) out += json_text(child.key) + ": ";
    out += json_text(child);
  }
  return is_map ? '{' + out + '}' : '[' + out + ']';
}

}  // namespace bayesid::config
