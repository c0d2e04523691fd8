// SPDX-License-Identifier: BSD-3-Clause
#include "math/so3.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Coefficients of Exp and of its derivatives as functions of the angle t = |ω|.
struct Coefficients {
  double a = 1;                  // sin t / t
  double b = 0.5;                // (1 − cos t) / t²
  double c = 1.0 / 6;            // (t − sin t) / t³
  double db_over_t = -1.0 / 12;  // b' / t
  double dc_over_t = -1.0 / 60;  // c' / t
};

/// Power series in t²; the closed forms lose digits below one radian.
Coefficients series(double t2) {
  Coefficients s{.a = 0, .b = 0, .c = 0, .db_over_t = 0, .dc_over_t = 0};
  double power = 1;      // (−1)ᵏ t²ᵏ
  double factorial = 1;  // (2k + 1)!
  double previous = 0;   // (−1)ᵏ t²ᵏ⁻²
  for (int k = 0; k < 10; ++k) {
    const double even = factorial * (2 * k + 2);
    const double odd = even * (2 * k + 3);
    s.a += power / factorial;
    s.b += power / even;
    s.c += power / odd;
    s.db_over_t += 2 * k * previous / even;
    s.dc_over_t += 2 * k * previous / odd;
    previous = -power;
    power *= -t2;
    factorial = odd;
  }
  return s;
}

Coefficients coefficients(const Vector3d& omega) {
  const double t2 = omega.squaredNorm();
  if (t2 < 1) return series(t2);
  const double t = std::sqrt(t2);
  const double sin_t = std::sin(t);
  const double cos_t = std::cos(t);
  return {.a = sin_t / t,
          .b = (1 - cos_t) / t2,
          .c = (t - sin_t) / (t2 * t),
          .db_over_t = (t * sin_t - 2 * (1 - cos_t)) / (t2 * t2),
          .dc_over_t = (3 * sin_t - 2 * t - t * cos_t) / (t2 * t2 * t)};
}

}  // namespace

Matrix3d skew(const Vector3d& u) {
  Matrix3d out;
  out << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
  return out;
}

Matrix3d so3_exp(const Vector3d& omega) {
  const Coefficients s = coefficients(omega);
  const Matrix3d w = skew(omega);
  return Matrix3d::Identity() + s.a * w + s.b * w * w;
}

Vector3d so3_log(const Matrix3d& rotation) {
  Eigen::Quaterniond q(rotation);
  q.normalize();
  if (q.w() < 0) q.coeffs() *= -1;
  const double n = q.vec().norm();  // sin t/2
  if (n < 1e-8) return 2 / q.w() * q.vec();
  return 2 * std::atan2(n, q.w()) / n * q.vec();
}

Matrix3d so3_right_jacobian(const Vector3d& omega) {
  const Coefficients s = coefficients(omega);
  const Matrix3d w = skew(omega);
  return Matrix3d::Identity() - s.b * w + s.c * w * w;
}

std::array<Matrix3d, 3> so3_right_jacobian_derivative(const Vector3d& omega) {
  const Coefficients s = coefficients(omega);
  const Matrix3d w = skew(omega);
  std::array<Matrix3d, 3> out;
  for (int j = 0; j < 3; ++j) {
    const Matrix3d e = skew(Vector3d::Unit(j));
    out[j] = -s.b * e + s.c * (e * w + w * e) + omega[j] * (s.dc_over_t * w * w - s.db_over_t * w);
  }
  return out;
}

}  // namespace bayesid
