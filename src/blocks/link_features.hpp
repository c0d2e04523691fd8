// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "blocks/inertia_chart.hpp"

namespace bayesid::blocks {

/// What can be said of a link: m, h, I about the frame's origin (as in π), the centre of mass c,
/// and I about it (in the order of π).
using LinkFeatures = Eigen::Matrix<double, 19, 1>;
inline constexpr int com_feature = 10, central_feature = 13;  // where c and the last six begin

LinkFeatures link_features(const InertiaChart& chart, const InertiaCoordinates& theta);
/// Their derivatives, and Σ_i s_i ∂²feature_i/∂θ².                  docs/math/parameters.md (18)
Eigen::Matrix<double, 19, 10> link_features_jacobian(const InertiaChart& chart,
                                                     const InertiaCoordinates& theta);
Matrix10 link_features_curvature(const InertiaChart& chart, const InertiaCoordinates& theta,
                                 const LinkFeatures& s);
/// Row i says which coordinates feature i depends on; the six numbers of an inertia and the three
/// of a centre of mass go together.
Eigen::Matrix<bool, 19, 10> link_features_pattern(const InertiaChart& chart);

}  // namespace bayesid::blocks
