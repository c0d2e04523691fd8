// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/excite.hpp"
#include "excitation/motion_limits.hpp"

namespace bayesid {

/// A motion at some times.
struct MotionSamples {
  const std::vector<double>& times;
  const std::vector<MotionInstant>& all;
};

/// The least margin of each limit, without distances of shapes.
std::vector<LimitMargin> least_margins(const std::vector<MotionLimit>& limits,
                                       const MotionSamples& motion);

/// The least distance of each pair of links, however far, and its margin to `lower`.
std::vector<LimitMargin> least_distances(const Robot& robot, const SelfCollision& shapes,
                                         double lower, const MotionSamples& motion);

}  // namespace bayesid
