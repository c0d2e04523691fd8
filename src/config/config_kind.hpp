// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"
#include "config/kind.hpp"

namespace bayesid::config {

/// How a whole configuration stands in a file.
const Kind<Config>& config_kind();

/// A configuration of which only the schema and single values have been checked.
Config read_fields(const std::string& path);

}  // namespace bayesid::config
