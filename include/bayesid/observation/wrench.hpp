// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "bayesid/dynamics/kinematics.hpp"
#include "bayesid/parameters/parameter_set.hpp"

namespace bayesid {

/// Force of the ground on the robot in a contact, then its moment about the origin of the contact's
/// frame, both in the axes of that frame.
using ContactWrench = Eigen::Matrix<double, 6, 1>;

/// Sensor of the force of one contact along one recording. docs/math/observation.md (7)
///   r = (R₁ᵀ(f, n) + b − ŷ) / σ
struct WrenchSensor {
  std::string name, contact;
  std::array<double, 6> std{};  // fx … fz, tx … tz; 0: not used
  std::array<int, 6> offset{};  // b among the sensors' parameters; −1: none
  Eigen::MatrixXd measured;     // 6 × samples, NaN where not measured
  std::vector<int> sample;      // of each stage of the recording; −1: none

  std::string kind() const { return "wrench." + name; }
  bool has_row(int channel, int at) const;
};

/// The most that sensors can have in a stage.
int num_rows(const std::vector<WrenchSensor>& sensors);

inline constexpr std::array<const char*, 6> wrench_axes{"fx", "fy", "fz", "tx", "ty", "tz"};

/// Offsets of a sensor among the sensors' parameters: fx … tz, −1 where there is none.
std::array<int, 6> wrench_offsets(const ParameterSet& parameters, const std::string& name);

/// Standard deviations of the six channels; 0 where the configuration has none.
std::array<double, 6> wrench_std(const WrenchConfig& config);

/// Where the rows of a contact stand among those of a mode; null constraint: it is open.
struct ContactRows {
  const MotionConstraint* constraint = nullptr;
  int first = 0;
};
ContactRows find_contact(const Mode& mode, const std::string& name);

/// Turns forces from the axes of a constraint's rows to those of its frame. No allocation.
Eigen::Matrix3d to_frame_axes(const MotionConstraint& constraint, const Eigen::VectorXd& q,
                              Kinematics& kinematics);

/// What the forces λ of a mode are in the frame of a contact; zero when it is open. No allocation.
ContactWrench contact_wrench(const ContactRows& contact, const Eigen::VectorXd& lambda,
                             const Eigen::Matrix3d& to_frame);

}  // namespace bayesid
