// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "bayesid/problem/robot_problem.hpp"

namespace bayesid::bench {

struct Scene {
  std::string name;
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
};

/// "pendulum": two links, 32 parameters. "panda": seven joints, fingers locked, 112 parameters.
Scene make_scene(const std::string& name);

struct ProblemOptions {
  int num_stages = 1000;
  bool effort_exact = false;
  double theta_offset = 0.2;  // truth = prior ± this many prior stds
  unsigned seed = 1;
};

/// A simulated log of the scene (500 Hz) as an estimation problem.
RobotProblem make_problem(const Scene& scene, const ProblemOptions& options);

/// Value of "--name value" on the command line.
std::string option(int argc, char** argv, const std::string& name, const std::string& otherwise);

}  // namespace bayesid::bench
