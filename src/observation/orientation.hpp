// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>
#include <limits>

#include "bayesid/observation/term.hpp"

namespace bayesid {

/// Adds three rows Log(R̂ᵀ R)/σ with the quaternion (x, y, z, w) that was measured.
/// ∂r/∂q = J_r(e)⁻¹ Rᵀ J_angular / σ with e = Log(R̂ᵀ R). docs/math/observation.md (4)
void add_orientation(const Knot& at, const FramePlacement& frame, const Eigen::Vector4d& measured,
                     double weight, Order order, Residual& out);

/// Quaternions in the last four rows get length one; those of length zero were not measured.
inline void normalise_quaternions(Eigen::MatrixXd& samples) {
  for (Eigen::Index k = 0; k < samples.cols(); ++k) {
    const double length = samples.col(k).tail<4>().norm();
    samples.col(k).tail<4>() *= length > 0 ? 1 / length : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace bayesid
