// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>

#include "integrator/rules.hpp"

namespace bayesid {

const IntegratorRule& rule_of(Integrator id) {
  for (const IntegratorRule* rule : {&integrator::semi_implicit_euler,
                                     &integrator::constant_acceleration, &integrator::midpoint}) {
    if (rule->id == id) return *rule;
  }
  assert(false && "an integrator without a rule");
  return integrator::semi_implicit_euler;
}

}  // namespace bayesid
