// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "bayesid/robot.hpp"

namespace bayesid {

/// Angles in degrees: far outside of what a joint in radians can do, but not if divided by 57.3.
/// `largest` is the largest size of its position.
inline bool is_in_degrees(const Joint& joint, double largest) {
  constexpr double degrees = 180.0 / M_PI;
  if (joint.prismatic) return false;
  const double reach = std::max(std::abs(joint.lower), std::abs(joint.upper));
  const bool outside_limits = std::isfinite(reach) && reach < 4 * M_PI && largest > 3 * reach &&
                              largest / degrees < 1.5 * reach;
  const bool many_turns = largest > 4 * M_PI && !(std::isfinite(reach) && reach > largest / 1.5);
  return outside_limits || many_turns;
}

}  // namespace bayesid
