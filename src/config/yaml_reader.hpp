// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "config/yaml_tree.hpp"

namespace bayesid {

/// Reads a YAML file (JSON is YAML) with one document whose top is a map.
/// Throws InputError, with file and line, on what is not YAML, on duplicate keys, and on files too
/// large, too deep or with too many aliases to be a configuration.
YamlTree read_yaml(const std::string& path);

}  // namespace bayesid
