// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"

namespace bayesid {

/// How velocity and acceleration move the state: q' = q ⊕ (b v + c a), v' = v + e a.
/// An impact has b = c = 0 and e = 1, with the jump of the velocity as a.
struct Steps {
  double b, c, e;
};

/// A motion within a step, h after its start: q ⊕ (h v + c ā), v + h ā, and ∂c/∂h.
struct StepPart {
  double c, dc_dh;
};

/// A rule by which states follow each other, the same for estimation and simulation.
/// docs/math/problem.md (2)
struct IntegratorRule {
  Integrator id;
  const char* name;  // in the configuration
  Steps (*step)(double dt);
  StepPart (*part)(double h, double dt);
  /// Where in a step forces act, as a share of it: 0 is its start. Elsewhere the state they act at
  /// is that of the iterate before, and friction follows the acceleration of its own step. (2b)
  double force_at;
  /// Where velocity and mean acceleration of a step stand on the clock of the positions, in steps.
  /// docs/math/baselines.md (3)
  double velocity_at, acceleration_at;

  bool lags() const { return force_at > 0; }
};

const IntegratorRule& rule_of(Integrator integrator);

}  // namespace bayesid
