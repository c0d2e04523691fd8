// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/sensor.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test {

/// A random robot, and what its sensors are made from.
struct SensorBench {
  Robot robot;
  Config config;
  ParameterSet parameters;
  Noise noise;

  SensorBench(int seed, bool floating, bool mimic, const Config& given = {})
      : robot(make_robot(seed, floating, mimic)), config(given), parameters(robot, given) {
    noise.position = noise.velocity = Eigen::VectorXd::Constant(robot.nv(), 0.01);
  }

  std::unique_ptr<Sensor> make(const std::string& group, const Eigen::MatrixXd& measured) const {
    return kind_of_group(group)->make({robot, parameters, noise}, group, measured);
  }

  static Robot make_robot(int seed, bool floating, bool mimic) {
    TempFolder folder;
    const std::string urdf = random_urdf(seed, {.num_joints = 6, .mimic = mimic});
    return read_robot({.urdf = folder.write("robot.urdf", urdf), .floating_base = floating});
  }
};

}  // namespace bayesid::test
