// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

using FrictionParameters = Eigen::Matrix<double, 6, 1>;

/// Friction at one speed, with derivatives.
struct Friction {
  double tau = 0;
  double dtau_dv = 0;
  Eigen::Matrix<double, 6, 1> dtau_dgamma = Eigen::Matrix<double, 6, 1>::Zero();
};

/// Second derivatives of τ_f in γ that are not zero.
struct FrictionCurvature {
  double d01 = 0, d02 = 0, d11 = 0, d22 = 0, d34 = 0, d44 = 0;
};

/// τ_f = γ0 (tanh γ1 v − tanh γ2 v) + γ3 tanh γ4 v + γ5 v; opposes motion for every v when γ1 ≥ γ2
/// and the rest ≥ 0.
///                                                                              docs/math/parameters.md
///                                                                              (11)-(13)
Friction friction(double v, const FrictionParameters& gamma);

FrictionCurvature friction_curvature(double v, const FrictionParameters& gamma);

/// ∂²τ_f/∂v∂γ: how the columns of friction move with the speed.      docs/math/excitation.md (9)
Eigen::Matrix<double, 6, 1> friction_speed_slope(double v, const FrictionParameters& gamma);

}  // namespace bayesid
