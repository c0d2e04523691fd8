// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/problem.hpp"
#include "bayesid/solve.hpp"
#include "support/cube_recording.hpp"

namespace bayesid::test {

/// What the estimator assumes about the tosses.
struct CubeModel {
  double position = 1e-4, orientation = 5e-4;  // m, rad: noise of the camera
  double slip = 0.2;                           // N·s: std of the tangential impulse
  double twist = 3e-4;     // N·m·s: of the impulse; it acts at a place known to half a millimetre
  double rounding = 3e-3;  // m, radius of the corners
  double first_moment = 3.7e-3;  // kg·m: the centre of mass is known to a centimetre
  bool moments_known = false;    // moments of inertia are those of the model
  bool with_impact = true;       // false: the first flights alone
};

/// The cube of data/models: published mass, all other inertial parameters unknown.
std::shared_ptr<const Dynamics> cube_dynamics(const CubeModel& model);

RobotProblem cube_problem(std::shared_ptr<const Dynamics> dynamics,
                          const std::vector<CubeToss>& tosses, const CubeModel& model);

/// Moves time (and restitution, when it is free) of a toss' impact to where the objective is least,
/// with impulses of any size along all rows but the normal: whatever the inertia.
void find_impact(CubeModel model, bool free_restitution, CubeToss& toss);

/// Values with their covariance: of a function of the parameters, through its derivative.
struct CubeInertia {
  Eigen::Vector3d ratio, ratio_std;    // principal moments by mass, m²
  double mean = 0, mean_std = 0;       // of the three
  Eigen::Vector3d centre, centre_std;  // of mass in the cube, m
};
CubeInertia cube_inertia(const ParameterSet& parameters, const Solution& solution);

}  // namespace bayesid::test
