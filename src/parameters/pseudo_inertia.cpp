// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters/pseudo_inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"
#include "parameters/priors.hpp"

namespace bayesid {

using Eigen::Matrix4d;
using Eigen::VectorXd;

namespace {

// Keeps coordinates that an inertia does not depend on (turns of a body with equal moments).
constexpr double ridge = 1e-6;

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

Matrix4d pseudo_inertia(const InertialParameters& pi) {
  const Eigen::Matrix3d I = symmetric_matrix(pi.tail<6>());
  Matrix4d out;
  out.topLeftCorner<3, 3>() = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  out.topRightCorner<3, 1>() = pi.segment<3>(1);
  out.bottomLeftCorner<1, 3>() = pi.segment<3>(1).transpose();
  out(3, 3) = pi[0];
  return out;
}

InertiaDistance inertia_distance(const InertiaCoordinates& theta, const Matrix4d& whiten) {
  const Matrix4d S = whiten * pseudo_inertia(inertia_from_coordinates(theta)) * whiten.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix4d> eigen(S);
  const Eigen::Vector4d logs = eigen.eigenvalues().array().max(1e-300).log();
  const Matrix4d& U = eigen.eigenvectors();
  InertiaDistance out;
  out.r = flat(0.5 * U * logs.asDiagonal() * U.transpose());
  const Matrix10 dpi = inertia_jacobian(theta);
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

void ParameterSet::make_distances(const Config& config) {
  if (!config.parameters.inertia || !config.parameters.inertia->is_geometric) return;
  if (!config.parameters.prior_from.empty()) {
    throw InputError(key_place(config, "parameters.inertia.prior") +
                     " is geometric, and parameters.prior_from has a prior too: choose one");
  }
  for (const LinkBlock& block : links_) {
    InertiaCoordinates mean;
    for (int i = 0; i < 10; ++i) mean[i] = all_[block.first + i].prior;
    const Matrix4d nominal = pseudo_inertia(inertia_from_coordinates(mean));
    const InertiaStdConfig& given = inertia_std_of(config, block.name);
    distances_.push_back({block.first, nominal.llt().matrixL().solve(Matrix4d::Identity().eval()),
                          positive(config, "parameters.inertia.std.distance", given.distance)});
    for (int i = 0; i < 10; ++i) {
      const int at = theta_index_[block.first + i];
      if (at >= 0) prior_precision_(at, at) *= ridge;
    }
  }
}

PriorAt ParameterSet::prior_at(const VectorXd& theta) const {
  const VectorXd off = theta - prior();
  PriorAt out{0, prior_precision_ * off, prior_precision_};
  out.cost = 0.5 * off.dot(out.gradient);
  if (distances_.empty()) return out;
  const VectorXd values = all_values(theta);
  for (const DistancePrior& one : distances_) {
    const InertiaDistance distance = inertia_distance(values.segment<10>(one.first), one.whiten);
    const double weight = 1 / (one.std * one.std);
    out.cost += 0.5 * weight * distance.r.squaredNorm();
    const InertiaCoordinates gradient = weight * distance.dr_dtheta.transpose() * distance.r;
    const Matrix10 hessian = weight * distance.dr_dtheta.transpose() * distance.dr_dtheta;
    for (int i = 0; i < 10; ++i) {
      const int row = theta_index_[one.first + i];
      if (row < 0) continue;
      out.gradient[row] += gradient[i];
      for (int j = 0; j < 10; ++j) {
        const int column = theta_index_[one.first + j];
        if (column >= 0) out.hessian(row, column) += hessian(i, j);
      }
    }
  }
  return out;
}

}  // namespace bayesid
