// SPDX-License-Identifier: BSD-3-Clause
#include "math/se3.hpp"

#include <pinocchio/spatial.hpp>

namespace bayesid {

Eigen::Matrix<double, 6, 1> se3_log(const Eigen::Matrix3d& rotation,
                                    const Eigen::Vector3d& translation) {
  return pinocchio::log6(pinocchio::SE3(rotation, translation)).toVector();
}

Eigen::Matrix<double, 6, 6> se3_log_jacobian(const Eigen::Matrix<double, 6, 1>& log) {
  Eigen::Matrix<double, 6, 6> out;
  pinocchio::Jlog6(pinocchio::exp6(pinocchio::Motion(log)), out);
  return out;
}

}  // namespace bayesid
