// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/posterior.hpp"

namespace bayesid::posterior {

/// Evenly sampled residuals of one recording, with the speed of the joint.
struct ResidualRun {
  double dt = 0;
  Eigen::VectorXd residual, speed;
};

/// Residuals of one joint and what they may depend on, sample by sample, one recording after the
/// other. Long logs are thinned; `runs` are not.
struct ResidualSamples {
  std::string joint, unit, angle_unit;
  Eigen::VectorXd residual, expected_std;  // N·m; the latter 0: unknown
  Eigen::VectorXd angle, speed, acceleration, predicted, nominal, time;
  Eigen::VectorXd acceleration_std;  // of the smoothed motion; empty: exact
  std::vector<std::string> others;   // names of other joints
  Eigen::MatrixXd other_angles;      // samples × others
  Eigen::MatrixXd payload;  // effort of a unit mass and unit first moments on the last links
  std::vector<ResidualRun> runs;
  bool is_thinned = false;

  Eigen::Index size() const { return residual.size(); }
};

/// One for each actuated joint whose effort is measured.
std::vector<ResidualSamples> make_residual_samples(
    const RobotProblem& problem, const std::vector<EffortPrediction>& predictions,
    const std::vector<Eigen::MatrixXd>& expected_std);

}  // namespace bayesid::posterior
