// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "config/yaml_tree.hpp"

namespace bayesid::config {

// Trees of `Kind::write`, whose scalars have their quotes already.

/// {like: this, or: [this]}
std::string yaml_on_one_line(const YamlTree& tree);

/// A file: sections, and below them what is small on one line.
std::string yaml_file(const YamlTree& tree);

}  // namespace bayesid::config
