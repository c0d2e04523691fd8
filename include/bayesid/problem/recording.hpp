// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/log/log.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// A piece of a log without gaps, joint by joint in the order of the robot.
struct Recording {
  std::string file;
  Eigen::VectorXd time;      // s, one for each sample
  Eigen::MatrixXd position;  // nv × samples; NaN where not measured
  Eigen::MatrixXd velocity;  // the same
  Eigen::MatrixXd
      effort;  // known at every sample (the last one measured holds); 0 on passive joints

  std::vector<PhaseConfig> phases;  // closed contacts
  std::vector<ImpactConfig> impacts;

  int num_samples() const { return static_cast<int>(time.size()); }
};

/// Cuts a log into recordings and checks that it belongs to this robot: joint names, units, gaps.
/// Throws InputError naming the log, its line or time, and the joint; what was repaired is added to
/// `warnings`.
std::vector<Recording> make_recordings(const Robot& robot, const Log& log, const Config& config,
                                       std::vector<std::string>& warnings);

/// A first guess of the motion: measured positions with holes filled, and velocities (measured,
/// else differences).
struct MotionGuess {
  Eigen::MatrixXd position, velocity, acceleration;  // nv × samples; the last acceleration repeats
};
MotionGuess guess_motion(const Recording& recording);

}  // namespace bayesid
