// SPDX-License-Identifier: BSD-3-Clause
#include "config/yaml_tree.hpp"

#include <utility>

#include "math/parse_number.hpp"

namespace bayesid {

const YamlTree* YamlTree::find(const std::string& name) const {
  for (const YamlTree& child : children) {
    if (kind == Kind::map && child.key == name) return &child;
  }
  return nullptr;
}

void YamlTree::add(const std::string& name, YamlTree child) {
  child.key = name;
  children.push_back(std::move(child));
}

bool YamlTree::is_empty() const {
  return kind != Kind::scalar && children.empty();
}

std::optional<double> YamlTree::number() const {
  if (kind != Kind::scalar || quoted) return {};
  return parse_number(text);
}

std::optional<bool> YamlTree::boolean() const {
  if (kind != Kind::scalar || quoted) return {};
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return {};
}

std::string YamlTree::shown() const {
  constexpr std::size_t longest = 60;  // letters of a scalar that a message quotes
  switch (kind) {
    case Kind::null:
      return "empty";
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  std::string start = text.size() > longest ? text.substr(0, longest) + "…" : text;
  return quoted || start.empty() ? '"' + start + '"' : start;
}

std::string child_path(const std::string& path, const YamlTree& parent, std::size_t child) {
  if (parent.kind == YamlTree::Kind::list) return path + '[' + std::to_string(child) + ']';
  const std::string& key = parent.children[child].key;
  return path.empty() ? key : path + '.' + key;
}

void collect_lines(const YamlTree& tree, const std::string& path,
                   std::map<std::string, int>& lines) {
  if (!path.empty()) lines[path] = tree.line;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    collect_lines(tree.children[i], child_path(path, tree, i), lines);
  }
}

}  // namespace bayesid
