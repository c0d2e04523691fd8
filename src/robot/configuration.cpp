// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>
#include <cmath>

#include "bayesid/robot/robot.hpp"

namespace bayesid {
namespace {

double angle_of(const Joint& joint, const Eigen::VectorXd& q) {
  const int i = joint.idx_q;
  return joint.continuous ? std::atan2(q[i + 1] + 0.0, q[i]) : q[i];  // −0 + 0 = 0: π, not −π
}

}  // namespace

void integrate(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dv,
               Eigen::Ref<Eigen::VectorXd> out) {
  assert(dv.size() == robot.nv() && out.size() == q.size());
  for (const Coordinate& coordinate : robot.coordinates) {
    const double step = coordinate.multiplier * dv[coordinate.joint];
    const int i = coordinate.idx_q;
    if (!coordinate.continuous) {
      out[i] = q[i] + step;
      continue;
    }
    // (cos, sin) turns by the step; its length stays one however often this is repeated.
    const double c = std::cos(step), s = std::sin(step);
    const double cos_new = c * q[i] - s * q[i + 1];
    const double sin_new = s * q[i] + c * q[i + 1];
    const double length = std::sqrt(cos_new * cos_new + sin_new * sin_new);
    out[i] = cos_new / length;
    out[i + 1] = sin_new / length;
  }
}

void difference(const Robot& robot, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                Eigen::Ref<Eigen::VectorXd> out) {
  assert(from.size() == to.size() && out.size() == robot.nv());
  for (int j = 0; j < robot.nv(); ++j) {
    const Joint& joint = robot.joints[j];
    const int i = joint.idx_q;
    out[j] = joint.continuous ? std::atan2(from[i] * to[i + 1] - from[i + 1] * to[i],
                                           from[i] * to[i] + from[i + 1] * to[i + 1])
                              : to[i] - from[i];
  }
}

Eigen::VectorXd make_configuration(const Robot& robot, const Eigen::VectorXd& angles) {
  assert(angles.size() == robot.nv());
  Eigen::VectorXd q(robot.nq());
  for (const Coordinate& coordinate : robot.coordinates) {
    const double angle = coordinate.multiplier * angles[coordinate.joint] + coordinate.offset;
    q[coordinate.idx_q] = coordinate.continuous ? std::cos(angle) : angle;
    if (coordinate.continuous) q[coordinate.idx_q + 1] = std::sin(angle);
  }
  return q;
}

Eigen::VectorXd joint_angles(const Robot& robot, const Eigen::VectorXd& q) {
  Eigen::VectorXd angles(robot.nv());
  for (int j = 0; j < robot.nv(); ++j) angles[j] = angle_of(robot.joints[j], q);
  return angles;
}

}  // namespace bayesid
