// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// How a motion is smoothed: polynomials of that order over that many samples.
struct SmoothingWindow {
  int order = 4;
  int samples = 0;
};

/// A motion at every sample of one recording, as the transitions of the problem have it, and what
/// holds the robot there.
struct SampledMotion {
  MotionGuess motion;         // docs/math/baselines.md (3)
  Eigen::MatrixXd mid_speed;  // q̇ at the sample itself, nv × samples: velocities of the energy
  std::vector<int> mode;      // of each sample, Timeline::modes; −1: not used
  // First samples of the segments without jumps, and the number of samples.
  std::vector<Eigen::Index> cuts;
};

/// Every recording smoothed by Savitzky and Golay's local polynomials, on the time stamps.
/// Positions and, where there are, velocities count by their noise. Throws InputError when a joint
/// or a floating base is not measured.                              docs/math/baselines.md (1)-(4)
std::vector<SampledMotion> local_polynomial_motion(const RobotProblem& problem,
                                                   SmoothingWindow window, int num_threads);

/// Every recording smoothed by smooth_motion: motion sensors alone.
std::vector<SampledMotion> smoother_motion(const RobotProblem& problem);

/// Samples of the shortest recording that counts: what windows must fit into.
int num_smoothable(const RobotProblem& problem);

}  // namespace bayesid
