// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "excitation/instant.hpp"

namespace bayesid {

/// A number that an instant of the motion has to keep within a range.
struct MotionLimit {
  enum class Kind { position, velocity, effort, push, cone, conditioning, distance };
  Kind kind;
  int index = 0;  // of the joint in v, of the first row of the contact, or of the pair of shapes
  int idx_q = 0;  // of the joint
  double lower, upper;          // that the motion may use
  double own_lower, own_upper;  // of the robot
  double scale = 1;             // numbers are divided by it for the solver
  double mu = 0;
  double far = 0;  // shapes beyond this distance count as if they were there
  // "position", "velocity", "effort", "force", "friction_cone", "conditioning", "self_collision"
  std::string name;
  std::string of;  // joint, contact, "loops and contacts" or "link–link"
  std::string unit;
};

/// Limits of joints, and of contacts that hold the three directions of the world. Throws InputError
/// when a contact has no coefficient of friction.                docs/math/excitation.md (13)
std::vector<MotionLimit> make_motion_limits(const Dynamics& dynamics,
                                            const ConstrainedMotion& motion, const Config& config);

/// One for each pair of shapes, `least` apart.                     docs/math/excitation.md (13a)
std::vector<MotionLimit> make_distance_limits(const SelfCollision& self_collision, double least);

double limit_value(const MotionLimit& limit, const MotionInstant& at);
/// Its derivatives in y, ẏ, ÿ.
CoordinateSlopes limit_slopes(const MotionLimit& limit, const MotionInstant& at);
/// How far within the range it may use, negative outside, in units of `scale`.
double limit_margin(const MotionLimit& limit, double value);
/// The same of the robot's own range, in its units.
double own_margin(const MotionLimit& limit, double value);

}  // namespace bayesid
