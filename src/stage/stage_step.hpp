// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stage/stage_motion.hpp"
#include "stage/stage_record.hpp"
#include "stage/stage_view.hpp"

namespace bayesid {

/// What a linearised stage, kept in its record, makes of changes. Memory of one thread; nothing
/// allocates after the constructor.
class StageStep {
 public:
  explicit StageStep(const StageSetting& setting);

  /// out = Z Zᵀ (∂x'/∂a)ᵀ γ.
  void solve_forces(const StageRecord& kept, const Steps& steps,
                    const Eigen::Ref<const Eigen::VectorXd>& gamma, Eigen::VectorXd& out);
  /// D K δζ of a stage whose motion was read.
  void parameter_shift(const StageRecord& kept, const DynamicsAt& model, const StagePlan& plan,
                       const Eigen::VectorXd& dzeta, StageMotion& motion,
                       Dynamics::Workspace& workspace, Eigen::Ref<Eigen::VectorXd> out);
  /// Inputs of stage k for states and multipliers that the step of some length moves: the full step
  /// satisfies the transition, v' = v + e a + ŵ with w = −Σ Pᵀγ.
  void move_inputs(const StageView& at, const StageRecord& kept,
                   const Eigen::Ref<const Eigen::MatrixXd>& dx,
                   const Eigen::Ref<const Eigen::MatrixXd>& dgamma, double length, Path& out);

 private:
  void solve_forces(const StageRecord& kept, const Steps& steps, const Matrix6& to_q,
                    const Eigen::Ref<const Eigen::VectorXd>& gamma, Eigen::VectorXd& out);
  void project_velocity_noise(const StageRecord& kept);
  void effort_noise(const StageView& at, const StageRecord& kept);
  void apply_constrained_solve(const StageRecord& kept, Eigen::VectorXd& to);

  const StageSetting& setting_;
  Eigen::VectorXd a_, n_, dq_, force_, y_, gamma_;
};

}  // namespace bayesid
