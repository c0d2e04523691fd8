// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Two places of the robot, or one of it and one of the world, that move together.
/// docs/math/constraints.md
struct MotionConstraint {
  std::string name;
  ConstraintType type = ConstraintType::point;
  Axes axes = Axes::local;
  FramePlacement first, second;  // second.body == 0: the world
  std::vector<int> rows;         // kept ones: 0…2 linear, 3…5 angular
  double kp = 0, kd = 0;         // Baumgarte
  double restitution = 0;        // of an impact
  double slip = 0, twist = 0;    // std of an impact's impulses along rows not kept, N·s, N·m·s
  bool is_contact = false;       // holds from where it closed

  int num_rows() const { return static_cast<int>(rows.size()); }
  /// Of the impulse along a row that slips.
  double slip_std(int row) const { return row < 3 ? slip : twist; }
};

int num_rows(const std::vector<MotionConstraint>& constraints);

/// What holds at the same time and, in an impact, the rows along which contacts slip.
struct Mode {
  std::vector<MotionConstraint> constraints;
  std::vector<MotionConstraint> slips = {};
  int num_rows() const { return bayesid::num_rows(constraints); }
  int num_slips() const { return bayesid::num_rows(slips); }
};

/// The rows that a contact does not keep and that have impulses of their own, as a constraint; no
/// rows when nothing slips.
MotionConstraint slipping_rows(const MotionConstraint& contact);

/// Names of the rows: linear, then angular.
inline constexpr std::array<const char*, 6> row_axes{"x", "y", "z", "rx", "ry", "rz"};

/// "knee_bar.z" for each row of the mode.
std::vector<std::string> row_names(const Mode& mode);

/// Motion of all bodies in world coordinates at the world's origin, and the columns that move them.
struct BodyKinematics {
  explicit BodyKinematics(const pinocchio::Model& model);
  using Spatial = Eigen::Matrix<double, 6, Eigen::Dynamic>;

  std::vector<Eigen::Matrix3d> rotation;     // of each Pinocchio joint, 0 is the world
  std::vector<Eigen::Vector3d> translation;  // of the same
  Spatial velocity, acceleration;            // of the same, without gravity
  Spatial J;                                 // a column for each velocity
  struct Column {
    int index, joint, parent;
  };
  std::vector<std::vector<Column>> support;  // columns that move a body, base first
};

/// Position: φ. Velocity: J v. Acceleration: J a + J̇ v + kd J v + kp φ.
enum class Level { position, velocity, acceleration };

/// Residual of rows with derivatives; those beyond the number of rows do not count.
struct ConstraintRows {
  ConstraintRows(int max_rows, int nv);
  Eigen::MatrixXd J, dr_dq, dr_dv;
  Eigen::VectorXd r;
};

/// Rows of constraints at a motion; derivatives where asked. No allocation.
void evaluate_rows(const std::vector<MotionConstraint>& constraints, const BodyKinematics& at,
                   Level level, bool derivatives, ConstraintRows& out);

/// out −= ∂(Jᵀλ)/∂q. No allocation.
void subtract_force_derivative(const std::vector<MotionConstraint>& constraints,
                               const BodyKinematics& at,
                               const Eigen::Ref<const Eigen::VectorXd>& lambda,
                               Eigen::Ref<Eigen::MatrixXd> out);

}  // namespace bayesid
