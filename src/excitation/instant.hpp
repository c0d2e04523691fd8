// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "excitation/constrained_motion.hpp"
#include "excitation/self_collision.hpp"

namespace bayesid {

/// One instant of a motion: what motors and contacts do, and what it shows of the parameters.
struct MotionInstant {
  bool exists = false;  // the constraints can be held there
  MotionAt motion;
  Eigen::VectorXd tau, lambda;  // efforts of motors, forces of the rows of the mode
  Eigen::MatrixXd dtau_dq, dtau_dv, dtau_da, dlambda_dq, dlambda_dv, dlambda_da;
  Eigen::MatrixXd J, dh_dzeta;
  Eigen::MatrixXd C;  // P = CᵀC                               docs/math/excitation.md (7)
  std::vector<ShapeDistance> near;  // shapes that are not far from each other
  Eigen::MatrixXd regressor;  // C ∂h/∂ζ times the columns: information is regressorᵀ regressor
};

/// Derivatives of a number in y, ẏ and ÿ.
struct CoordinateSlopes {
  Eigen::VectorXd y, dy, ddy;
};

/// Chain rule: derivatives in q, v and a, as columns, become those in y, ẏ and ÿ.
CoordinateSlopes in_coordinates(const MotionAt& at, const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& dv, const Eigen::VectorXd& da);

/// Forces and information along motions of one robot. Immutable; workspaces belong to threads.
class InstantModel {
 public:
  struct Workspace {
    Workspace(const Dynamics& dynamics, int num_rows);
    Dynamics::Workspace dynamics;
    Kinematics kinematics;
    ForceBalance balance;
    ConstraintRows rows;
    BalanceGradient slopes;
  };

  /// `columns` are directions of ζ, `noise` is the covariance of the balance of forces; distances
  /// of shapes are not looked at without `self_collision`.
  InstantModel(const Dynamics& dynamics, const ConstrainedMotion& motion,
               const Eigen::VectorXd& theta, Eigen::MatrixXd columns, const Eigen::MatrixXd& noise,
               std::shared_ptr<const SelfCollision> self_collision = nullptr);

  const Dynamics& dynamics() const { return dynamics_; }
  const ConstrainedMotion& motion() const { return motion_; }
  int num_columns() const { return static_cast<int>(columns_.cols()); }
  /// Places in v that no motor moves.
  const std::vector<int>& passive() const { return passive_; }
  Workspace make_workspace() const { return {dynamics_, motion_.mode().num_rows()}; }

  void evaluate(const ClosedAt& at, const Eigen::VectorXd& dy, const Eigen::VectorXd& ddy,
                Workspace& workspace, MotionInstant& out) const;
  /// The same, with what closes the constraints found on the straight way from the start.
  void evaluate(const Eigen::VectorXd& y, const Eigen::VectorXd& dy, const Eigen::VectorXd& ddy,
                Workspace& workspace, MotionInstant& out) const;
  /// Derivatives of tr(S regressorᵀ regressor) for a symmetric S that does not move.
  /// docs/math/excitation.md (8)-(10)
  CoordinateSlopes slopes(const MotionInstant& at, const Eigen::MatrixXd& S,
                          Workspace& workspace) const;

 private:
  void balance(const MotionAt& at, Workspace& workspace) const;
  void split_forces(Workspace& workspace, MotionInstant& out) const;
  void evaluate_efforts(Workspace& workspace, MotionInstant& out) const;

  const Dynamics& dynamics_;
  const ConstrainedMotion& motion_;
  std::shared_ptr<const DynamicsAt> at_;
  std::shared_ptr<const SelfCollision> self_collision_;
  Eigen::MatrixXd columns_;
  Eigen::MatrixXd whiten_;  // L⁻¹, L Lᵀ the covariance of the balance
  std::vector<int> passive_;
};

}  // namespace bayesid
