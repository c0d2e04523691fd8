// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/robot/robot.hpp"

namespace bayesid {

using Matrix10 = Eigen::Matrix<double, 10, 10>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The six numbers of a symmetric matrix in the order of π: (xx, xy, yy, xz, yz, zz).
Vector6 vech(const Eigen::Matrix3d& symmetric);

/// The symmetric matrix of six numbers in the order of π.
Eigen::Matrix3d symmetric_matrix(const Vector6& numbers);

/// 10 × 10 map of π in a link's frame to π in the body's frame. docs/math/parameters.md (10)
Matrix10 inertia_transform(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& translation);

/// [Σ, h; hᵀ, m] with Σ = ½ tr(I) 1 − I: positive definite for a body that can be, linear in π.
/// docs/math/parameters.md (21)
Eigen::Matrix4d pseudo_inertia(const InertialParameters& pi);

/// hᵀk 1 − ½(h kᵀ + k hᵀ): the bilinear form whose square is [h]ₓ[h]ₓᵀ.
Eigen::Matrix3d parallel_axis(const Eigen::Vector3d& h, const Eigen::Vector3d& k);

/// Second moments about the centre of mass: ½ tr(I) 1 − I − h hᵀ/m. docs/math/parameters.md (9)
Eigen::Matrix3d second_moments(const InertialParameters& pi);

}  // namespace bayesid
