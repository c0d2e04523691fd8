// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/noise_by_channel.hpp"

#include <optional>

namespace bayesid::pipeline {
namespace {

using Std = std::optional<double>;

/// Numbers of a quaternion change by half of the angle.
Std half(const Std& angle) {
  return angle ? Std(*angle / 2) : std::nullopt;
}

Std of_joint(const Robot& robot, const std::string& name, const Eigen::VectorXd& std) {
  const int j = robot.joint_index(name);
  if (j < 0 || std.size() == 0) return std::nullopt;
  return std[robot.joints[j].idx_v];
}

Std of_pose(const Noise& noise, const std::string& frame, char axis) {
  const auto found = noise.poses.find(frame);
  if (found == noise.poses.end()) return std::nullopt;
  return axis == 'p' ? found->second.position : half(found->second.orientation);
}

Std of_imu(const Noise& noise, const std::string& name, char axis) {
  const auto found = noise.imus.find(name);
  if (found == noise.imus.end()) return std::nullopt;
  if (axis == 'q') return half(found->second.std.orientation);
  return axis == 'a' ? found->second.std.acceleration : found->second.std.rate;
}

Std of_wrench(const Noise& noise, const std::string& name, char axis) {
  const auto found = noise.wrenches.find(name);
  if (found == noise.wrenches.end()) return std::nullopt;
  return axis == 'f' ? found->second.force : found->second.torque;
}

Std of_channel(const RobotProblem& problem, const std::string& channel) {
  const Robot& robot = problem.dynamics().robot();
  const Noise& noise = problem.noise();
  if (channel.starts_with("q.")) return of_joint(robot, channel.substr(2), noise.position);
  if (channel.starts_with("v.")) return of_joint(robot, channel.substr(2), noise.velocity);
  if (channel.starts_with("tau.")) return of_joint(robot, channel.substr(4), noise.effort);
  const std::size_t dot = channel.rfind('.');
  const std::string group = channel.substr(0, dot);
  const char axis = channel.substr(dot + 1)[0];
  if (group.starts_with("pose.")) return of_pose(noise, group.substr(5), axis);
  if (group.starts_with("wrench.")) return of_wrench(noise, group.substr(7), axis);
  return group.starts_with("imu.") ? of_imu(noise, group.substr(4), axis) : std::nullopt;
}

}  // namespace

std::map<std::string, double> noise_by_channel(const RobotProblem& problem, const LogFacts& facts) {
  std::map<std::string, double> out;
  for (const auto& [name, channel] : facts.channels) {
    if (const Std std = of_channel(problem, name)) out[name] = *std;
  }
  return out;
}

}  // namespace bayesid::pipeline
