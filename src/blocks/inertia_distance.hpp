// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/inertia_chart.hpp"

namespace bayesid::blocks {

/// ½ log of W P(θ) Wᵀ as ten numbers whose length is the distance of P from (WᵀW)⁻¹, and their
/// derivatives.                                             docs/math/parameters.md (22), (23)
struct InertiaDistance {
  Eigen::Matrix<double, 10, 1> r;
  Matrix10 dr_dtheta;
};
InertiaDistance inertia_distance(const InertiaChart& chart, const InertiaCoordinates& theta,
                                 const Eigen::Matrix4d& whiten);

}  // namespace bayesid::blocks
