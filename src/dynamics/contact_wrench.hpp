// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>

#include "bayesid/constraint.hpp"
#include "bayesid/dynamics.hpp"

namespace bayesid {

/// Force of the ground on the robot in a contact, then its moment about the origin of the contact's
/// frame.
using ContactWrench = Eigen::Matrix<double, 6, 1>;

/// Where the rows of a contact stand among those of a mode; null constraint: it is open.
struct ContactRows {
  const MotionConstraint* constraint = nullptr;
  int first = 0;
};
ContactRows find_contact(const Mode& mode, const std::string& name);

/// Turns forces from the axes of a constraint's rows to those of its frame. No allocation.
Eigen::Matrix3d to_frame_axes(const MotionConstraint& constraint, const Eigen::VectorXd& q,
                              Kinematics& kinematics);

/// What the forces λ of a mode are in the axes that `turn` makes of those of the contact's rows;
/// zero when it is open. No allocation.
ContactWrench contact_wrench(const ContactRows& contact, const Eigen::VectorXd& lambda,
                             const Eigen::Matrix3d& turn);

/// One component of it, linear in λ: sets the entries of the contact's rows, the rest is zero.
void contact_wrench_row(const ContactRows& contact, const Eigen::Matrix3d& turn, int component,
                        Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> by_lambda);

}  // namespace bayesid
