// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Finite Fourier series that are zero at both ends of a period, with their first and second
/// derivatives: an orthonormal basis of the coefficients (a_l, b_l) of
///   y(t) = Σ_l a_l/ω_l sin ω_l t + b_l/ω_l (1 − cos ω_l t),  Σ a_l = 0,  Σ ω_l b_l = 0
/// docs/math/excitation.md (1)-(2)
class FourierBasis {
 public:
  FourierBasis(double period, int harmonics);

  int size() const { return static_cast<int>(free_.cols()); }  // 2L − 2
  double period() const { return period_; }
  int harmonics() const { return static_cast<int>(free_.rows()) / 2; }
  /// Value, first and second derivative of every series of the basis: 3 × size.
  Eigen::Matrix<double, 3, Eigen::Dynamic> at(double time) const;

 private:
  double period_;
  Eigen::MatrixXd free_;  // 2L × (2L − 2): (a, b) of each series
};

}  // namespace bayesid
