// SPDX-License-Identifier: BSD-3-Clause
#include "config/yaml_writer.hpp"

#include <algorithm>
#include <cstddef>

#include "config/yaml_text.hpp"

namespace bayesid::config {
namespace {

using Kind = YamlTree::Kind;

constexpr std::size_t width = 110;  // letters of a line, where a map can be split

/// How deep lists and maps stand in each other.
int height(const YamlTree& tree) {
  if (tree.kind == Kind::scalar) return 0;
  int most = 0;
  for (const YamlTree& child : tree.children) most = std::max(most, height(child));
  return 1 + most;
}

bool fits_on_one_line(const YamlTree& tree, std::size_t indent) {
  if (tree.kind != Kind::map) return height(tree) <= 1;
  return height(tree) <= 2 && indent + yaml_on_one_line(tree).size() <= width;
}

/// The lines of a tree, the first without its indent.
std::string block(const YamlTree& tree, std::size_t indent, bool is_section) {
  std::string out;
  for (const YamlTree& child : tree.children) {
    const bool is_item = tree.kind == Kind::list;
    const std::string start = is_item ? "- " : text_of(child.key) + ':';
    out += (out.empty() ? "" : std::string(indent, ' ')) + start;
    const std::size_t used = indent + start.size() + 1;
    if (child.is_empty() || (!is_section && fits_on_one_line(child, used))) {
      out += (is_item ? "" : " ") + yaml_on_one_line(child) + '\n';
    } else if (child.kind == Kind::scalar) {
      out += ' ' + child.text + '\n';
    } else if (is_item) {
      out += block(child, indent + 2, false);
    } else {
      out += '\n' + std::string(indent + 2, ' ') + block(child, indent + 2, false);
    }
  }
  return out;
}

}  // namespace

std::string yaml_on_one_line(const YamlTree& tree) {
  if (tree.kind == Kind::scalar) return tree.text;
  const bool is_map = tree.kind == Kind::map;
  std::string out;
  for (const YamlTree& child : tree.children) {
    if (!out.empty()) out += ", ";
    if (is_map) out += text_of(child.key) + ": ";
    out += yaml_on_one_line(child);
  }
  return is_map ? '{' + out + '}' : '[' + out + ']';
}

std::string yaml_file(const YamlTree& tree) {
  return block(tree, 0, true);
}

}  // namespace bayesid::config
