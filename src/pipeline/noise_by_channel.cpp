// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/noise_by_channel.hpp"

#include <algorithm>
#include <optional>

#include "bayesid/sensor.hpp"

namespace bayesid::pipeline {
namespace {

std::optional<double> of_channel(const RobotProblem& problem, const std::string& channel) {
  const Robot& robot = problem.dynamics().robot();
  const Noise& noise = problem.noise();
  if (channel.starts_with("tau.")) {
    const int j = robot.joint_index(channel.substr(4));
    if (j < 0 || noise.effort.size() == 0) return std::nullopt;
    return noise.effort[robot.joints[j].idx_v];
  }
  const std::string group = group_of_channel(channel);
  const SensorKind* kind = kind_of_group(group);
  if (!kind) return std::nullopt;
  const std::vector<std::string> names = kind->channels(robot, group);
  const auto found = std::ranges::find(names, channel);
  if (found == names.end()) return std::nullopt;
  return kind->std_of(noise, group, static_cast<int>(found - names.begin()));
}

}  // namespace

std::map<std::string, double> noise_by_channel(const RobotProblem& problem, const LogFacts& facts) {
  std::map<std::string, double> out;
  for (const auto& [name, channel] : facts.channels) {
    if (const std::optional<double> std = of_channel(problem, name)) out[name] = *std;
  }
  return out;
}

}  // namespace bayesid::pipeline
