// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/per_joint.hpp"

#include <cmath>

#include "blocks/choice.hpp"

namespace bayesid::blocks {

std::vector<Parameter> make_family(const Config& config, const Family& family) {
  const std::string key = "parameters." + family.name + ".";
  const auto numbers = [&](const std::string& what, const PerJoint& given, double otherwise) {
    return read_numbers(config, key + what,
                        {given, otherwise, family.candidates, family.chosen, family.num_joints});
  };
  const std::vector<double> prior = numbers("prior", family.config.prior, family.otherwise.mean);
  const std::vector<double> prior_std = numbers("std", family.config.std, family.otherwise.std);
  std::vector<Parameter> out;
  for (std::size_t k = 0; k < family.chosen.size(); ++k) {
    const std::string name = family.name + "." + family.candidates[family.chosen[k]];
    const double mean =
        family.is_logarithm ? std::log(positive(config, key + "prior", prior[k])) : prior[k];
    out.push_back({.name = name,
                   .prior = mean,
                   .std = positive(config, key + "std", prior_std[k]),
                   .rate = family.is_logarithm ? 1.0 : 0.0,
                   .physical = name});
  }
  return out;
}

}  // namespace bayesid::blocks
