// SPDX-License-Identifier: BSD-3-Clause
#include "sensors/joint_channels.hpp"

namespace bayesid {

std::vector<std::string> joint_channels(const Robot& robot, const std::string& prefix) {
  std::vector<std::string> out(robot.nv());
  for (const Joint& joint : robot.joints) out[joint.idx_v] = prefix + joint.name;
  return out;
}

std::string joint_unit(const Robot& robot, const std::string& joint, const std::string& rate) {
  const int j = robot.joint_index(joint);
  return j < 0 ? "" : (robot.joints[j].prismatic ? "m" : "rad") + rate;
}

std::string joint_effort_unit(const Robot& robot, const std::string& joint) {
  const int j = robot.joint_index(joint);
  return j < 0 ? "" : robot.joints[j].prismatic ? "N" : "N·m";
}

std::vector<NoiseNumber> joint_numbers(const Robot& robot, const std::string& group,
                                       Eigen::VectorXd& std) {
  std::vector<NoiseNumber> out;
  for (const Joint& joint : robot.joints) {
    double& own = std[joint.idx_v];
    if (own == 0) continue;
    out.push_back({.sensor = group,
                   .key = group,
                   .of = joint.name,
                   .channels = {joint.name},
                   .numbers = {joint.idx_v},
                   .std = &own});
  }
  return out;
}

}  // namespace bayesid
