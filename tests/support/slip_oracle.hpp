// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/problem.hpp"

namespace bayesid::test {

/// Standard deviations of the impulses along a mode's slipping rows.
Eigen::VectorXd slip_std(const Mode& mode);

/// Impulses along the slipping rows that a multiplier of the velocity after the impact gives:
///   Λₜ = −Σ Jₜ Z Zᵀγ, the likeliest for the jump they make.
Eigen::VectorXd slip_impulse(const StageDynamics& stage, const Mode& mode,
                             const Eigen::VectorXd& gamma);

/// The jump of an impact for given impulses along its slipping rows, from one dense system:
///   M a − Jᵀλ = Jₜᵀ Λₜ,  J a = −(1 + ε) J v
Eigen::VectorXd slipping_jump(const StageDynamics& stage, const Mode& mode,
                              const Eigen::VectorXd& v, const Eigen::VectorXd& impulse);

/// A cube in flight whose corner hits a plate and slides: a few samples of a camera.
struct SimulatedToss {
  std::unique_ptr<RobotProblem> made;
  const RobotProblem& problem() const { return *made; }
};
SimulatedToss simulated_toss(Formulation formulation);

/// The same problem written with all noises as unknowns: states follow from the first one by
/// integration, and everything is one least-squares problem with numeric derivatives.
struct DenseAnswer {
  double cost = 0;
  Eigen::VectorXd theta, impulse;
  Eigen::MatrixXd theta_cov;
};
DenseAnswer solve_toss_densely(const SimulatedToss& toss);

}  // namespace bayesid::test
