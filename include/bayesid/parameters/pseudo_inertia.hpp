// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/parameters/inertia.hpp"

namespace bayesid {

/// [Σ, h; hᵀ, m] with Σ = ½ tr(I) 1 − I: positive definite for a body that can be, linear in π.
/// docs/math/parameters.md (21)
Eigen::Matrix4d pseudo_inertia(const InertialParameters& pi);

/// ½ log of W P(θ) Wᵀ as ten numbers whose length is the distance of P from (WᵀW)⁻¹, and their
/// derivatives.                                                     docs/math/parameters.md (22),
/// (23)
struct InertiaDistance {
  InertiaCoordinates r;
  Matrix10 dr_dtheta;
};
InertiaDistance inertia_distance(const InertiaCoordinates& theta, const Eigen::Matrix4d& whiten);

}  // namespace bayesid
