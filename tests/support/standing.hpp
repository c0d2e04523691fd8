// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/problem.hpp"
#include "support/legged.hpp"

namespace bayesid::test {

/// A robot of legged.hpp that sways on its feet: the contacts hold the joints where the base puts
/// them. Samples at 500 Hz: encoders, efforts that carry the robot, the pose of the base, noise.
Recording standing_recording(const Scene& scene, int num_samples, unsigned seed);

/// The same as an estimation problem.
RobotProblem standing_problem(const Scene& scene, int num_stages, bool effort_exact, unsigned seed);

}  // namespace bayesid::test
