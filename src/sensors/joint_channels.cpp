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

}  // namespace bayesid
