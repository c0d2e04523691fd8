// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace bayesid::blocks {

/// normal · p ≤ reach, the normal of unit length.
struct HalfSpace {
  Eigen::Vector3d normal;
  double reach;
};

/// Half-spaces whose intersection is the convex hull of the points; none when it has no volume.
std::vector<HalfSpace> convex_hull(const std::vector<std::array<double, 3>>& points);

}  // namespace bayesid::blocks
