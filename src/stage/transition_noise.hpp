// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/stage.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/slip.hpp"
#include "stage/stage_motion.hpp"

namespace bayesid {

/// Noise of one transition: where it can go, and how far. x' gets basis · y, y of covariance
/// factor factorᵀ; the basis is B for position and for velocity, C its left inverse, B C the
/// projection.    docs/math/constraints.md (9)
/// Memory of one thread; nothing allocates after the constructor.
class TransitionNoise {
 public:
  explicit TransitionNoise(const StageSetting& setting);

  void set_basis(const StagePlan& plan, const Mode& mode, const StageDynamics& stage);
  /// Factor of the covariance of the noise in its coordinates.          docs/math/problem.md (4)
  void set_factor(const PhysicalParameters& eta, const Eigen::VectorXd& effort_std,
                  const Steps& steps, const StageDynamics& stage);
  auto L() const { return factor.topLeftCorner(2 * num_noises, 2 * num_noises); }

  /// y = C d, the part of a defect that noise can make up for.
  void coordinates(const Eigen::VectorXd& d);
  /// y_gamma = Bᵀγ with γ as the noise meets it, which stays in `gamma`.
  void multiplier_coordinates(const Eigen::Ref<const Eigen::VectorXd>& multiplier,
                              const StageMotion& motion);
  /// The disturbance of the multiplier, projected, with derivatives; false when there is
  /// none to project.
  bool disturb(const DynamicsAt& model, const Mode& mode, StageDynamics& stage,
               Dynamics::Workspace& workspace);
  /// N of the stage.
  void columns(const StageMotion& motion, Stage& out) const;
  /// The terms of the line search in the defect.
  void close(const StageMotion& motion, Stage& out);
  /// What no noise can make up for, in standard deviations of the disturbance.
  double infeasibility(const StagePlan& plan, const Mode& mode, const StageMotion& motion,
                       const StageDynamics& stage);
  /// w = −Σ Pᵀγ, then P w.
  Eigen::VectorXd projected_disturbance() const;
  /// Out of the factor's coordinates: the noise of efforts in standard deviations, without sign.
  void effort_noise(const Steps& steps, Eigen::VectorXd& out);

  bool is_projected = false, is_impact = false;
  int num_noises = 0;  // of position, and as many of velocity; an impact has its slip in velocity
  Eigen::MatrixXd B, C, factor;
  Eigen::MatrixXd scaled;  // what a std of each effort does to the noise's coordinates
  Eigen::VectorXd y, y_gamma, gamma, stiff;
  ProjectedNoise noise_q, noise_v;

 private:
  void effort_columns(const PhysicalParameters& eta, const Eigen::VectorXd& std,
                      const StageDynamics& stage);

  const StageSetting& setting_;
  KktFactorisation unit_kkt_;  // of a unit mass
  Eigen::MatrixXd unit_mass_, effort_cov_, work_, work2_;
  Eigen::VectorXd force_, dq_;
};

}  // namespace bayesid
