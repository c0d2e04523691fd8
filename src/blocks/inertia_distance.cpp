// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/inertia_distance.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace bayesid::blocks {

using Eigen::Matrix4d;

namespace {

/// Ten numbers with the length of the symmetric matrix.
InertiaCoordinates flat(const Matrix4d& symmetric) {
  InertiaCoordinates out;
  int at = 0;
  for (int j = 0; j < 4; ++j) {
    out[at++] = symmetric(j, j);
    for (int i = j + 1; i < 4; ++i) out[at++] = std::numbers::sqrt2 * symmetric(i, j);
  }
  return out;
}

/// (log a − log b)/(a − b), for logarithms x and y.
double slope(double x, double y) {
  const double half = 0.5 * (x - y);
  const double ratio = std::abs(half) < 1e-5 ? 1 - half * half / 6 : half / std::sinh(half);
  return ratio * std::exp(-0.5 * (x + y));
}

}  // namespace

InertiaDistance inertia_distance(const InertiaChart& chart, const InertiaCoordinates& theta,
                                 const Matrix4d& whiten) {
  const Matrix4d S = whiten * pseudo_inertia(chart.inertia(theta)) * whiten.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix4d> eigen(S);
  const Eigen::Vector4d logs = eigen.eigenvalues().array().max(1e-300).log();
  const Matrix4d& U = eigen.eigenvectors();
  InertiaDistance out;
  out.r = flat(0.5 * U * logs.asDiagonal() * U.transpose());
  const Matrix10 dpi = chart.jacobian(theta);
  const Matrix4d turned = U.transpose() * whiten;
  for (int k = 0; k < 10; ++k) {
    Matrix4d d = turned * pseudo_inertia(dpi.col(k)) * turned.transpose();
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) d(i, j) *= slope(logs[i], logs[j]);
    }
    out.dr_dtheta.col(k) = flat(0.5 * U * d * U.transpose());
  }
  return out;
}

}  // namespace bayesid::blocks
