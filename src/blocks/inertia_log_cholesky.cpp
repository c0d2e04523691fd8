// SPDX-License-Identifier: BSD-3-Clause
// Log-Cholesky coordinates of the pseudo-inertia.                  docs/math/parameters.md
// (24)-(28)
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "blocks/inertia_chart.hpp"
#include "math/so3.hpp"

namespace bayesid::blocks {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Where d1, d2, d3, s12, s23, s13 stand in the triangle; they follow α.
struct Place {
  int row, column;
};
constexpr std::array<Place, 6> places{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};
constexpr int first_shape = 1, first_center = 7;

/// θ taken apart.
struct Parts {
  explicit Parts(const InertiaCoordinates& theta)
      : m(std::exp(2 * theta[0])), t(theta.segment<3>(first_center)), U(Matrix3d::Zero()) {
    for (int k = 0; k < 6; ++k) {
      const double x = theta[first_shape + k];
      U(places[k].row, places[k].column) = k < 3 ? std::exp(x) : x;
    }
  }
  /// Of the entry of U that shape coordinate k moves, in k.
  double slope(int k) const { return k < 3 ? U(k, k) : 1; }

  double m;
  Vector3d t;
  Matrix3d U;
};

/// The six numbers of the inertia that belong to second moments: tr(Σ) 1 − Σ.
Vector6 inertia_of(const Matrix3d& moments) {
  return vech(moments.trace() * Matrix3d::Identity() - moments);
}

/// U upper triangular with U Uᵀ = A and a positive diagonal; nothing when A is not positive.
std::optional<Matrix3d> upper_factor(const Matrix3d& A) {
  const Eigen::LLT<Matrix3d> chol(A.reverse());
  const Matrix3d L = chol.matrixL();
  if (chol.info() != Eigen::Success || !L.allFinite() || L.diagonal().minCoeff() <= 0)
    return std::nullopt;
  return L.reverse();
}

class LogCholesky final : public InertiaChart {
 public:
  const std::array<Coordinate, 10>& coordinates() const override {
    static constexpr std::array<Coordinate, 10> out{{{"alpha", 2},
                                                     {"d1", 2},
                                                     {"d2", 2},
                                                     {"d3", 2},
                                                     {"s12"},
                                                     {"s23"},
                                                     {"s13"},
                                                     {"t1"},
                                                     {"t2"},
                                                     {"t3"}}};
    return out;
  }
  int first_of_center() const override { return first_center; }

  InertialParameters inertia(const InertiaCoordinates& theta) const override {
    const Parts at(theta);
    InertialParameters pi;
    pi << at.m, at.m * at.t,
        at.m * inertia_of(at.U * at.U.transpose() + at.t * at.t.transpose());  // (25)
    return pi;
  }

  Matrix10 jacobian(const InertiaCoordinates& theta) const override {
    const Parts at(theta);
    Matrix10 out = Matrix10::Zero();
    out.col(0) = 2 * inertia(theta);  // (26)
    for (int k = 0; k < 6; ++k) {
      Matrix3d E = Matrix3d::Zero();
      E(places[k].row, places[k].column) = at.slope(k);
      const Matrix3d half = E * at.U.transpose();
      out.block<6, 1>(4, first_shape + k) = at.m * inertia_of(half + half.transpose());
    }
    for (int i = 0; i < 3; ++i) {
      const Matrix3d half = Vector3d::Unit(i) * at.t.transpose();
      out(1 + i, first_center + i) = at.m;
      out.block<6, 1>(4, first_center + i) = at.m * inertia_of(half + half.transpose());
    }
    return out;
  }

  Matrix10 curvature(const InertiaCoordinates& theta, const InertialParameters& s) const override {
    const Parts at(theta);
    // s·π = m (s_0 + s_h·t + tr(Uᵀ G U) + tᵀ G t)
    const Matrix3d covector = symmetric_matrix(s.tail<6>());
    const Matrix3d S = 0.5 * (covector + covector.diagonal().asDiagonal().toDenseMatrix());
    const Matrix3d G = S.trace() * Matrix3d::Identity() - S;
    const Matrix3d GU = G * at.U;
    Matrix10 out = Matrix10::Zero();
    for (int k = 0; k < 6; ++k) {  // (27)
      const auto [row, column] = places[k];
      for (int l = 0; l < 6; ++l) {
        if (places[l].column == column)
          out(first_shape + k, first_shape + l) =
              2 * at.m * G(row, places[l].row) * at.slope(k) * at.slope(l);
      }
      if (k < 3) out(first_shape + k, first_shape + k) += 2 * at.m * GU(k, k) * at.slope(k);
    }
    out.block<3, 3>(first_center, first_center) = 2 * at.m * G;
    const InertiaCoordinates slope = jacobian(theta).transpose() * s;
    out.col(0) = 2 * slope;
    out.row(0) = out.col(0).transpose();
    return out;
  }

  std::optional<InertiaCoordinates> inverse(const InertialParameters& pi) const override {
    if (!pi.allFinite() || pi[0] <= 0) return std::nullopt;
    const std::optional<Matrix3d> U = upper_factor(second_moments(pi) / pi[0]);
    if (!U) return std::nullopt;
    InertiaCoordinates theta;
    theta[0] = 0.5 * std::log(pi[0]);
    for (int k = 0; k < 6; ++k) {
      const double entry = (*U)(places[k].row, places[k].column);
      theta[first_shape + k] = k < 3 ? std::log(entry) : entry;
    }
    theta.segment<3>(first_center) = pi.segment<3>(1) / pi[0];
    return theta;
  }

  InertiaCoordinates prior_std(const InertialParameters& nominal,
                               const InertiaSpread& spread) const override;

  InertiaCoordinates scaling(const InertiaCoordinates& prior) const override {
    InertiaCoordinates out = InertiaCoordinates::Constant(0.5);  // the moments go with e^{2 d}
    for (int k = 3; k < 6; ++k)                                  // a shear by one
      out[first_shape + k] = std::exp(prior[first_shape + places[k].column]);
    out.segment<3>(first_center).setConstant(std::numeric_limits<double>::infinity());
    return out;
  }
};

/// Independent changes of mass, centre, principal moments and axes, as the exponential–eigenvalue
/// map has them, carried to first order to the coordinates; correlations are left out. (28)
InertiaCoordinates LogCholesky::prior_std(const InertialParameters& nominal,
                                          const InertiaSpread& spread) const {
  const double m = nominal[0];
  const InertiaCoordinates principal = *inertia_ee().inverse(nominal);
  const Matrix3d R = so3_exp(principal.segment<3>(4));
  const Vector3d L = principal.tail<3>().array().exp() / m;
  const Matrix3d U = Parts(*inverse(nominal)).U;
  InertiaCoordinates variance = InertiaCoordinates::Zero();
  variance[0] = std::pow(0.5 * spread.log_mass, 2);
  for (int i = 0; i < 3; ++i) {
    variance[first_center + i] =
        std::pow(spread.first_moment / m, 2) + std::pow(nominal[1 + i] / m * spread.log_mass, 2);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double moved = spread.log_second_moment * std::hypot(L[i], L[j]);
      const double std = i == j ? spread.log_second_moment * L[i]
                                : spread.rotation * std::hypot(L[i] - L[j], moved);
      Matrix3d change = Matrix3d::Zero();  // of the moments in principal axes
      change(i, j) = change(j, i) = std;
      const auto inverse_U = U.triangularView<Eigen::Upper>();
      const Matrix3d left = inverse_U.solve(R * change * R.transpose());
      Matrix3d K = inverse_U.solve(left.transpose().eval());
      K.diagonal() *= 0.5;
      const Matrix3d dU = U * K.triangularView<Eigen::Upper>().toDenseMatrix();
      for (int k = 0; k < 6; ++k) {
        const double entry = dU(places[k].row, places[k].column);
        variance[first_shape + k] += std::pow(k < 3 ? entry / U(k, k) : entry, 2);
      }
    }
  }
  return variance.cwiseSqrt();
}

}  // namespace

const InertiaChart& inertia_log_cholesky() {
  static const LogCholesky out;
  return out;
}

}  // namespace bayesid::blocks
