// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "blocks/defaults.hpp"

namespace bayesid::blocks {

/// A family of scalars, one for each chosen joint or drive.
struct Family {
  std::string name;
  const JointPriorConfig& config;
  defaults::Prior otherwise;
  bool is_logarithm;
  std::vector<std::string> candidates;
  std::vector<int> chosen;
  int num_joints;
};

/// The parameter <family>.<joint> of each chosen one.
std::vector<Parameter> make_family(const Config& config, const Family& family);

}  // namespace bayesid::blocks
