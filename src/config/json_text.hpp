// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "config/yaml_tree.hpp"

namespace bayesid::config {

/// A text in quotes.
std::string json_text(const std::string& text);

/// A tree as JSON on one line.
std::string json_text(const YamlTree& tree);

}  // namespace bayesid::config
