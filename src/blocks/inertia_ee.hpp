// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "blocks/inertia_chart.hpp"

namespace bayesid::blocks {

/// π(θ) of the exponential–eigenvalue map for θ = (log_mass, hx, hy, hz, wx, wy, wz, log_lx,
/// log_ly, log_lz): consistent for every θ.                                 docs/math/parameters.md
/// (1)-(3)
///   m = exp σ_m,  h as it is,  I = R diag(P L) Rᵀ + (hᵀh 1 − h hᵀ)/m,  R = Exp ω,  L = exp(σ_x,
///   σ_y, σ_z)
InertialParameters inertia_from_coordinates(const InertiaCoordinates& theta);

/// ∂π/∂θ in closed form. docs/math/parameters.md (7)
Matrix10 inertia_jacobian(const InertiaCoordinates& theta);

/// Σ_i s_i ∂²π_i/∂θ²: curvature of the map along the covector s. docs/math/parameters.md (8)
Matrix10 inertia_curvature(const InertiaCoordinates& theta, const InertialParameters& s);

/// θ(π): among the 24 equivalent ones the one with the smallest rotation angle; nothing when π is
/// not consistent.                                                  docs/math/parameters.md (9)
std::optional<InertiaCoordinates> coordinates_from_inertia(const InertialParameters& pi);

/// Among all θ with the same π (axes permuted, flipped, or turned by full turns) the one for which
/// Σ ((θ − mean)/std)² is least.                                   docs/math/parameters.md (9)
InertiaCoordinates nearest_equivalent(const InertiaCoordinates& theta,
                                      const InertiaCoordinates& mean,
                                      const InertiaCoordinates& std);

}  // namespace bayesid::blocks
