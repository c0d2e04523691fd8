// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"
#include "excitation/motion_limits.hpp"

namespace bayesid {

/// What holds the robot, and where its motion starts.
struct MotionStart {
  Mode mode;
  Eigen::VectorXd q;
};

/// Loops and closed contacts, and the start with loops closed. Throws InputError for names that do
/// not exist, loops that cannot be closed, and robots that nothing holds.
MotionStart make_motion_start(const Dynamics& dynamics, const Config& config);

/// Throws InputError that names the limit which the start does not keep, and by how much: of a
/// position, of an effort or of a contact that has to carry the robot there.
void check_motion_start(const InstantModel& model, const std::vector<MotionLimit>& limits,
                        const Config& config);

}  // namespace bayesid
