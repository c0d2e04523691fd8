// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/multibody.hpp>

#include "bayesid/robot/robot.hpp"

namespace bayesid {
namespace {

bool is_link(const pinocchio::Frame& frame) {
  return frame.type == pinocchio::BODY;
}

}  // namespace

std::optional<FramePlacement> find_frame(const Robot& robot, const std::string& name) {
  const pinocchio::Frame* found = nullptr;
  for (const pinocchio::Frame& frame : robot.model->frames) {
    if (frame.name == name && (!found || is_link(frame))) found = &frame;
  }
  if (!found) return std::nullopt;
  return FramePlacement{.body = static_cast<int>(found->parentJoint),
                        .rotation = found->placement.rotation(),
                        .translation = found->placement.translation()};
}

std::vector<std::string> frame_names(const Robot& robot) {
  std::vector<std::string> out;
  for (const bool links : {true, false}) {
    for (const pinocchio::Frame& frame : robot.model->frames) {
      if (is_link(frame) == links) out.push_back(frame.name);
    }
  }
  return out;
}

}  // namespace bayesid
