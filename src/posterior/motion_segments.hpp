// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Angles of a joint without jumps of whole turns. A step of more than half a turn is believed only
/// when the velocity says so too.
Eigen::VectorXd unwrapped(const Recording& recording, Eigen::Index joint);

/// First samples of the segments between which velocities or accelerations jump, and the number of
/// samples; no segment is shorter than eight samples.
std::vector<Eigen::Index> motion_cuts(const Timeline& timeline, Eigen::Index num_samples);

}  // namespace bayesid
