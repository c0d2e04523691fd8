// SPDX-License-Identifier: BSD-3-Clause
#include "stage/limit_rows.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::Vector2d;
using Eigen::Vector3d;

double penalty_of(double std, double penalty) {
  return penalty / (std * std);
}

double off_range(const JointLimit& limit, double y, double kappa, double rho) {
  const double u = y - kappa / rho;
  return u - std::clamp(u, limit.lower, limit.upper);
}

double next_multiplier(const JointLimit& limit, double y, double kappa, double rho, double& gap) {
  const double off = off_range(limit, y, kappa, rho);
  gap = std::max(gap, std::abs(off + kappa / rho));
  return -rho * off;
}

Vector3d nearest_in_cone(const Vector3d& u, double mu) {
  if (std::isinf(mu)) return {u.x(), u.y(), std::max(0.0, u.z())};
  const double sideways = u.head<2>().norm();
  if (sideways <= mu * u.z()) return u;
  if (mu * sideways <= -u.z()) return Vector3d::Zero();
  const double height = (mu * sideways + u.z()) / (1 + mu * mu);
  Vector3d out;
  out << (mu * height / sideways) * u.head<2>(), height;
  return out;
}

LimitRows cone_rows(const Vector3d& y, const Vector3d& kappa, double rho, double mu) {
  const Vector3d u = y - kappa / rho;
  LimitRows out;
  out.a.setZero();
  out.e.setZero();
  out.weight.setConstant(rho);
  if (std::isinf(mu)) {
    if (u.z() >= 0) return out;
    out.n = 1;
    out.e[0] = u.z();
    out.a(0, 2) = 1;
    return out;
  }
  const double sideways = u.head<2>().norm(), slope = std::sqrt(1 + mu * mu);
  if (sideways <= mu * u.z()) return out;
  if (mu * sideways <= -u.z()) {  // the tip is nearest
    out.n = 3;
    out.e = u;
    out.a.setIdentity();
    return out;
  }
  // The distance from the surface; around the axis the surface bends.
  const Vector2d along = u.head<2>() / sideways;
  const double distance = (sideways - mu * u.z()) / slope;
  out.n = 2;
  out.e[0] = distance;
  out.a.row(0) << along.transpose() / slope, -mu / slope;
  out.a.row(1) << -along.y(), along.x(), 0;
  out.weight[1] = rho * distance / (slope * sideways);
  return out;
}

}  // namespace bayesid
