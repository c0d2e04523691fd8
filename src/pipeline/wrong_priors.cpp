// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/wrong_priors.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bayesid::pipeline {
namespace {

/// A logarithm shifts by log(1 ± error); other values are multiplied by 1 ± error.
double moved(const Parameter& parameter, double factor) {
  return parameter.is_logarithm() ? parameter.prior + std::log(factor) / parameter.rate
                                  : parameter.prior * factor;
}

/// Where friction bends. Far from the truth, its two saturating terms trade places and both are
/// right.
bool is_slope(const Parameter& parameter) {
  return parameter.physical.ends_with(".stribeck1") || parameter.physical.ends_with(".stribeck2") ||
         parameter.physical.ends_with(".coulomb_slope");
}

}  // namespace

Config with_wrong_priors(const Config& truth, const ParameterSet& parameters, double error,
                         unsigned seed) {
  Config out = truth;
  if (error == 0) return out;
  std::mt19937_64 random(seed);
  for (const Parameter& parameter : parameters.all()) {
    if (parameter.fixed) continue;
    const bool up = (random() >> 63U) != 0;
    ParameterOverride& one = out.parameters.set[parameter.name];
    if (is_slope(parameter)) {
      one.prior = parameter.prior + (up ? parameter.std : -parameter.std);
      continue;
    }
    // Down to 1 % at the least, so that every logarithm exists.
    one.prior = moved(parameter, up ? 1 + error : std::max(0.01, 1 - error));
    one.std = std::max(parameter.std, std::abs(*one.prior - parameter.prior));
  }
  return out;
}

}  // namespace bayesid::pipeline
