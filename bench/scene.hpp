// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/problem.hpp"
#include "support/standing.hpp"

namespace bayesid::bench {

using test::Scene;

/// "pendulum": two links, 32 parameters. "panda": seven joints, fingers locked, 112 parameters.
/// "quadruped": ANYmal on four points. "biped": the legs of Talos on two soles.
Scene make_scene(const std::string& name);

struct ProblemOptions {
  int num_stages = 1000;
  bool effort_exact = false;
  double theta_offset = 0.2;  // truth = prior ± this many prior stds
  unsigned seed = 1;
};

/// A log of the scene (500 Hz) as an estimation problem; simulated where nothing stands.
RobotProblem make_problem(const Scene& scene, const ProblemOptions& options);

/// Value of "--name value" on the command line.
std::string option(int argc, char** argv, const std::string& name, const std::string& otherwise);

}  // namespace bayesid::bench
