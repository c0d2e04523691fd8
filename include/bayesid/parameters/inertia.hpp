// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <optional>

#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// Estimation coordinates of one link: (log_mass, hx, hy, hz, wx, wy, wz, log_lx, log_ly, log_lz).
using InertiaCoordinates = Eigen::Matrix<double, 10, 1>;
using Matrix10 = Eigen::Matrix<double, 10, 10>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The six numbers of a symmetric matrix in the order of π: (xx, xy, yy, xz, yz, zz).
Vector6 vech(const Eigen::Matrix3d& symmetric);

/// The symmetric matrix of six numbers in the order of π.
Eigen::Matrix3d symmetric_matrix(const Vector6& numbers);

/// π(θ) of the exponential–eigenvalue map: consistent for every θ. docs/math/parameters.md (1)-(3)
///   m = exp σ_m,  h as it is,  I = R diag(P L) Rᵀ + (hᵀh 1 − h hᵀ)/m,  R = Exp ω,  L = exp(σ_x,
///   σ_y, σ_z)
InertialParameters inertia_from_coordinates(const InertiaCoordinates& theta);

/// ∂π/∂θ in closed form. docs/math/parameters.md (7)
Matrix10 inertia_jacobian(const InertiaCoordinates& theta);

/// Σ_i s_i ∂²π_i/∂θ²: curvature of the map along the covector s. docs/math/parameters.md (8)
Matrix10 inertia_curvature(const InertiaCoordinates& theta, const InertialParameters& s);

/// θ(π): among the 24 equivalent ones the one with the smallest rotation angle; nothing when π is
/// not consistent (mass or a second moment not positive, or a number not finite).
/// docs/math/parameters.md (9)
std::optional<InertiaCoordinates> coordinates_from_inertia(const InertialParameters& pi);

/// Among all θ with the same π (axes permuted, flipped, or turned by full turns) the one for which
/// Σ ((θ − mean)/std)² is least.                                   docs/math/parameters.md (9)
InertiaCoordinates nearest_equivalent(const InertiaCoordinates& theta,
                                      const InertiaCoordinates& mean,
                                      const InertiaCoordinates& std);

/// The nearest consistent inertia: second moments below `floor` times the largest are lifted to it.
/// Mass and first moment stay, the mass must be positive. Without any positive second moment the
/// body becomes a ball of 1 cm.
InertialParameters nearest_consistent(const InertialParameters& pi, double floor = 1e-3);

/// 10 × 10 map of π in a link's frame to π in the body's frame. docs/math/parameters.md (10)
Matrix10 inertia_transform(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& translation);

}  // namespace bayesid
