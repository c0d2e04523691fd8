// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/parameters/inertia.hpp"

#include <array>
#include <cmath>

#include "bayesid/math/so3.hpp"

namespace bayesid {

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

/// hᵀk 1 − ½(h kᵀ + k hᵀ): the bilinear form whose square is [h]ₓ[h]ₓᵀ.
Matrix3d parallel_axis(const Vector3d& h, const Vector3d& k) {
  const Matrix3d outer = h * k.transpose();
  return h.dot(k) * Matrix3d::Identity() - 0.5 * (outer + outer.transpose());
}

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

Vector6 vech(const Matrix3d& symmetric) {
  Vector6 out;
  out << symmetric(0, 0), symmetric(0, 1), symmetric(1, 1), symmetric(0, 2), symmetric(1, 2),
      symmetric(2, 2);
  return out;
}

Matrix3d symmetric_matrix(const Vector6& n) {
  Matrix3d out;
  out << n[0], n[1], n[3], n[1], n[2], n[4], n[3], n[4], n[5];
  return out;
}

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

Matrix10 inertia_transform(const Matrix3d& rotation, const Vector3d& translation) {
  Matrix10 out;
  for (int i = 0; i < 10; ++i) {
    const InertialParameters unit = InertialParameters::Unit(i);
    const double m = unit[0];
    const Vector3d h = rotation * unit.segment<3>(1);
    const Matrix3d I = rotation * symmetric_matrix(unit.tail<6>()) * rotation.transpose();
    out.col(i) << m, h + m * translation,
        vech(I + 2 * parallel_axis(translation, h) + m * parallel_axis(translation, translation));
  }
  return out;
}

}  // namespace bayesid
