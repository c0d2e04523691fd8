// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem/robot_problem.hpp"
#include "support/scene.hpp"

namespace bayesid::test {

/// A legged robot that stands on all its feet and sways: the contacts hold the joints where the
/// base puts them.
struct Stance {
  Scene scene;                            // with contacts, and a pose sensor on the base
  std::map<std::string, double> posture;  // rad, by joint
  double height = 0;                      // m, of the base
};

/// ANYmal B on four points, 12 rows.
Stance quadruped_stance();

/// Talos on two soles, 12 rows; all joints but those of the legs are locked.
Stance biped_stance();

/// Samples at 500 Hz: encoders, efforts that carry the robot, the pose of the base, sensor noise.
Recording standing_recording(const Stance& stance, int num_samples, unsigned seed);

/// The same as an estimation problem.
RobotProblem standing_problem(const Stance& stance, int num_stages, bool effort_exact,
                              unsigned seed);

}  // namespace bayesid::test
