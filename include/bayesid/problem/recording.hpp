// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/log/log.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Samples of a sensor at times of its own, a column for each.
struct Series {
  Eigen::VectorXd time;  // s, as stamped
  Eigen::MatrixXd values;
};

/// A piece of a log without gaps, joint by joint in the order of the robot's velocities. Nothing
/// measures the six rows of a floating base: NaN, and an effort of 0.
struct Recording {
  std::string file;
  Eigen::VectorXd time;      // s, one for each sample
  Eigen::MatrixXd position;  // nv × samples; NaN where not measured
  Eigen::MatrixXd velocity;  // the same
  Eigen::MatrixXd
      effort;  // known at every sample (the last one measured holds); 0 on passive joints
  Eigen::MatrixXd thrust = {};  // command of each rotor, rotors × samples, known like efforts
  // z of each presliding drive, drives × samples; empty: the problem finds it from the positions.
  Eigen::MatrixXd presliding = {};
  // By frame: px, py, pz, qx, qy, qz, qw in the world, 7 × samples; NaN where not measured.
  std::map<std::string, Eigen::MatrixXd> poses;
  // By group: position, velocity, pose.<frame>, imu.<name>, wrench.<name>. What stands here is
  // fitted; the matrices above then only tell where the motion begins.
  std::map<std::string, Series> series;

  std::vector<PhaseConfig> phases;  // closed contacts
  std::vector<ImpactConfig> impacts;

  int num_samples() const { return static_cast<int>(time.size()); }
};

/// A log on the samples of the estimation, and the groups of channels that have times of their own.
struct GriddedLog {
  Log log;
  std::map<std::string, Series> series;
};

/// The samples of the estimation: `rate` (Hz) when given, else those of the fastest group of
/// channels. Throws InputError naming the log.
GriddedLog place_on_grid(const Robot& robot, const Log& log, const Config& config,
                         std::optional<double> rate, std::vector<std::string>& warnings);

/// Cuts a log into recordings and checks that it belongs to this robot: joint names, units, gaps.
/// Throws InputError naming the log, its line or time, and the joint; what was repaired is added to
/// `warnings`.
std::vector<Recording> make_recordings(const Robot& robot, const GriddedLog& log,
                                       const Config& config, std::vector<std::string>& warnings);
std::vector<Recording> make_recordings(const Robot& robot, const Log& log, const Config& config,
                                       std::vector<std::string>& warnings);

/// Poses of a series at the nearest of the given times, NaN at the others: 7 × times.
Eigen::MatrixXd nearest_samples(const Series& series, const Eigen::VectorXd& time);

/// Motion at every sample. The first six positions of a floating base are those of
/// make_configuration.
struct MotionGuess {
  Eigen::MatrixXd position, velocity, acceleration;  // nv × samples
  Eigen::MatrixXd base = {};  // pose of a floating base, 7 × samples; empty when it is fixed
};

/// A first guess: measured positions with holes filled, velocities (measured, else differences) and
/// differences of those; the last acceleration repeats. A floating base follows the pose sensor on
/// it, and rests at the origin when there is none.
MotionGuess guess_motion(const Robot& robot, const Recording& recording);

/// Configuration at sample k.
Eigen::VectorXd configuration_at(const Robot& robot, const MotionGuess& motion, int k);

}  // namespace bayesid
