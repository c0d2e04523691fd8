// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/robot.hpp"

namespace bayesid::pipeline {

/// ∫v dt against Δq over the same samples, as the file has them: ∫v dt ≈ ratio · Δq.
struct VelocityRatio {
  double ratio = 0, correlation = 0;
  /// They are the same motion, perhaps reversed, in whatever units.
  bool is_clear() const;
};

/// Two numbers of the same unit, which noise and lags bend.
bool is_near(double value, double other);

VelocityRatio velocity_ratio(const std::vector<long double>& stamps,
                             const std::vector<double>& position,
                             const std::vector<double>& velocity);

/// Value = sign · scale · column, and why.
struct UnitGuess {
  double scale = 1, sign = 1;
  std::string evidence = {};  // "": nothing speaks for another unit
  std::string question = {};  // "": it is clear
};

/// Of the stamps of a clock: by its name, its size, or the velocities of revolute joints.
UnitGuess guess_time(const std::string& name, const std::vector<long double>& stamps,
                     const std::vector<VelocityRatio>& revolute);

/// What tells the units of a joint.
struct JointSignals {
  const Joint* joint = nullptr;
  double lowest = 0, highest = 0;                       // of the position column
  bool q_says_degrees = false, v_says_degrees = false;  // by their names
  bool has_velocity = false;
  VelocityRatio velocity;  // ∫v dt with the stamps in seconds
};

struct JointUnits {
  UnitGuess position, velocity;
};

/// Degrees and millimetres of the joints of one log: by name, by the limits of a joint, by the
/// ratio of velocity and position; angles that nothing tells about are taken as the others.
std::vector<JointUnits> guess_joints(const std::vector<JointSignals>& joints);

}  // namespace bayesid::pipeline
