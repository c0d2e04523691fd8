// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/dynamics/constraint.hpp"

namespace bayesid::test {

/// Constraints of every kind between random places of a robot; nothing is closed.
struct ModeCase {
  std::string name;
  Mode mode;
};
std::vector<ModeCase> random_modes(const Robot& robot, int seed);

}  // namespace bayesid::test
