// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace bayesid::blocks {

using Eigen::Vector3d;

namespace {

constexpr double flat = 1e-9;  // of the size of all points

bool is_known(const std::vector<HalfSpace>& sides, const HalfSpace& side, double size) {
  return std::any_of(sides.begin(), sides.end(), [&](const HalfSpace& other) {
    return (other.normal - side.normal).norm() < 1e-7 &&
           std::abs(other.reach - side.reach) < 1e-7 * size;
  });
}

}  // namespace

std::vector<HalfSpace> convex_hull(const std::vector<std::array<double, 3>>& points) {
  // Every plane through three points is a side when all others lie on one side of it.
  const auto point = [&](std::size_t i) { return Vector3d(points[i].data()); };
  const std::size_t n = points.size();
  double size = 0;
  for (std::size_t i = 1; i < n; ++i) size = std::max(size, (point(i) - point(0)).norm());
  std::vector<HalfSpace> out;
  bool has_volume = false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        Vector3d normal = (point(j) - point(i)).cross(point(k) - point(i));
        if (normal.norm() <= flat * size * size) continue;
        normal.normalize();
        double lowest = 0, highest = 0;
        for (std::size_t l = 0; l < n; ++l) {
          const double height = normal.dot(point(l) - point(i));
          lowest = std::min(lowest, height);
          highest = std::max(highest, height);
        }
        has_volume = has_volume || std::max(highest, -lowest) > flat * size;
        for (const bool outward : {true, false}) {
          if (outward ? highest > flat * size : lowest < -flat * size) continue;
          const Vector3d out_of = outward ? normal : Vector3d(-normal);
          const HalfSpace side{out_of, out_of.dot(point(i))};
          if (!is_known(out, side, size)) out.push_back(side);
        }
      }
    }
  }
  return has_volume ? out : std::vector<HalfSpace>();
}

}  // namespace bayesid::blocks
