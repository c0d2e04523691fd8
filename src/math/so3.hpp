// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>

namespace bayesid {

/// [u]ₓ, the matrix of u × ·.
Eigen::Matrix3d skew(const Eigen::Vector3d& u);

/// R = Exp ω, by Rodrigues' formula.                                     docs/math/parameters.md
/// (4)
Eigen::Matrix3d so3_exp(const Eigen::Vector3d& omega);

/// ω = Log R with |ω| ≤ π; R must be a rotation.
Eigen::Vector3d so3_log(const Eigen::Matrix3d& rotation);

/// Right Jacobian J_r(ω): ∂R/∂ω_i = R [J_r e_i]ₓ.                        docs/math/parameters.md
/// (5)
Eigen::Matrix3d so3_right_jacobian(const Eigen::Vector3d& omega);

/// ∂J_r/∂ω_j for j = 0, 1, 2.                                            docs/math/parameters.md
/// (6)
std::array<Eigen::Matrix3d, 3> so3_right_jacobian_derivative(const Eigen::Vector3d& omega);

}  // namespace bayesid
