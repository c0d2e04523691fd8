// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/dynamics.hpp"

namespace bayesid {

/// A motion at one instant and its derivatives in the independent coordinates: tangents of q. By
/// construction ∂v/∂ẏ = ∂a/∂ÿ = ∂q/∂y.
struct MotionAt {
  Eigen::VectorXd q, v, a;
  Eigen::MatrixXd dq_dy, dv_dy, da_dy, da_ddy;  // da_ddy = ∂a/∂ẏ
  // How evenly the robot moves with y: 1 at the start, 0 where a leg is straight or a loop folds.
  double conditioning = 1;  // docs/math/excitation.md (6a)
  Eigen::VectorXd dconditioning_dy;
};

/// Independent coordinates and those that close the constraints there.
struct ClosedAt {
  Eigen::VectorXd y, z;
};

/// Motions that hold loops and contacts exactly, as functions of independent coordinates y: zero is
/// the start, q = q_ini ⊕ (B y + D z) with z such that φ(q) = 0.   docs/math/excitation.md (3)-(6)
class ConstrainedMotion {
 public:
  /// Contacts hold where they are at q_ini; loops must be closed there. The mode's springs and
  /// dampers are left out.
  ConstrainedMotion(const Dynamics& dynamics, Mode mode, Eigen::VectorXd q_ini);

  int size() const { return static_cast<int>(B_.cols()); }
  const Mode& mode() const { return mode_; }
  const Eigen::VectorXd& q_ini() const { return q_ini_; }
  bool is_free() const { return mode_.constraints.empty(); }
  /// Motion at y with rates; false when no configuration near the start holds the constraints.
  bool at(const Eigen::VectorXd& y, const Eigen::VectorXd& dy, const Eigen::VectorXd& ddy,
          Kinematics& kinematics, MotionAt& out) const;
  /// The same where z is known.
  bool at(const ClosedAt& closed_at, const Eigen::VectorXd& dy, const Eigen::VectorXd& ddy,
          Kinematics& kinematics, MotionAt& out) const;
  /// From z at y_from to z at y, by continuation; false when the constraints do not hold all the
  /// way.
  bool go_on(const Eigen::VectorXd& y_from, const Eigen::VectorXd& y, Kinematics& kinematics,
             Eigen::VectorXd& z) const;
  int num_dependent() const { return static_cast<int>(D_.cols()); }
  /// Configuration of a floating base in the middle of its chart, moved by c.
  Eigen::VectorXd configuration(const Eigen::VectorXd& c) const;

 private:
  struct Rows;
  struct Chart;
  Chart chart(const Eigen::VectorXd& c, const Eigen::VectorXd& dc,
              const Eigen::VectorXd& ddc) const;
  Rows rows(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
            Level level, Kinematics& kinematics) const;
  bool close(const Eigen::VectorXd& y, Kinematics& kinematics, Eigen::VectorXd& z) const;
  void find_conditioning(const Eigen::VectorXd& c, const Eigen::MatrixXd& G,
                         const Eigen::MatrixXd& J, const Eigen::MatrixXd& solver,
                         Kinematics& kinematics, MotionAt& out) const;
  void differentiate(const Eigen::VectorXd& c, const Eigen::VectorXd& dy,
                     const Eigen::VectorXd& ddy, Kinematics& kinematics, MotionAt& out) const;

  const Robot& robot_;
  Mode mode_;
  std::vector<std::vector<MotionConstraint>> single_;  // each constraint by itself
  Eigen::VectorXd q_ini_;
  Eigen::Matrix3d R_ini_;
  Eigen::MatrixXd B_, D_;  // nv × m and nv × rank
};

}  // namespace bayesid
