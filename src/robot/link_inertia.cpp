// SPDX-License-Identifier: BSD-3-Clause
#include "robot/link_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace bayesid {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// m (cᵀc 1 − c cᵀ)
Matrix3d parallel_axis(double mass, const Vector3d& com) {
  return mass * (com.squaredNorm() * Matrix3d::Identity() - com * com.transpose());
}

/// L = ½ tr(I) 1 − I; the way back is I = tr(L) 1 − L.
Matrix3d second_moments(const Matrix3d& inertia) {
  return 0.5 * inertia.trace() * Matrix3d::Identity() - inertia;
}

}  // namespace

InertialParameters parameters_from_central(const CentralInertia& central) {
  const Vector3d h = central.mass * central.com;
  const Matrix3d I = central.inertia + parallel_axis(central.mass, central.com);
  InertialParameters pi;
  pi << central.mass, h, I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2);
  return pi;
}

CentralInertia central_from_parameters(const InertialParameters& pi) {
  CentralInertia central;
  central.mass = pi[0];
  central.com = pi.segment<3>(1) / pi[0];
  central.inertia << pi[4], pi[5], pi[7], pi[5], pi[6], pi[8], pi[7], pi[8], pi[9];
  central.inertia -= parallel_axis(central.mass, central.com);
  return central;
}

CentralInertia moved(const CentralInertia& central, const Matrix3d& rotation,
                     const Vector3d& translation) {
  return {.mass = central.mass,
          .com = rotation * central.com + translation,
          .inertia = rotation * central.inertia * rotation.transpose()};
}

bool is_consistent(const Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(second_moments(inertia),
                                                      Eigen::EigenvaluesOnly);
  // A body of no width at all has no logarithm: 1e-9 is far below any real one, far above rounding.
  return eigen.eigenvalues()[2] > 0 && eigen.eigenvalues()[0] > 1e-9 * eigen.eigenvalues()[2];
}

Vector3d principal_moments(const Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

bool has_extent(double mass, const Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(second_moments(inertia),
                                                      Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[2] > 1e-12 * mass;  // wider than a micrometre
}

Matrix3d repaired_inertia(double mass, const Matrix3d& inertia) {
  constexpr double floor = 1e-3, aluminium = 2700;  // kg/m³
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(second_moments(inertia));
  const double largest = eigen.eigenvalues()[2];
  if (!has_extent(mass, inertia)) {
    const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * aluminium));
    return 0.4 * mass * radius * radius * Matrix3d::Identity();
  }
  const Vector3d lifted = eigen.eigenvalues().cwiseMax(floor * largest);
  const Matrix3d L = eigen.eigenvectors() * lifted.asDiagonal() * eigen.eigenvectors().transpose();
  return L.trace() * Matrix3d::Identity() - L;
}

}  // namespace bayesid
