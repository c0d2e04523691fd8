// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/noise_by_channel.hpp"

#include <cmath>

#include "bayesid/sensor.hpp"

namespace bayesid::pipeline {

std::map<std::string, double> noise_by_channel(const RobotProblem& problem, const LogFacts& facts) {
  const Robot& robot = problem.dynamics().robot();
  const Noise& noise = problem.noise();
  std::map<std::string, double> out;
  const auto add = [&](const std::string& channel, double std) {
    if (!std::isnan(std) && facts.channels.contains(channel)) out[channel] = std;
  };
  for (const SensorKind* kind : sensor_kinds()) {
    for (const std::string& group : kind->groups(noise)) {
      const std::vector<std::string> channels = kind->channels(robot, group);
      const Eigen::VectorXd std = kind->noise_std(noise, group);
      for (std::size_t i = 0; i < channels.size(); ++i)
        add(channels[i], std[static_cast<Eigen::Index>(i)]);
    }
  }
  if (noise.effort.size() == 0) return out;
  for (const Joint& joint : robot.joints) add("tau." + joint.name, noise.effort[joint.idx_v]);
  return out;
}

}  // namespace bayesid::pipeline
