// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>
#include <cmath>
#include <pinocchio/spatial.hpp>

#include "bayesid/robot.hpp"
#include "robot/rigid_pose.hpp"

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
  const int base_nv = robot.base_nv();
  if (robot.floating) out.head<7>() = integrate_pose(q.head<7>(), dv.head<6>());
  for (const Coordinate& coordinate : robot.coordinates) {
    const double step = coordinate.multiplier * dv[base_nv + coordinate.joint];
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
  if (robot.floating) out.head<6>() = difference_pose(from.head<7>(), to.head<7>());
  for (const Joint& joint : robot.joints) {
    const int i = joint.idx_q;
    out[joint.idx_v] = joint.continuous ? std::atan2(from[i] * to[i + 1] - from[i + 1] * to[i],
                                                     from[i] * to[i] + from[i + 1] * to[i + 1])
                                        : to[i] - from[i];
  }
}

void integrate_jacobians(const Robot& robot, const Eigen::VectorXd& dv,
                         Eigen::Matrix<double, 6, 6>& wrt_q, Eigen::Matrix<double, 6, 6>& wrt_dv) {
  assert(robot.floating && dv.size() == robot.nv());
  const pinocchio::Motion step(dv.head<6>());
  wrt_q = pinocchio::exp6(step).toActionMatrixInverse();
  pinocchio::Jexp6(step, wrt_dv);
}

Eigen::VectorXd make_configuration(const Robot& robot, const Eigen::VectorXd& numbers) {
  assert(numbers.size() == robot.nv());
  Eigen::VectorXd q(robot.nq());
  if (robot.floating) q.head<7>() = integrate_pose(identity_pose(), numbers.head<6>());
  for (const Coordinate& coordinate : robot.coordinates) {
    const double number = numbers[robot.base_nv() + coordinate.joint];
    const double angle = coordinate.multiplier * number + coordinate.offset;
    q[coordinate.idx_q] = coordinate.continuous ? std::cos(angle) : angle;
    if (coordinate.continuous) q[coordinate.idx_q + 1] = std::sin(angle);
  }
  return q;
}

Eigen::VectorXd joint_angles(const Robot& robot, const Eigen::VectorXd& q) {
  Eigen::VectorXd numbers(robot.nv());
  if (robot.floating) numbers.head<6>() = difference_pose(identity_pose(), q.head<7>());
  for (const Joint& joint : robot.joints) numbers[joint.idx_v] = angle_of(joint, q);
  return numbers;
}

}  // namespace bayesid
