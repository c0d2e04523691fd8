// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/base_chart.hpp"

#include <Eigen/Geometry>

#include "math/so3.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// A power series Σ (−x)^k / (2k + first)! with two derivatives in x. For angles up to a turn, 24
/// terms are exact to round-off.
struct Series {
  Series(double x, int first) {
    double factorial = 1;
    for (int i = 2; i <= first; ++i) factorial *= i;
    double term = 1 / factorial, d_term = 0, dd_term = 0;
    for (int k = 0; k < 24; ++k) {
      value += term;
      d += d_term;
      dd += dd_term;
      const double ratio = -1.0 / ((2 * k + first + 1) * (2 * k + first + 2));
      dd_term = ratio * (x * dd_term + 2 * d_term);
      d_term = ratio * (x * d_term + term);
      term *= ratio * x;
    }
  }
  double value = 0, d = 0, dd = 0;
};

/// J_r(r) s = s − β r×s + κ r×(r×s) and what excitation needs of it, β and κ functions of |r|².
class RightJacobian {
 public:
  explicit RightJacobian(const Vector3d& r)
      : r_(r), K_(skew(r)), beta_(r.squaredNorm(), 2), kappa_(r.squaredNorm(), 3) {}

  Matrix3d matrix() const {
    return Matrix3d::Identity() - beta_.value * K_ + kappa_.value * K_ * K_;
  }
  /// ∂(J_r s)/∂r
  Matrix3d slope(const Vector3d& s) const {
    const Vector3d n = r_.cross(s);
    const Matrix3d S = skew(s);
    return 2 * (kappa_.d * r_.cross(n) - beta_.d * n) * r_.transpose() + beta_.value * S -
           kappa_.value * (skew(n) + K_ * S);
  }
  /// J̇_r s along ṙ = s: n = r×s does not move.
  Vector3d rate(const Vector3d& s) const {
    const Vector3d n = r_.cross(s);
    const double x_rate = 2 * r_.dot(s);
    return x_rate * (kappa_.d * r_.cross(n) - beta_.d * n) + kappa_.value * s.cross(n);
  }
  Matrix3d rate_dr(const Vector3d& s) const {
    const Vector3d n = r_.cross(s), m = r_.cross(n);
    const Matrix3d S = skew(s);
    const double x_rate = 2 * r_.dot(s);
    Matrix3d out = 2 * x_rate * (kappa_.dd * m - beta_.dd * n) * r_.transpose();
    out += 2 * (kappa_.d * m - beta_.d * n) * s.transpose();
    out += x_rate * (beta_.d * S - kappa_.d * (skew(n) + K_ * S));
    out += 2 * kappa_.d * s.cross(n) * r_.transpose() - kappa_.value * S * S;
    return out;
  }
  Matrix3d rate_ds(const Vector3d& s) const {
    const Vector3d n = r_.cross(s);
    const double x_rate = 2 * r_.dot(s);
    return 2 * (kappa_.d * r_.cross(n) - beta_.d * n) * r_.transpose() +
           x_rate * (kappa_.d * K_ * K_ - beta_.d * K_) + kappa_.value * (skew(s) * K_ - skew(n));
  }

 private:
  Vector3d r_;
  Matrix3d K_;
  Series beta_, kappa_;
};

}  // namespace

BaseMotion base_motion(const Matrix3d& R_ini, const Vector3d& p_ini, const BaseMotion::Vector6& c,
                       const BaseMotion::Vector6& cdot, const BaseMotion::Vector6& cddot) {
  const Vector3d r = c.tail<3>(), dr = cdot.tail<3>();
  const RightJacobian right(r);
  const Matrix3d J = right.matrix();
  BaseMotion out;
  out.R = R_ini * so3_exp(r);
  out.p = p_ini + c.head<3>();
  const Matrix3d Rt = out.R.transpose();
  out.T.setZero();
  out.T.topLeftCorner<3, 3>() = Rt;
  out.T.bottomRightCorner<3, 3>() = J;
  out.v = out.T * cdot;
  const Vector3d v = out.v.head<3>(), omega = out.v.tail<3>(), u = Rt * cddot.head<3>();
  out.a << u - omega.cross(v), J * cddot.tail<3>() + right.rate(dr);

  const Matrix3d V = skew(v), W = skew(omega), omega_dr = right.slope(dr);
  out.dv_dc.setZero();
  out.dv_dc.topRightCorner<3, 3>() = V * J;
  out.dv_dc.bottomRightCorner<3, 3>() = omega_dr;
  out.da_dc.setZero();
  out.da_dc.topRightCorner<3, 3>() = skew(u) * J + V * omega_dr - W * V * J;
  out.da_dc.bottomRightCorner<3, 3>() = right.slope(cddot.tail<3>()) + right.rate_dr(dr);
  out.da_dcdot.setZero();
  out.da_dcdot.topLeftCorner<3, 3>() = -W * Rt;
  out.da_dcdot.topRightCorner<3, 3>() = V * J;
  out.da_dcdot.bottomRightCorner<3, 3>() = right.rate_ds(dr);
  return out;
}

}  // namespace bayesid
