// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid::pipeline {

/// A group of parameters that a model has or has not.
struct ParameterGroup {
  std::string name;
  bool is_friction;
  bool (*has)(const ParametersConfig&);
  void (*set)(ParametersConfig&, bool on);
};

/// Those of these names or, when there are none, all that this robot can have. Throws InputError.
std::vector<ParameterGroup> chosen_groups(const Config& config,
                                          const std::vector<std::string>& names);

/// The configuration with or without a group; what `set`, `frozen` and `bounds` say of parameters
/// that it then has not is left out.
Config with_group(Config config, const ParameterGroup& group, bool on);

}  // namespace bayesid::pipeline
