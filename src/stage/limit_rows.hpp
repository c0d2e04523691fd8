// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/constraint.hpp"

namespace bayesid {

/// Rows of least squares that stand for "y is in K" around a point: cost Σ ½ weight e²,
/// e + a δy to first order; the Hessian of the augmented Lagrangian is Σ weight aᵀa.
/// docs/math/inequalities.md (2)-(4)
struct LimitRows {
  int n = 0;
  Eigen::Matrix3d a;
  Eigen::Vector3d e, weight;
};

/// ρ of a limit whose violation by `std` costs one half at a penalty of one.
double penalty_of(double std, double penalty);

/// u − P(u) of one number, u = y − κ/ρ. (2)
double off_range(const JointLimit& limit, double y, double kappa, double rho);

/// κ of the next round; the gap grows to how far y is from P(u). (3)
double next_multiplier(const JointLimit& limit, double y, double kappa, double rho, double& gap);

/// The point of a cone nearest to u: |u_x, u_y| ≤ mu u_z, or u_z ≥ 0 when mu is infinite.
Eigen::Vector3d nearest_in_cone(const Eigen::Vector3d& u, double mu);

/// For y in the cone, with multiplier kappa and penalty rho.
LimitRows cone_rows(const Eigen::Vector3d& y, const Eigen::Vector3d& kappa, double rho, double mu);

}  // namespace bayesid
