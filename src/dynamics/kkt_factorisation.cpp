// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kkt_factorisation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <numeric>

#include "math/blas.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the longest row: what is left of a dependent one is round-off, 1e-15.
constexpr double dependent = 1e-9;

/// out = L⁻ᵀ, upper triangular; L in the lower triangle.
void invert_transposed(const MatrixXd& L, MatrixXd& out) {
  const Index n = L.rows();
  out.setZero();
  // out Lᵀ = 1, column by column
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < j; ++k) out.col(j).head(k + 1) -= L(j, k) * out.col(k).head(k + 1);
    out(j, j) = 1.0;
    out.col(j).head(j + 1) /= L(j, j);
  }
}

}  // namespace

KktFactorisation::KktFactorisation(int nv, int max_rows)
    : L_(nv, nv),
      U_(nv, nv),
      X_(nv, max_rows),
      pseudo_inverse_(nv, max_rows),
      V_(nv, max_rows),
      T_(max_rows, max_rows),
      UV_(nv, max_rows),
      UVT_(nv, max_rows),
      y_(max_rows),
      order_(max_rows) {}

void KktFactorisation::factor(const MatrixXd& mass, const Eigen::Ref<const MatrixXd>& J) {
  num_rows_ = static_cast<int>(J.rows());
  L_ = mass;
  const Eigen::LLT<Eigen::Ref<MatrixXd>> chol(L_);
  invert_transposed(L_, U_);
  auto X = X_.leftCols(num_rows_);
  blas::multiply(1.0, U_, Op::transposed, J, Op::transposed, 0.0, X);
  std::iota(order_.begin(), order_.end(), 0);
  reflect();
  // J⁺ Rᵀ = U₁ (the pseudo-inverse J⁺), from the last column on, each column at its row's place.
  pseudo_inverse_.leftCols(num_rows_).setZero();
  for (int i = rank_ - 1; i >= 0; --i) {
    auto column = pseudo_inverse_.col(order_[i]);
    column = U_.col(i);
    for (int j = i + 1; j < rank_; ++j) column -= X_(i, j) * pseudo_inverse_.col(order_[j]);
    column /= X_(i, i);
  }
}

/// Householder's reflections of X, longest remaining column first; U takes them along at the end.
void KktFactorisation::reflect() {
  const Index nv = X_.rows(), n = num_rows_;
  auto X = X_.leftCols(n);
  rank_ = 0;
  if (n == 0) return;
  V_.leftCols(n).setZero();
  const double longest = std::sqrt(X.colwise().squaredNorm().maxCoeff());
  for (Index k = 0; k < std::min(nv, n); ++k) {
    Index pivot = k;
    double square = 0;
    for (Index j = k; j < n; ++j) {
      const double candidate = X.col(j).tail(nv - k).squaredNorm();
      if (candidate <= square) continue;
      square = candidate;
      pivot = j;
    }
    if (std::sqrt(square) <= dependent * longest) break;
    if (pivot != k) {
      X.col(k).swap(X.col(pivot));
      std::swap(order_[k], order_[pivot]);
    }
    const double length = X(k, k) > 0 ? -std::sqrt(square) : std::sqrt(square);
    auto u = V_.col(k).tail(nv - k);
    u = X.col(k).tail(nv - k);
    u[0] -= length;
    const double scale = 2.0 / u.squaredNorm();
    for (Index j = k; j < n; ++j) X.col(j).tail(nv - k) -= scale * u.dot(X.col(j).tail(nv - k)) * u;
    // T grows by a column: −scale T Vᵀu above scale.
    for (Index i = 0; i < k; ++i) y_[i] = V_.col(i).tail(nv - k).dot(u);
    for (Index i = 0; i < k; ++i) {
      double sum = 0;
      for (Index j = i; j < k; ++j) sum += T_(i, j) * y_[j];
      T_(i, k) = -scale * sum;
      T_(k, i) = 0;
    }
    T_(k, k) = scale;
    ++rank_;
  }
  const auto V = V_.leftCols(rank_);
  auto UV = UV_.leftCols(rank_), UVT = UVT_.leftCols(rank_);
  blas::multiply(1.0, U_, Op::plain, V, Op::plain, 0.0, UV);
  blas::multiply(1.0, UV, Op::plain, T_.topLeftCorner(rank_, rank_), Op::plain, 0.0, UVT);
  blas::multiply(-1.0, UVT, Op::plain, V, Op::transposed, 1.0, U_);
}

void KktFactorisation::multipliers(const VectorXd& b, const Eigen::Ref<const VectorXd>& c,
                                   Eigen::Ref<VectorXd> lambda) {
  // R λ = U₁ᵀ b + y, Rᵀ y = −c, in the order of the columns of X
  auto R = X_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
  auto y = y_.head(rank_);
  for (int i = 0; i < rank_; ++i) y[i] = -c[order_[i]];
  R.transpose().solveInPlace(y);
  y.noalias() += U_.leftCols(rank_).transpose() * b;
  R.solveInPlace(y);
  lambda.setZero();
  for (int i = 0; i < rank_; ++i) lambda[order_[i]] = y[i];
}

std::vector<int> KktFactorisation::dependent_rows() const {
  return {order_.begin() + rank_, order_.begin() + num_rows_};
}

VectorXd motor_efforts(const KktFactorisation& kkt, const VectorXd& gain, const VectorXd& y) {
  return motor_efforts(kkt, gain, MatrixXd(gain.size(), 0), y);
}

VectorXd motor_efforts(const KktFactorisation& kkt, const VectorXd& gain,
                       const MatrixXd& rotor_force, const VectorXd& y) {
  constexpr double smallest_authority = 1e-4;  // relative to the largest
  MatrixXd authority(kkt.num_free(), gain.size() + rotor_force.cols());
  authority << kkt.Z().transpose() * gain.asDiagonal(), kkt.Z().transpose() * rotor_force;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> motors(authority.rows(), authority.cols());
  motors.setThreshold(smallest_authority);
  motors.compute(authority);
  return motors.solve(y);
}

}  // namespace bayesid
