// SPDX-License-Identifier: BSD-3-Clause
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

#include "bayesid/robot.hpp"

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

BodyAtZero body_at_zero(const Robot& robot, int body) {
  const pinocchio::Model& model = *robot.model;
  pinocchio::SE3 placement = pinocchio::SE3::Identity();
  for (auto i = static_cast<pinocchio::JointIndex>(body); i > (robot.floating ? 1U : 0U);
       i = model.parents[i]) {
    placement = model.jointPlacements[i] * placement;
  }
  BodyAtZero out{.rotation = placement.rotation(), .translation = placement.translation()};
  const pinocchio::JointModel& joint = model.joints[body];
  if (body == 0 || joint.nv() != 1) return out;
  pinocchio::JointData data = joint.createData();
  joint.calc(data, pinocchio::neutral(model));
  const Eigen::Matrix<double, 6, 1> column = data.S().matrix();
  out.is_prismatic = column.tail<3>().isZero();
  out.axis = out.is_prismatic ? column.head<3>() : column.tail<3>();
  return out;
}

}  // namespace bayesid
