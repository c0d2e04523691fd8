// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"

namespace bayesid {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

int ParameterSet::find(const std::string& name) const {
  const auto found = std::find_if(
      all_.begin(), all_.end(), [&](const Parameter& parameter) { return parameter.name == name; });
  return found == all_.end() ? -1 : static_cast<int>(found - all_.begin());
}

void ParameterSet::apply_overrides(const Config& config) {
  const std::vector<std::string> names = names_of(all_);
  for (const auto& [name, given] : config.parameters.set) {
    const std::string key = "parameters.set." + name;
    const int i = find(name);
    if (i < 0) {
      const auto coordinate = std::find_if(all_.begin(), all_.end(),
                                           [&](const Parameter& p) { return p.physical == name; });
      throw InputError(
          key_place(config, key) + ": unknown parameter \"" + name + "\"" +
          (coordinate == all_.end()
               ? suggestion(name, names)
               : ", a physical value; its estimation coordinate is \"" + coordinate->name + "\""));
    }
    Parameter& parameter = all_[i];
    if (given.prior && !std::isfinite(*given.prior)) {
      throw InputError(key_place(config, key) + ": the prior is not a finite number");
    }
    parameter.prior = given.prior.value_or(parameter.prior);
    if (given.std) parameter.std = positive(config, key + ".std", *given.std);
    parameter.fixed = given.fixed;
  }
}

/// A parameter, a physical value that depends on it alone, or the beginning of the names of a
/// family.
void ParameterSet::freeze(const Config& config) {
  for (const std::string& name : config.parameters.frozen) {
    bool found = false;
    for (Parameter& parameter : all_) {
      if (parameter.name != name && parameter.physical != name &&
          !parameter.name.starts_with(name + "."))
        continue;
      parameter.fixed = true;
      found = true;
    }
    if (!found)
      throw InputError(key_place(config, "parameters.frozen") + ": unknown name \"" + name + "\"" +
                       suggestion(name, value_names()));
  }
}

void ParameterSet::check_stribeck() {
  for (const FrictionBlock& block : friction_) {
    if (block.index[1] < 0) continue;
    const double gamma1 = std::exp(all_[block.index[1]].prior);
    const double gamma2 = all_[block.index[2]].prior;
    if (gamma1 >= gamma2) continue;
    warnings_.push_back("friction." + drives_[block.drive].name + ": the prior has stribeck1 " +
                        number_text(gamma1) + " below stribeck2 " + number_text(gamma2) +
                        ": such friction drives the joint near zero speed");
  }
}

void ParameterSet::add_bounds(const Config& config) {
  for (const auto& [name, range] : config.constraints.bounds) {
    const Bound bound = make_bound(config, name, range);
    if (bound.parameter >= 0 && !all_[bound.parameter].fixed) warn_outside(bound);
  }
}

void ParameterSet::relate_bounds(const Config& config) {
  for (const auto& [name, range] : config.constraints.bounds) {
    const std::string place = key_place(config, "constraints.bounds." + name);
    const Bound bound = make_bound(config, name, range);
    Relation value{.name = name};
    if (bound.parameter >= 0) {
      value.scalars.push_back({bound.parameter, 1, true});
    } else {
      add_term(name, 1, value);
    }
    add_range(value, {bound.lower, bound.upper}, place);
  }
}

ParameterSet::Bound ParameterSet::make_bound(const Config& config, const std::string& name,
                                             std::pair<double, double> range) const {
  const std::string place = key_place(config, "constraints.bounds." + name);
  // A name that is both (armature.…, gear_ratio.…) means the physical value.
  const auto physical = std::find_if(all_.begin(), all_.end(),
                                     [&](const Parameter& p) { return p.physical == name; });
  const bool is_physical = physical != all_.end();
  const int parameter = is_physical ? static_cast<int>(physical - all_.begin()) : find(name);
  Relation many;
  if (parameter < 0 && !add_term(name, 1, many))
    throw InputError(place + ": unknown name \"" + name + "\"" + suggestion(name, value_names()));
  auto [lower, upper] = range;
  if (!(lower < upper)) {
    throw InputError(place + ": found [" + number_text(lower) + ", " + number_text(upper) +
                     "], expected [lower, upper] with lower < upper (a single value: fixed)");
  }
  if (parameter < 0 || !is_physical || !all_[parameter].is_logarithm)
    return {name, parameter, lower, upper};
  if (upper <= 0) {
    throw InputError(place + ": the value is positive, found upper bound " + number_text(upper));
  }
  return {name, parameter, lower > 0 ? std::log(lower) : -infinity, std::log(upper)};
}

void ParameterSet::warn_outside(const Bound& bound) {
  const Parameter& parameter = all_[bound.parameter];
  if (parameter.prior >= bound.lower && parameter.prior <= bound.upper) return;
  warnings_.push_back(parameter.name + ": the prior " + number_text(parameter.prior) +
                      " is outside of the bounds of " + bound.name +
                      "; the prior stays, the search starts on the bound");
}

}  // namespace bayesid
