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
  bool is_contact = false;       // holds from where it closed

  int num_rows() const { return static_cast<int>(rows.size()); }
};

/// What holds at the same time.
struct Mode {
  std::vector<MotionConstraint> constraints;
  int num_rows() const;
};

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

/// Residual of a mode's rows with derivatives; the rows beyond the mode's number do not count.
struct ConstraintRows {
  ConstraintRows(int max_rows, int nv);
  Eigen::MatrixXd J, dr_dq, dr_dv;
  Eigen::VectorXd r;
};

/// Rows of a mode at a motion; derivatives where asked. No allocation.
void evaluate_rows(const Mode& mode, const BodyKinematics& at, Level level, bool derivatives,
                   ConstraintRows& out);

/// out −= ∂(Jᵀλ)/∂q. No allocation.
void subtract_force_derivative(const Mode& mode, const BodyKinematics& at,
                               const Eigen::Ref<const Eigen::VectorXd>& lambda,
                               Eigen::Ref<Eigen::MatrixXd> out);

}  // namespace bayesid
