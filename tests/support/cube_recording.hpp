// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace bayesid::test {

constexpr double standard_gravity = 9.81;   // m/s²
constexpr double cube_half_width = 0.0524;  // m, published with the recordings

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

/// Where a corner with a rounding touches a plate at the impact, in the cube's frame: below the
/// centre of the rounding.
Eigen::Vector3d touching_point(const CubeToss& toss, double rounding);

}  // namespace bayesid::test
