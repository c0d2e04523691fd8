// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/robot.hpp"

namespace bayesid {

inline std::string position_unit(const Joint& joint) {
  return joint.prismatic ? "m" : "rad";
}

inline std::string effort_unit(const Joint& joint) {
  return joint.prismatic ? "N" : "N·m";
}

}  // namespace bayesid
