// SPDX-License-Identifier: BSD-3-Clause
#include "config/section.hpp"

#include <cassert>
#include <filesystem>

namespace bayesid {

double number_of(const YamlTree& scalar) {
  const std::optional<double> number = scalar.number();
  assert(number);
  return number.value_or(0);
}

void read_value(const YamlTree& section, const std::string& key, double& out) {
  if (const YamlTree* found = section.find(key)) out = number_of(*found);
}

void read_value(const YamlTree& section, const std::string& key, int& out) {
  if (const YamlTree* found = section.find(key)) out = static_cast<int>(number_of(*found));
}

void read_value(const YamlTree& section, const std::string& key, bool& out) {
  if (const YamlTree* found = section.find(key)) out = found->boolean().value_or(out);
}

void read_value(const YamlTree& section, const std::string& key, std::string& out) {
  if (const YamlTree* found = section.find(key)) out = found->text;
}

void read_value(const YamlTree& section, const std::string& key, std::optional<double>& out) {
  if (const YamlTree* found = section.find(key)) out = number_of(*found);
}

void read_value(const YamlTree& section, const std::string& key, std::array<double, 3>& out) {
  const YamlTree* found = section.find(key);
  if (!found) return;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = number_of(found->children[i]);
}

void read_value(const YamlTree& section, const std::string& key, std::vector<std::string>& out) {
  if (const YamlTree* found = section.find(key)) out = names_of(*found);
}

void read_value(const YamlTree& section, const std::string& key, PerJoint& out) {
  const YamlTree* found = section.find(key);
  if (!found) return;
  if (found->kind == YamlTree::Kind::scalar) out.all = number_of(*found);
  for (const YamlTree& child : found->children) {
    const double value = number_of(child);
    if (found->kind == YamlTree::Kind::list) out.list.push_back(value);
    if (found->kind == YamlTree::Kind::map) out.by_name[child.key] = value;
  }
}

void read_value(const YamlTree& section, const std::string& key, Selection& out) {
  const YamlTree* found = section.find(key);
  if (!found || found->kind == YamlTree::Kind::scalar) return;  // "all", which is the default
  out.all = false;
  out.names = names_of(*found);
}

void read_value(const YamlTree& section, const std::string& key,
                std::map<std::string, double>& out) {
  const YamlTree* found = section.find(key);
  if (!found) return;
  for (const YamlTree& child : found->children) out[child.key] = number_of(child);
}

std::vector<std::string> names_of(const YamlTree& list) {
  std::vector<std::string> names;
  names.reserve(list.children.size());
  for (const YamlTree& child : list.children) names.push_back(child.text);
  return names;
}

std::string resolved(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace bayesid
