// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "bayesid/error.hpp"
#include "bayesid/math/so3.hpp"
#include "bayesid/problem/timeline.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

FramePlacement frame_of(const Robot& robot, const Config& config, const std::string& key,
                        const std::string& name) {
  if (const auto found = find_frame(robot, name)) return *found;
  throw InputError(place_of(config, key) + " is \"" + name + "\", which is no link of " +
                   config.model.urdf + did_you_mean(name, frame_names(robot)));
}

/// A place given by xyz and rpy in the frame of a link.
FramePlacement attached(const Robot& robot, const Config& config, const std::string& key,
                        const AttachmentConfig& given) {
  FramePlacement out = frame_of(robot, config, key + ".link", given.link);
  const Matrix3d turn = so3_exp(Vector3d(0, 0, given.rpy[2])) *
                        so3_exp(Vector3d(0, given.rpy[1], 0)) *
                        so3_exp(Vector3d(given.rpy[0], 0, 0));
  out.translation += out.rotation * Vector3d(given.xyz[0], given.xyz[1], given.xyz[2]);
  out.rotation = out.rotation * turn;
  return out;
}

std::vector<int> kept_rows(ConstraintType type, const std::vector<std::string>& keep) {
  constexpr std::array<const char*, 6> names{"x", "y", "z", "rx", "ry", "rz"};
  std::vector<int> out;
  const int count = type == ConstraintType::point ? 3 : 6;
  for (int i = 0; i < count; ++i) {
    if (keep.empty() || std::find(keep.begin(), keep.end(), names[i]) != keep.end())
      out.push_back(i);
  }
  return out;
}

}  // namespace

MotionConstraints make_constraints(const Robot& robot, const Config& config) {
  MotionConstraints out;
  for (size_t i = 0; i < config.model.contacts.size(); ++i) {
    const ContactConfig& given = config.model.contacts[i];
    const std::string key = "model.contacts[" + std::to_string(i) + "]";
    MotionConstraint& added = out.contacts.emplace_back();
    added.name = given.name;
    added.type = given.type;
    added.axes = given.axes;
    added.first = frame_of(robot, config, key + ".frame", given.frame);
    added.second = {0, Matrix3d::Identity(), Vector3d::Zero()};
    added.rows = kept_rows(given.type, given.keep);
    added.kp = given.kp;
    added.kd = given.kd;
    added.is_contact = true;
  }
  for (size_t i = 0; i < config.model.loops.size(); ++i) {
    const LoopConfig& given = config.model.loops[i];
    const std::string key = "model.loops[" + std::to_string(i) + "]";
    MotionConstraint& added = out.loops.emplace_back();
    added.name = given.name;
    added.type = given.type;
    added.axes = given.axes;
    added.first = attached(robot, config, key + ".body1", given.body1);
    added.second = attached(robot, config, key + ".body2", given.body2);
    added.rows = kept_rows(given.type, given.keep);
    added.kp = given.kp;
    added.kd = given.kd;
  }
  return out;
}

}  // namespace bayesid
