// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/overrides.hpp"

#include <cmath>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"

namespace bayesid::blocks {

void apply_overrides(const Config& config, ParameterList& list) {
  const std::vector<std::string> names = names_of(list.all);
  for (const auto& [name, given] : config.parameters.set) {
    const std::string key = "parameters.set." + name;
    const int i = list.find(name);
    if (i < 0) {
      const int coordinate = list.find_physical(name);
      throw InputError(key_location(config, key) + ": unknown parameter \"" + name + "\"" +
                       (coordinate < 0 ? suggestion(name, names)
                                       : ", a physical value; its estimation coordinate is \"" +
                                             list.all[coordinate].name + "\""));
    }
    Parameter& parameter = list.all[i];
    if (given.prior && !std::isfinite(*given.prior)) {
      throw InputError(key_location(config, key) + ": the prior is not a finite number");
    }
    parameter.prior = given.prior.value_or(parameter.prior);
    if (given.std) parameter.std = positive(config, key + ".std", *given.std);
    parameter.fixed = given.fixed;
  }
}

void freeze(const Config& config, ParameterList& list) {
  for (const std::string& name : config.parameters.frozen) {
    bool found = false;
    for (Parameter& parameter : list.all) {
      if (parameter.name != name && parameter.physical != name &&
          !parameter.name.starts_with(name + "."))
        continue;
      parameter.fixed = true;
      found = true;
    }
    if (!found)
      throw InputError(key_location(config, "parameters.frozen") + ": unknown name \"" + name +
                       "\"" + suggestion(name, list.value_names()));
  }
}

}  // namespace bayesid::blocks
