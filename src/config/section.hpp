// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bayesid/config.hpp"
#include "config/words.hpp"
#include "config/yaml_tree.hpp"

namespace bayesid {

/// A number that the schema has made sure of.
double number_of(const YamlTree& scalar);

// Fill a field from the key of a section that has passed the schema; a key that is absent leaves
// the default.
void read_value(const YamlTree& section, const std::string& key, double& out);
void read_value(const YamlTree& section, const std::string& key, int& out);
void read_value(const YamlTree& section, const std::string& key, bool& out);
void read_value(const YamlTree& section, const std::string& key, std::string& out);
void read_value(const YamlTree& section, const std::string& key, std::optional<double>& out);
void read_value(const YamlTree& section, const std::string& key, std::array<double, 3>& out);
void read_value(const YamlTree& section, const std::string& key, std::vector<std::string>& out);
void read_value(const YamlTree& section, const std::string& key, PerJoint& out);
void read_value(const YamlTree& section, const std::string& key, Selection& out);
void read_value(const YamlTree& section, const std::string& key,
                std::map<std::string, double>& out);
template <typename Enum>
  requires std::is_enum_v<Enum>
void read_value(const YamlTree& section, const std::string& key, Enum& out) {
  const YamlTree* found = section.find(key);
  if (!found) return;
  const auto known = words(out);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (found->text == known[i]) out = static_cast<Enum>(i);
  }
}
std::vector<std::string> names_of(const YamlTree& list);

/// What `read` makes of each child of the key; nothing when it is absent.
template <typename Read>
auto read_list(const YamlTree& section, const std::string& key, const Read& read) {
  std::vector<decltype(read(section))> out;
  const YamlTree* found = section.find(key);
  if (!found) return out;
  for (const YamlTree& child : found->children) out.push_back(read(child));
  return out;
}

/// A path that is relative to the folder of the configuration.
std::string resolved(const std::string& file, const std::string& path);

ModelConfig read_model(const YamlTree& section, const std::string& file);

ConstraintsConfig read_constraints(const YamlTree& section, const std::string& file);

/// The section `parameters`; without it, inertia, friction (Coulomb and viscous) and armature of
/// the whole robot.
ParametersConfig read_parameters(const YamlTree& root, const std::string& file);

}  // namespace bayesid
