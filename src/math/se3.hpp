// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Log of the motion (R, p), linear part first.
Eigen::Matrix<double, 6, 1> se3_log(const Eigen::Matrix3d& rotation,
                                    const Eigen::Vector3d& translation);

/// ∂Log(M exp δ)/∂δ at δ = 0, for the M whose Log is given.
Eigen::Matrix<double, 6, 6> se3_log_jacobian(const Eigen::Matrix<double, 6, 1>& log);

}  // namespace bayesid
