// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/dynamics/constraint.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/stage_plan.hpp"

namespace bayesid {

/// What the robot can touch and what holds it together.
struct MotionConstraints {
  std::vector<MotionConstraint> contacts, loops;
  bool empty() const { return contacts.empty() && loops.empty(); }
};

/// Contacts and loops of a configuration. Throws InputError for links that do not exist.
MotionConstraints make_constraints(const Robot& robot, const Config& config);

/// A node: a state, at a sample or between two.
struct NodePlan {
  double time = 0;
  int sample = -1;  // that is observed here; −1: none
};

/// The stages of one recording. Contacts that close do so with an impact; without one in the
/// configuration, nothing bounces.
struct Timeline {
  std::vector<StagePlan> stages;
  std::vector<NodePlan> nodes;  // one more than stages
  std::vector<Mode> modes;
  int max_rows() const;
  int max_slips() const;
  /// A free robot: a stage between any two samples.
  static Timeline of(const Recording& recording);
};

/// Windows of `size` stages, one behind the other; an impact breaks a window off, and what is left
/// at the end of a recording is in none.
std::vector<EnergyWindow> make_energy_windows(const Timeline& timeline, int size);

/// Throws InputError naming the log and the time: impacts outside of it, contacts that are closed
/// twice.
Timeline make_timeline(const Recording& recording, const MotionConstraints& constraints);

}  // namespace bayesid
