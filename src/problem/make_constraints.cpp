// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "bayesid/error.hpp"
#include "bayesid/problem/timeline.hpp"
#include "math/did_you_mean.hpp"
#include "robot/urdf_tree.hpp"

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
  const Matrix3d turn = rotation_from_rpy(Vector3d(given.rpy[0], given.rpy[1], given.rpy[2]));
  out.translation += out.rotation * Vector3d(given.xyz[0], given.xyz[1], given.xyz[2]);
  out.rotation = out.rotation * turn;
  return out;
}

/// What contacts and loops have in common.
template <typename Given>
MotionConstraint made(const Given& given) {
  MotionConstraint out;
  out.name = given.name;
  out.type = given.type;
  out.axes = given.axes;
  out.kp = given.kp;
  out.kd = given.kd;
  const int count = given.type == ConstraintType::point ? 3 : 6;
  for (int i = 0; i < count; ++i) {
    const bool is_kept =
        std::find(given.keep.begin(), given.keep.end(), row_axes[i]) != given.keep.end();
    if (given.keep.empty() || is_kept) out.rows.push_back(i);
  }
  return out;
}

}  // namespace

MotionConstraints make_constraints(const Robot& robot, const Config& config) {
  MotionConstraints out;
  for (size_t i = 0; i < config.model.contacts.size(); ++i) {
    const ContactConfig& given = config.model.contacts[i];
    const std::string key = "model.contacts[" + std::to_string(i) + "]";
    MotionConstraint& added = out.contacts.emplace_back(made(given));
    added.first = frame_of(robot, config, key + ".frame", given.frame);
    added.second = {0, Matrix3d::Identity(), Vector3d::Zero()};
    added.is_contact = true;
  }
  for (size_t i = 0; i < config.model.loops.size(); ++i) {
    const LoopConfig& given = config.model.loops[i];
    const std::string key = "model.loops[" + std::to_string(i) + "]";
    MotionConstraint& added = out.loops.emplace_back(made(given));
    added.first = attached(robot, config, key + ".body1", given.body1);
    added.second = attached(robot, config, key + ".body2", given.body2);
  }
  return out;
}

}  // namespace bayesid
