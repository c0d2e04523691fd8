// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stage/force_readings.hpp"
#include "stage/stage_step.hpp"

namespace bayesid {

/// What a transition costs at a path: ½|ε|² of the noise that closes it, split by where it acts,
/// and what no noise can close.                                       docs/math/problem.md (7)
struct TransitionCost {
  double disturbance = 0, effort = 0;
  double infeasibility = 0;
};

/// From a state to the next, with the noise between them and the rows that read forces. Memory of
/// one thread; nothing allocates after the constructor.
///
/// Every call takes the stage as it stands at a path; the measured inputs, motion.tau, are the
/// caller's and stand there before.
class Transition {
 public:
  Transition(const StageSetting& setting, const std::vector<ForceSensor>& force_sensors);

  bool reads_forces(const StageView& at) const { return ForceReadings::any(setting_, at); }
  /// A, D, K, N, d and what the line search needs, and rows of forces behind those of `out`.
  void linearise(const StageView& at, Stage& out, StageRecord& kept);
  /// Parts of the sensors of forces and, last, of the inequalities are added to `force_parts`.
  TransitionCost evaluate(const StageView& at, const Eigen::Ref<Eigen::VectorXd>& force_parts);
  /// Inputs and multipliers that are consistent with the states.
  void restore(const StageView& at, Path& path);
  /// Gap of the inequalities of forces and efforts, and their next multipliers on request.
  double update_multipliers(const StageView& at, bool change, Path& path);
  /// D K δζ.
  void parameter_shift(const StageView& at, const StageRecord& kept, const Eigen::VectorXd& dzeta,
                       const Eigen::Ref<Eigen::VectorXd>& out);
  /// Leaves stage, defect, noise basis and the multiplier's coordinates as they are at the path.
  void examine(const StageView& at);

  Dynamics::Workspace dynamics;
  StageDynamics stage;
  Kinematics kinematics;
  StageMotion motion;
  TransitionNoise noise;
  ForceReadings forces;
  StageStep step;

 private:
  void read(const StageView& at);
  void solve_stage(const StageView& at);
  void linearise_stage(const StageView& at);
  void integrate(const StageView& at);
  void propagate_noise(const DynamicsAt& model);
  void close(const StageView& at);
  void read_forces(const StageView& at);
  void state_columns(const Steps& steps, bool with_noise, Stage& out);
  void parameter_columns(const Steps& steps, bool with_noise, Stage& out);
  void friction_curvature(const StageView& at, const StageRecord& kept, Stage& out);
  void keep(const Steps& steps, bool with_noise, StageRecord& kept) const;
  void restore_noise(const StageView& at, bool reads_forces, Path& path);

  const StageSetting& setting_;
  Eigen::VectorXd force_, xi_, y_;
  Eigen::MatrixXd Z_transposed_;
};

}  // namespace bayesid
