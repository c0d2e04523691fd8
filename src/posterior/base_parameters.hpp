// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/dynamics.hpp"

namespace bayesid {

/// Columns written as sums of those among them that are kept: Y = Y_kept G, and G is the identity
/// on the kept ones. The first column of a dependent set is kept.   docs/math/identifiability.md
/// (5)
struct BaseParameters {
  std::vector<int> kept;
  Eigen::MatrixXd G;       // kept × columns
  Eigen::VectorXd effect;  // of each kept column: root mean square
};
BaseParameters base_parameters(const Eigen::MatrixXd& Y, const std::vector<int>& order);

/// Where constraints let random motions begin, and which ones the robot knows.
struct MotionSpace {
  std::vector<Mode> modes;
  Eigen::VectorXd q;  // loops are closed here
};

/// Rows that motions of any kind show of η(r) through the forces, in the coordinates r with
/// ∂ζ/∂r: postures, speeds from slow to fast, accelerations and commands at random, and
/// accelerations that obey forces and constraints.              docs/math/identifiability.md (4)
Eigen::MatrixXd random_regressor(const Dynamics& dynamics, const Eigen::VectorXd& theta,
                                 const MotionSpace& space, const Eigen::MatrixXd& dzeta_dr);

/// What holds without the spring and damper that keep constraints from drifting.
Mode without_stabilisation(Mode mode);

/// The part of velocities, or of forces, that the rows J leave free.
Eigen::MatrixXd free_part(const Eigen::MatrixXd& J, const Eigen::MatrixXd& columns);

/// A configuration nearby with loops closed; `q` itself when there is none.
Eigen::VectorXd with_closed_loops(const Dynamics& dynamics, const Mode& loops,
                                  const Eigen::VectorXd& numbers, const Eigen::VectorXd& q);

}  // namespace bayesid
