// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/noise.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

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
