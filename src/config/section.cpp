// SPDX-License-Identifier: BSD-3-Clause
#include "config/section.hpp"

namespace bayesid {

// value(): the schema has made sure that it is there.

void read_value(const YamlTree& section, const std::string& key, double& out) {
  if (const YamlTree* found = section.find(key)) out = found->number().value();
}

void read_value(const YamlTree& section, const std::string& key, int& out) {
  if (const YamlTree* found = section.find(key)) out = static_cast<int>(found->number().value());
}

void read_value(const YamlTree& section, const std::string& key, bool& out) {
  if (const YamlTree* found = section.find(key)) out = found->boolean().value();
}

void read_value(const YamlTree& section, const std::string& key, PerJoint& out) {
  const YamlTree* found = section.find(key);
  if (!found) return;
  if (found->kind == YamlTree::Kind::scalar) out.all = found->number().value();
  for (const YamlTree& child : found->children) {
    const double value = child.number().value();
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
  for (const YamlTree& child : found->children) out[child.key] = child.number().value();
}

std::vector<std::string> names_of(const YamlTree& list) {
  std::vector<std::string> names;
  for (const YamlTree& child : list.children) names.push_back(child.text);
  return names;
}

}  // namespace bayesid
