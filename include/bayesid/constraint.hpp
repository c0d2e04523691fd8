// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/robot.hpp"

namespace bayesid {

struct Noise;

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
  bool is_contact = false;       // stays where it closed

  int num_rows() const { return static_cast<int>(rows.size()); }
  /// Of the impulse along a row that slips.
  double slip_std(int row) const { return row < 3 ? slip : twist; }
};

int num_rows(const std::vector<MotionConstraint>& constraints);

/// Simultaneous constraints and, in an impact, the rows along which contacts slip.
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

/// Rows of constraints at a motion; derivatives on request. No allocation.
void evaluate_rows(const std::vector<MotionConstraint>& constraints, const BodyKinematics& at,
                   Level level, bool derivatives, ConstraintRows& out);

/// out −= ∂(Jᵀλ)/∂q. No allocation.
void subtract_force_derivative(const std::vector<MotionConstraint>& constraints,
                               const BodyKinematics& at,
                               const Eigen::Ref<const Eigen::VectorXd>& lambda,
                               Eigen::Ref<Eigen::MatrixXd> out);

/// Contacts and loop closures of a robot.
struct MotionConstraints {
  std::vector<MotionConstraint> contacts, loops;
  bool empty() const { return contacts.empty() && loops.empty(); }
};

/// Contacts and loops of a configuration. Throws InputError for links that do not exist.
MotionConstraints make_constraints(const Robot& robot, const Config& config);

/// lower ≤ value ≤ upper for one joint.
struct JointLimit {
  int idx_q = 0, idx_v = 0;
  double lower, upper;
  double std = 1;  // the penalty of a violation by this much is ½, to begin with
  std::string name;
};

/// The force of the ground stays within a cone: |f_x, f_y| ≤ mu f_z in the axes of the world, or
/// f_z ≥ 0 when mu is infinite.
struct ContactLimit {
  std::string contact;
  double mu;
  std::string name;
};

/// Inequalities of states, contact forces and efforts. docs/math/inequalities.md
struct StageLimits {
  std::vector<JointLimit> position, velocity, effort;
  std::vector<ContactLimit> contacts;
  double force_std = 1;  // N

  /// Multipliers of a node with its stage: positions, velocities, three for each contact, efforts.
  int num_multipliers() const { return first_effort() + static_cast<int>(effort.size()); }
  int first_velocity() const { return static_cast<int>(position.size()); }
  int first_contact() const { return first_velocity() + static_cast<int>(velocity.size()); }
  int first_effort() const { return first_contact() + 3 * static_cast<int>(contacts.size()); }
  bool empty() const { return num_multipliers() == 0; }
  bool read_forces() const { return !contacts.empty() || !effort.empty(); }
};

/// From constraints.stage. Throws InputError for joints and contacts that do not exist, and for
/// limits of efforts that are exact.
StageLimits make_stage_limits(const Robot& robot, const Config& config, const Noise& noise);

}  // namespace bayesid
