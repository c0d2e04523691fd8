// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"

namespace bayesid::blocks {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool has_feature(const ParameterList& list, const std::string& name) {
  return std::ranges::any_of(list.blocks, [&](const ParameterList::Placed& placed) {
    const std::vector<std::string> names = placed.block->feature_names();
    return std::ranges::find(names, name) != names.end();
  });
}

}  // namespace

Bound make_bound(const Config& config, const ParameterList& list, const std::string& name,
                 std::pair<double, double> range) {
  const std::string place = key_location(config, "constraints.bounds." + name);
  // A name that is both (armature.…, gear_ratio.…) means the physical value.
  const int physical = list.find_physical(name);
  const int parameter = physical >= 0 ? physical : list.find(name);
  if (parameter < 0 && !has_feature(list, name))
    throw InputError(place + ": unknown name \"" + name + "\"" +
                     suggestion(name, list.value_names()));
  auto [lower, upper] = range;
  if (!(lower < upper)) {
    throw InputError(place + ": found [" + number_text(lower) + ", " + number_text(upper) +
                     "], expected [lower, upper] with lower < upper (a single value: fixed)");
  }
  if (physical < 0 || !list.all[parameter].is_logarithm()) return {name, parameter, {lower, upper}};
  if (upper <= 0) {
    throw InputError(place + ": the value is positive, found upper bound " + number_text(upper));
  }
  const double rate = list.all[parameter].rate;
  return {
      name, parameter, {lower > 0 ? std::log(lower) / rate : -infinity, std::log(upper) / rate}};
}

void warn_outside_bounds(const Config& config, const ParameterList& list,
                         std::vector<std::string>& warnings) {
  for (const auto& [name, range] : config.constraints.bounds) {
    const Bound bound = make_bound(config, list, name, range);
    if (bound.parameter < 0) continue;
    const Parameter& parameter = list.all[bound.parameter];
    if (parameter.fixed) continue;
    if (parameter.prior >= bound.range.lower && parameter.prior <= bound.range.upper) continue;
    warnings.push_back(parameter.name + ": the prior " + number_text(parameter.prior) +
                       " is outside of the bounds of " + bound.name +
                       "; the prior is kept, the search starts at the bound");
  }
}

}  // namespace bayesid::blocks
