// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/parameters/parameter_list.hpp"

namespace bayesid::blocks {

/// `constraints.bounds.<name>`: of a parameter in estimation coordinates, or of a feature.
struct Bound {
  std::string name;
  int parameter;  // −1: the value depends on several
  RangeConfig range;
};
Bound make_bound(const Config& config, const ParameterList& list, const std::string& name,
                 std::pair<double, double> range);

/// A prior on or outside its bound is moved inside, with a warning.
void move_off_bounds(const Config& config, ParameterList& list, std::vector<std::string>& warnings);

}  // namespace bayesid::blocks
