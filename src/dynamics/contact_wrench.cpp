// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/contact_wrench.hpp"

namespace bayesid {

using Eigen::Matrix3d;

ContactRows find_contact(const Mode& mode, const std::string& name) {
  int first = 0;
  for (const MotionConstraint& c : mode.constraints) {
    if (c.is_contact && c.name == name) return {&c, first};
    first += c.num_rows();
  }
  return {};
}

Matrix3d to_frame_axes(const MotionConstraint& constraint, const Eigen::VectorXd& q,
                       Kinematics& kinematics) {
  if (constraint.axes == Axes::local) return Matrix3d::Identity();
  return kinematics.pose(q, constraint.first).rotation.transpose();
}

ContactWrench contact_wrench(const ContactRows& contact, const Eigen::VectorXd& lambda,
                             const Matrix3d& turn) {
  ContactWrench out = ContactWrench::Zero();
  if (!contact.constraint) return out;
  const std::vector<int>& rows = contact.constraint->rows;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    out.segment<3>(3 * (rows[j] / 3)) +=
        lambda[contact.first + static_cast<int>(j)] * turn.col(rows[j] % 3);
  }
  return out;
}

void contact_wrench_row(const ContactRows& contact, const Matrix3d& turn, int component,
                        Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> by_lambda) {
  by_lambda.setZero();
  if (!contact.constraint) return;
  const std::vector<int>& kept = contact.constraint->rows;
  for (std::size_t j = 0; j < kept.size(); ++j) {
    if (kept[j] / 3 != component / 3) continue;
    by_lambda[contact.first + static_cast<Eigen::Index>(j)] = turn(component % 3, kept[j] % 3);
  }
}

}  // namespace bayesid
