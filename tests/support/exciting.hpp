// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/excite.hpp"
#include "excitation/constrained_motion.hpp"

namespace bayesid::test {

/// A robot that can be excited: everything unknown, gains of efforts too.
struct ExcitingScene {
  std::string name;
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
  ConstrainedMotion motion() const;
};

/// Two joints; a tree with prismatic, continuous and mimic joints; a four-bar; a leg with three
/// loops; ANYmal on its feet; Talos on its soles.
const std::vector<ExcitingScene>& exciting_scenes();

/// The two-joint arm with limits, moderate in size: a second or so of search.
Config exciting_arm();

/// The four-bar leg, and ANYmal on four points, for searches with few harmonics.
Config exciting_four_bar();
Config exciting_anymal();

struct Coordinates {
  Eigen::VectorXd y, dy, ddy;
};
Coordinates random_coordinates(int size, double scale, unsigned seed);

/// Of positions, velocities and accelerations of the rows.
double largest_violation(const Dynamics& dynamics, const Mode& mode, const MotionAt& at);

}  // namespace bayesid::test
