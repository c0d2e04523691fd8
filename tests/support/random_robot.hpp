// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bayesid::test {

struct RandomRobotOptions {
  int num_joints = 5;
  bool fixed_links = true;
  bool mimic = false;
  bool continuous = true;
  bool prismatic = true;
};

/// A random tree on a fixed base with consistent inertias: links link0 (base), link1 … moved by
/// joint1 …, and tool1 … fixed to some of them. The same seed gives the same text.
std::string random_urdf(int seed, const RandomRobotOptions& options);

/// The same with default options.
std::string random_urdf(int seed, int num_joints);

}  // namespace bayesid::test
