// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "bayesid/problem.hpp"
#include "problem/attachment.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

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
