// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/parameter_groups.hpp"

#include <algorithm>

#include "bayesid/error.hpp"
#include "bayesid/parameters.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid::pipeline {
namespace {

template <bool FrictionPriorConfig::* term>
ParameterGroup friction_group(const char* name) {
  return {name, true, [](const ParametersConfig& p) { return p.friction && (*p.friction).*term; },
          [](ParametersConfig& p, bool on) { (*p.friction).*term = on; }};
}

template <typename Family, std::optional<Family> ParametersConfig::* family>
ParameterGroup family_group(const char* name) {
  return {name, false, [](const ParametersConfig& p) { return (p.*family).has_value(); },
          [](ParametersConfig& p, bool on) {
            if (on) {
              (p.*family).emplace();
            } else {
              (p.*family).reset();
            }
          }};
}

std::vector<ParameterGroup> all_groups() {
  using P = ParametersConfig;
  return {friction_group<&FrictionPriorConfig::stiction>("stiction"),
          friction_group<&FrictionPriorConfig::coulomb>("coulomb"),
          friction_group<&FrictionPriorConfig::viscous>("viscous"),
          friction_group<&FrictionPriorConfig::presliding>("presliding"),
          family_group<JointPriorConfig, &P::armature>("armature"),
          family_group<JointPriorConfig, &P::effort_gain>("effort_gain"),
          family_group<JointPriorConfig, &P::effort_offset>("effort_offset")};
}

void check_known(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  std::string known;
  for (const ParameterGroup& group : all_groups()) {
    names.push_back(group.name);
    known += (known.empty() ? "" : ", ") + group.name;
  }
  for (const std::string& name : wanted) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError("unknown group \"" + name + "\"" + did_you_mean(name, names) + ", known are " +
                     known);
  }
}

void forget_absent(Config& config) {
  Config bare = config;
  bare.parameters.set.clear();
  bare.parameters.frozen.clear();
  bare.constraints = {};
  const ParameterSet parameters(read_robot(config.model), bare);
  const std::vector<PhysicalValue> values = parameters.values(parameters.prior());
  const auto is_absent = [&](const std::string& name) {
    const auto is_named = [&](const std::string& other) {
      return other == name || other.starts_with(name + ".");
    };
    return std::ranges::none_of(parameters.all(), is_named, &Parameter::name) &&
           std::ranges::none_of(values, is_named, &PhysicalValue::name);
  };
  std::erase_if(config.parameters.set, [&](const auto& one) { return is_absent(one.first); });
  std::erase_if(config.parameters.frozen, is_absent);
  std::erase_if(config.constraints.bounds, [&](const auto& one) { return is_absent(one.first); });
}

}  // namespace

std::vector<ParameterGroup> chosen_groups(const Config& config,
                                          const std::vector<std::string>& names) {
  check_known(names);
  std::vector<ParameterGroup> out;
  for (const ParameterGroup& group : all_groups()) {
    const bool is_wanted = names.empty() ? group.has(config.parameters) || group.name == "stiction"
                                         : std::ranges::find(names, group.name) != names.end();
    if (!is_wanted) continue;
    if (group.is_friction && !config.parameters.friction) {
      if (names.empty()) continue;
      throw InputError(location_of(config, "parameters.friction") +
                       " is missing: there is no friction to compare");
    }
    out.push_back(group);
  }
  return out;
}

Config with_group(Config config, const ParameterGroup& group, bool on) {
  group.set(config.parameters, on);
  forget_absent(config);
  return config;
}

}  // namespace bayesid::pipeline
