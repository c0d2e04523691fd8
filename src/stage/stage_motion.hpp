// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/trajectory.hpp"
#include "stage/stage_setting.hpp"

namespace bayesid {

/// Where one stage begins, where its forces act, and how far its end is from the next state.
/// Memory of one thread; nothing allocates after the constructor.
class StageMotion {
 public:
  explicit StageMotion(const StageSetting& setting);

  /// State and inputs of stage k of a path; `tau` is the caller's.
  void read(int k, const Path& path);
  /// Forces act at the start of a stage or, with rules that lag, some way on.
  void place_forces(const StagePlan& plan, int k, const Path& path);
  /// Derivatives by the configuration where forces act become those by the start of the stage.
  void turn_to_start(const StagePlan& plan, Eigen::Ref<Eigen::MatrixXd> by_q) const;
  /// defect = Ψ(x, a) ⊖ x' with the stage's acceleration; leaves the step of q.
  /// docs/math/problem.md (2)
  void find_defect(const Steps& steps, const Eigen::VectorXd& acceleration,
                   const Eigen::Ref<const Eigen::VectorXd>& next);
  /// How a floating base carries steps and noise over to x', at the defect. docs/math/problem.md
  /// (3)
  void find_defect_jacobians();
  /// What friction makes of the step, for rules that lag; else null.
  const StepInertia* step_friction() const {
    return setting_.integrator->lags() ? &step_inertia : nullptr;
  }

  Eigen::VectorXd q, v;       // at the start
  Eigen::VectorXd a, n, tau;  // inputs: acceleration, noise of efforts; what was measured of them
  Eigen::VectorXd acting_q, acting_v;
  StepInertia step_inertia;
  Eigen::VectorXd step, defect;
  // ∂(q ⊕ step) and ∂(x' ⊖ …) of a floating base, by the moved and by the moving.
  Eigen::Matrix<double, 6, 6> step_q, step_u, error_q, error_u;

 private:
  const StageSetting& setting_;
  Eigen::Matrix<double, 6, 6> acting_turn_;  // how the base there moves with the one at the start
  Eigen::VectorXd q_next_, q_to_, dq_;
};

/// Half a step (or the rule's share) of configuration and velocity, as the path says now, and what
/// friction there makes of the acceleration; 2 nv + drives numbers.   docs/math/problem.md (2b),
/// (2c)
int num_lagged(const StageSetting& setting);
void lag(const StageSetting& setting, const DynamicsAt& at, const StagePlan& plan, int k,
         Path& path);

}  // namespace bayesid
