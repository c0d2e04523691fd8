// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid::test {

constexpr double cube_half_width = 0.0524;  // m, stated with the recordings

/// First flight, first impact and second flight of a thrown cube, as a camera saw them.
struct CubeToss {
  std::string name;                   // "toss006"
  Eigen::VectorXd time;               // s
  Eigen::MatrixXd pose;               // px, py, pz, qx, qy, qz, qw; a column for each sample
  double impact = 0;                  // s, a first guess, then where the objective is least
  double restitution = 0;             // the same
  Eigen::Vector3d corner;             // signs of the corner that touches
  double clearance = 0;               // m, of the next corner at the impact
  int num_before = 0, num_after = 0;  // samples of the two flights
  int num_touching = 0;               // steps in which velocities change
};

/// Tosses of a folder whose first impact is that of one corner with free flight on both sides;
/// lengths are multiplied with `scale`.
std::vector<CubeToss> read_cube_tosses(const std::string& folder, double scale);

/// Mean acceleration of the fall over the tosses' first flights, and its standard error, m/s².
std::pair<double, double> fall(const std::vector<CubeToss>& tosses);

/// Noise of the camera, m and rad: what free fall and steady turns leave of the first flights; the
/// median of the tosses.
std::pair<double, double> camera_noise(const std::vector<CubeToss>& tosses);

/// What the estimator assumes about the tosses.
struct CubeModel {
  double position = 1e-4, orientation = 5e-4;  // m, rad: noise of the camera
  double slip = 0.2;                           // N·s: std of the tangential impulse
  double twist = 0;                            // N·m·s: std of the impulse's moment; 0: none
  double rounding = 0;                         // m, radius of the corners
  double first_moment = 3.7e-3;                // kg·m: the centre of mass is known to a centimetre
  bool moments_known = false;                  // moments of inertia are those of the model
  bool with_impact = true;                     // false: the first flights alone
};

/// The cube of data/models: mass as stated, all other inertial parameters unknown.
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
