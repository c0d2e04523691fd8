// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "bayesid/sensor.hpp"

namespace bayesid {

/// Adds three rows Log(R̂ᵀ R)/σ with the quaternion (x, y, z, w) that was measured.
/// ∂r/∂q = J_r(e)⁻¹ Rᵀ J_angular / σ with e = Log(R̂ᵀ R). docs/math/observation.md (4)
void add_orientation(const Instant& at, const FramePlacement& frame,
                     const Eigen::Vector4d& measured, double weight, Order order, Residual& out);

/// Quaternions in the last four rows get length one; those of length zero were not measured.
void normalise_quaternions(Eigen::MatrixXd& samples);

/// Of the numbers of a quaternion, from that of a rotation.
std::optional<double> quaternion_std(const std::optional<double>& rotation_std);

/// What an orientation sensor of this noise says of a rotation.
Eigen::Quaterniond simulate_orientation(const Eigen::Matrix3d& rotation, double std,
                                        const Draw& draw);

}  // namespace bayesid
