// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>

#include "math/shortest.hpp"

namespace bayesid {

/// Three numbers as a URDF has them, with blanks between.
inline std::string xyz_text(const Eigen::Vector3d& v) {
  return shortest(v[0]) + " " + shortest(v[1]) + " " + shortest(v[2]);
}

}  // namespace bayesid
