// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"

namespace bayesid::blocks {

/// `constraints.bounds.<name>`: of a parameter in estimation coordinates, or of a feature.
struct Bound {
  std::string name;
  int parameter;  // −1: the value depends on several
  RangeConfig range;
};
Bound make_bound(const Config& config, const ParameterList& list, const std::string& name,
                 std::pair<double, double> range);

/// Says of each prior that is outside of its bounds that it stays there.
void warn_outside_bounds(const Config& config, const ParameterList& list,
                         std::vector<std::string>& warnings);

}  // namespace bayesid::blocks
