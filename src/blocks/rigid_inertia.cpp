// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector6 vech(const Matrix3d& symmetric) {
  Vector6 out;
  out << symmetric(0, 0), symmetric(0, 1), symmetric(1, 1), symmetric(0, 2), symmetric(1, 2),
      symmetric(2, 2);
  return out;
}

Matrix3d symmetric_matrix(const Vector6& n) {
  Matrix3d out;
  out << n[0], n[1], n[3], n[1], n[2], n[4], n[3], n[4], n[5];
  return out;
}

Matrix3d parallel_axis(const Vector3d& h, const Vector3d& k) {
  const Matrix3d outer = h * k.transpose();
  return h.dot(k) * Matrix3d::Identity() - 0.5 * (outer + outer.transpose());
}

Matrix3d second_moments(const InertialParameters& pi) {
  const Matrix3d I = symmetric_matrix(pi.tail<6>());
  const Vector3d h = pi.segment<3>(1);
  return 0.5 * I.trace() * Matrix3d::Identity() - I - h * h.transpose() / pi[0];
}

Matrix10 inertia_transform(const Matrix3d& rotation, const Vector3d& translation) {
  Matrix10 out;
  for (int i = 0; i < 10; ++i) {
    const InertialParameters unit = InertialParameters::Unit(i);
    const double m = unit[0];
    const Vector3d h = rotation * unit.segment<3>(1);
    const Matrix3d I = rotation * symmetric_matrix(unit.tail<6>()) * rotation.transpose();
    out.col(i) << m, h + m * translation,
        vech(I + 2 * parallel_axis(translation, h) + m * parallel_axis(translation, translation));
  }
  return out;
}

Eigen::Matrix4d pseudo_inertia(const InertialParameters& pi) {
  const Eigen::Matrix3d I = symmetric_matrix(pi.tail<6>());
  Eigen::Matrix4d out;
  out.topLeftCorner<3, 3>() = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  out.topRightCorner<3, 1>() = pi.segment<3>(1);
  out.bottomLeftCorner<1, 3>() = pi.segment<3>(1).transpose();
  out(3, 3) = pi[0];
  return out;
}

}  // namespace bayesid
