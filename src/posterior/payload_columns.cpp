// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/payload_columns.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

FramePlacement origin_of(int body) {
  return {body, Eigen::Matrix3d::Identity(), Vector3d::Zero()};
}

/// Joints that move a body.
std::vector<bool> movers(const Robot& robot, Kinematics& kinematics, int body) {
  const VectorXd q = make_configuration(robot, VectorXd::Constant(robot.nv(), 0.1));
  const MatrixXd& J = kinematics.jacobian(q, origin_of(body));
  std::vector<bool> out(J.cols());
  for (Index j = 0; j < J.cols(); ++j) out[j] = !J.col(j).isZero(0);
  return out;
}

bool is_behind(const std::vector<bool>& last, const std::vector<bool>& first) {
  if (last == first) return false;
  for (size_t j = 0; j < last.size(); ++j) {
    if (first[j] && !last[j]) return false;
  }
  return true;
}

}  // namespace

PayloadColumns::PayloadColumns(const Robot& robot) : robot_(robot), kinematics_(robot) {
  std::set<int> bodies;
  for (const Link& link : robot.links) bodies.insert(link.body);
  std::vector<std::vector<bool>> all;
  for (const int body : bodies) all.push_back(movers(robot, kinematics_, body));
  size_t i = 0;
  for (const int body : bodies) {
    const std::vector<bool>& own = all[i++];
    if (std::ranges::any_of(all, [&](const auto& other) { return is_behind(other, own); }))
      continue;
    bodies_.push_back(body);
    carried_by_.push_back(own);
  }
  columns_ = MatrixXd::Zero(robot.nv(), 4 * std::ssize(bodies_));
}

const MatrixXd& PayloadColumns::at(const VectorXd& q) {
  const Vector3d g = robot_.gravity();
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const auto column = static_cast<Index>(4 * i);
    const Eigen::Matrix3d R = kinematics_.pose(q, origin_of(bodies_[i])).rotation;
    const MatrixXd& J = kinematics_.jacobian(q, origin_of(bodies_[i]));
    columns_.col(column) = -J.topRows<3>().transpose() * g;
    for (int axis = 0; axis < 3; ++axis)
      columns_.col(column + 1 + axis) = -J.bottomRows<3>().transpose() * R.col(axis).cross(g);
  }
  return columns_;
}

std::vector<Index> PayloadColumns::columns_of(Index j) const {
  constexpr size_t most_links = 3;
  std::vector<Index> out;
  for (size_t i = 0; i < bodies_.size(); ++i) {
    if (!carried_by_[i][j]) continue;
    for (Index c = 0; c < 4; ++c) out.push_back(static_cast<Index>(4 * i) + c);
  }
  if (out.size() > 4 * most_links) out.clear();
  return out;
}

}  // namespace bayesid::posterior
