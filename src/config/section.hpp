// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "config/yaml_tree.hpp"

namespace bayesid {

/// A number that the schema has made sure of.
double number_of(const YamlTree& scalar);

// Fill a field from the key of a section that has passed the schema; a key that is absent leaves
// the default.
void read_value(const YamlTree& section, const std::string& key, double& out);
void read_value(const YamlTree& section, const std::string& key, int& out);
void read_value(const YamlTree& section, const std::string& key, bool& out);
void read_value(const YamlTree& section, const std::string& key, PerJoint& out);
void read_value(const YamlTree& section, const std::string& key, Selection& out);
void read_value(const YamlTree& section, const std::string& key,
                std::map<std::string, double>& out);
std::vector<std::string> names_of(const YamlTree& list);

/// The section `parameters`; without it, inertia, friction (Coulomb and viscous) and armature of
/// the whole robot.
ParametersConfig read_parameters(const YamlTree& root, const std::string& file);

}  // namespace bayesid
