// SPDX-License-Identifier: BSD-3-Clause
// The exponential–eigenvalue map of an inertia.                    docs/math/parameters.md (1)-(8)
#include "blocks/inertia_ee.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "math/so3.hpp"

namespace bayesid::blocks {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// θ taken apart, with what the map and its derivatives share.
struct Parts {
  explicit Parts(const InertiaCoordinates& theta)
      : m(std::exp(theta[0])),
        h(theta.segment<3>(1)),
        omega(theta.segment<3>(4)),
        L(theta.tail<3>().array().exp()),
        R(so3_exp(omega)),
        D((L.sum() - L.array()).matrix().asDiagonal()) {}
  double m;
  Vector3d h, omega, L;
  Matrix3d R, D;  // D = diag(P L)
};

/// ∂D/∂σ_α = L_α diag(P e_α).
Matrix3d moment_derivative(const Parts& at, int axis) {
  return at.L[axis] * (Vector3d::Ones() - Vector3d::Unit(axis)).asDiagonal().toDenseMatrix();
}

Matrix3d commutator(const Matrix3d& a, const Matrix3d& b) {
  return a * b - b * a;
}

/// tr(A B) of symmetric A, B.
double contract(const Matrix3d& a, const Matrix3d& b) {
  return a.cwiseProduct(b).sum();
}

/// Curvature of tr(S I_c) in ω, given Rᵀ S R. docs/math/parameters.md (8)
Matrix3d rotation_curvature(const Parts& at, const Matrix3d& s_rotated) {
  const Matrix3d J_r = so3_right_jacobian(at.omega);
  const std::array<Matrix3d, 3> dJ_r = so3_right_jacobian_derivative(at.omega);
  Matrix3d out;
  for (int i = 0; i < 3; ++i) {
    const Matrix3d first = commutator(skew(J_r.col(i)), at.D);
    for (int j = 0; j < 3; ++j) {
      const Matrix3d second =
          commutator(skew(J_r.col(j)), first) + commutator(skew(dJ_r[j].col(i)), at.D);
      out(i, j) = contract(s_rotated, second);
    }
  }
  return 0.5 * (out + out.transpose());
}

}  // namespace

InertialParameters inertia_from_coordinates(const InertiaCoordinates& theta) {
  const Parts at(theta);
  InertialParameters pi;
  pi << at.m, at.h, vech(at.R * at.D * at.R.transpose() + parallel_axis(at.h, at.h) / at.m);
  return pi;
}

Matrix10 inertia_jacobian(const InertiaCoordinates& theta) {
  const Parts at(theta);
  const Matrix3d J_r = so3_right_jacobian(at.omega);
  Matrix10 out = Matrix10::Zero();
  out(0, 0) = at.m;
  out.block<3, 3>(1, 1).setIdentity();
  out.block<6, 1>(4, 0) = vech(-parallel_axis(at.h, at.h) / at.m);
  for (int i = 0; i < 3; ++i) {
    const Matrix3d turned = commutator(skew(J_r.col(i)), at.D);
    const Matrix3d stretched = moment_derivative(at, i);
    out.block<6, 1>(4, 1 + i) = vech(2 / at.m * parallel_axis(at.h, Vector3d::Unit(i)));
    out.block<6, 1>(4, 4 + i) = vech(at.R * turned * at.R.transpose());
    out.block<6, 1>(4, 7 + i) = vech(at.R * stretched * at.R.transpose());
  }
  return out;
}

Matrix10 inertia_curvature(const InertiaCoordinates& theta, const InertialParameters& s) {
  const Parts at(theta);
  // s·π = s_0 m + s_h·h + tr(S I_c) + hᵀ G h / m
  const Matrix3d covector = symmetric_matrix(s.tail<6>());
  const Matrix3d S = 0.5 * (covector + covector.diagonal().asDiagonal().toDenseMatrix());
  const Matrix3d G = S.trace() * Matrix3d::Identity() - S;
  const Matrix3d S_rotated = at.R.transpose() * S * at.R;
  const Matrix3d J_r = so3_right_jacobian(at.omega);

  Matrix10 out = Matrix10::Zero();
  out(0, 0) = s[0] * at.m + at.h.dot(G * at.h) / at.m;
  out.block<3, 1>(1, 0) = -2 / at.m * G * at.h;
  out.block<1, 3>(0, 1) = out.block<3, 1>(1, 0).transpose();
  out.block<3, 3>(1, 1) = 2 / at.m * G;
  out.block<3, 3>(4, 4) = rotation_curvature(at, S_rotated);
  for (int axis = 0; axis < 3; ++axis) {
    const Matrix3d dD = moment_derivative(at, axis);
    out(7 + axis, 7 + axis) = contract(S_rotated, dD);
    for (int i = 0; i < 3; ++i) {
      out(4 + i, 7 + axis) = contract(S_rotated, commutator(skew(J_r.col(i)), dD));
      out(7 + axis, 4 + i) = out(4 + i, 7 + axis);
    }
  }
  return out;
}

namespace {

class ExponentialEigenvalue final : public InertiaChart {
 public:
  const std::array<Coordinate, 10>& coordinates() const override {
    static constexpr std::array<Coordinate, 10> out{{{"log_mass", 1},
                                                     {"hx"},
                                                     {"hy"},
                                                     {"hz"},
                                                     {"wx"},
                                                     {"wy"},
                                                     {"wz"},
                                                     {"log_lx", 1},
                                                     {"log_ly", 1},
                                                     {"log_lz", 1}}};
    return out;
  }
  int first_of_center() const override { return 1; }
  InertialParameters inertia(const InertiaCoordinates& theta) const override {
    return inertia_from_coordinates(theta);
  }
  Matrix10 jacobian(const InertiaCoordinates& theta) const override {
    return inertia_jacobian(theta);
  }
  Matrix10 curvature(const InertiaCoordinates& theta, const InertialParameters& s) const override {
    return inertia_curvature(theta, s);
  }
  std::optional<InertiaCoordinates> inverse(const InertialParameters& pi) const override {
    return coordinates_from_inertia(pi);
  }

  InertiaCoordinates prior_std(const InertialParameters&,
                               const InertiaSpread& spread) const override {
    InertiaCoordinates out;
    out[0] = spread.log_mass;
    out.segment<3>(1).setConstant(spread.first_moment);
    out.segment<3>(4).setConstant(spread.rotation);
    out.tail<3>().setConstant(spread.log_second_moment);
    return out;
  }

  InertiaCoordinates scaling(const InertiaCoordinates&) const override {
    InertiaCoordinates out = InertiaCoordinates::Ones();
    out.segment<3>(1).setConstant(std::numeric_limits<double>::infinity());
    return out;
  }

  /// Only axes and second moments change; they must all be free.
  InertiaCoordinates nearest_equivalent(const InertiaCoordinates& theta,
                                        const InertiaPrior& prior) const override {
    for (int i = 4; i < 10; ++i) {
      if (!prior.is_free[i]) return theta;
    }
    return blocks::nearest_equivalent(theta, prior.mean, prior.std);
  }
};

}  // namespace

const InertiaChart& inertia_ee() {
  static const ExponentialEigenvalue out;
  return out;
}

}  // namespace bayesid::blocks
