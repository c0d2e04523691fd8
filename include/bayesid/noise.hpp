// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>

#include "bayesid/config.hpp"
#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Where an inertial measurement unit sits, and how well it measures.
struct ImuNoise {
  FramePlacement frame;
  ImuConfig std;
};

/// Standard deviations of everything but the parameters, one for each velocity.
struct Noise {
  Eigen::VectorXd position, velocity;                          // sensors
  Eigen::VectorXd effort;                                      // empty: efforts are exact
  Eigen::VectorXd disturbance_position, disturbance_velocity;  // per step
  Eigen::VectorXd initial_position, initial_velocity;          // of the arrival prior
  std::map<std::string, PoseConfig> poses = {};                // by frame
  std::map<std::string, ImuNoise> imus = {};                   // by name
  std::optional<double> energy = {};                           // J, of a window of stages
  Eigen::VectorXd thrust = {};  // of the command of each rotor; empty: commands are exact
  int energy_window = 1;        // stages
  std::map<std::string, WrenchConfig> wrenches = {};  // by name
  Eigen::VectorXd torque = {};  // behind the gears; 0: not measured; empty: no joint has a sensor
};

}  // namespace bayesid
