// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/problem.hpp"
#include "bayesid/simulate.hpp"
#include "bayesid/solve.hpp"

namespace bayesid::test {

/// Noise of every kind, the same for all joints.
Noise uniform_noise(int nv, double position, double velocity, double effort, double disturbance);

/// The small robot of small_urdf.hpp with a simulated log: truth, problem and its solution.
struct SimulatedProblem {
  std::shared_ptr<const Dynamics> dynamics;
  Eigen::VectorXd theta_true;
  std::vector<Recording> recordings;
  Noise noise;
  std::shared_ptr<const RobotProblem> problem;
  Solution solution;
};

/// One for each number of recordings; made once.
const SimulatedProblem& simulated_problem(int num_recordings = 1);

}  // namespace bayesid::test
