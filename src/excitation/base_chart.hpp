// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Motion of a floating base whose chart is c = (p − p_ini, r), R = R_ini Exp r, with velocity and
/// acceleration in its own axes, and derivatives in c and ċ.     docs/math/excitation.md (3)-(4)
struct BaseMotion {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  Eigen::Matrix3d R;
  Eigen::Vector3d p;
  Vector6 v, a;
  Matrix6 T;  // v = T ċ
  Matrix6 dv_dc, da_dc, da_dcdot;
};

BaseMotion base_motion(const Eigen::Matrix3d& R_ini, const Eigen::Vector3d& p_ini,
                       const BaseMotion::Vector6& c, const BaseMotion::Vector6& cdot,
                       const BaseMotion::Vector6& cddot);

}  // namespace bayesid
