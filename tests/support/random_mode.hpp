// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/constraint.hpp"
#include "support/scene.hpp"

namespace bayesid::test {

/// Constraints of every kind between random places of a robot; nothing is closed.
struct ModeCase {
  std::string name;
  Mode mode;
};
std::vector<ModeCase> random_modes(const Robot& robot, int seed);

/// What a scene is tested in: its contacts, or random constraints if it has none, and free motion.
std::vector<ModeCase> modes_of(const Scene& scene, int seed);

}  // namespace bayesid::test
