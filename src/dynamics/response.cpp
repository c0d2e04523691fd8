// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/response.hpp"

#include <Eigen/Cholesky>
#include <numeric>

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the longest row: what is left of a dependent one is round-off, 1e-15.
constexpr double dependent = 1e-9;

}  // namespace

Response::Response(int nv, int max_rows)
    : L_(nv, nv),
      U_(nv, nv),
      X_(nv, max_rows),
      lift_(nv, max_rows),
      reflection_(nv),
      row_(std::max(nv, max_rows)),
      y_(max_rows),
      order_(max_rows) {}

void Response::factor(const MatrixXd& mass, const Eigen::Ref<const MatrixXd>& J) {
  const Index nv = mass.rows();
  num_rows_ = static_cast<int>(J.rows());
  L_ = mass;
  const Eigen::LLT<Eigen::Ref<MatrixXd>> chol(L_);
  U_.setIdentity();
  chol.matrixL().transpose().solveInPlace(U_);  // L⁻ᵀ
  auto X = X_.leftCols(num_rows_);
  X = J.transpose();
  chol.matrixL().solveInPlace(X);
  std::iota(order_.begin(), order_.end(), 0);

  // Householder's reflections, longest remaining column first; U takes them along.
  rank_ = 0;
  const double longest = num_rows_ > 0 ? std::sqrt(X.colwise().squaredNorm().maxCoeff()) : 0.0;
  for (Index k = 0; k < std::min<Index>(nv, num_rows_); ++k) {
    Index pivot = 0;
    const double square =
        X.bottomRightCorner(nv - k, num_rows_ - k).colwise().squaredNorm().maxCoeff(&pivot);
    if (std::sqrt(square) <= dependent * longest) break;
    pivot += k;
    if (pivot != k) {
      X.col(k).swap(X.col(pivot));
      std::swap(order_[k], order_[pivot]);
    }
    const double length = X(k, k) > 0 ? -std::sqrt(square) : std::sqrt(square);
    auto u = reflection_.head(nv - k);
    u = X.col(k).tail(nv - k);
    u[0] -= length;
    const double scale = 2.0 / u.squaredNorm();
    auto rest = X.bottomRightCorner(nv - k, num_rows_ - k);
    row_.head(num_rows_ - k).noalias() = rest.transpose() * u;
    rest.noalias() -= scale * u * row_.head(num_rows_ - k).transpose();
    auto moved = U_.rightCols(nv - k);
    row_.head(nv).noalias() = moved * u;
    moved.noalias() -= scale * row_.head(nv) * u.transpose();
    ++rank_;
  }
  // lift Rᵀ = U₁, from the last column on, each column at its row's place.
  lift_.leftCols(num_rows_).setZero();
  for (int i = rank_ - 1; i >= 0; --i) {
    auto column = lift_.col(order_[i]);
    column = U_.col(i);
    for (int j = i + 1; j < rank_; ++j) column -= X_(i, j) * lift_.col(order_[j]);
    column /= X_(i, i);
  }
}

void Response::multipliers(const VectorXd& b, const Eigen::Ref<const VectorXd>& c,
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

std::vector<int> Response::dependent_rows() const {
  return {order_.begin() + rank_, order_.begin() + num_rows_};
}

}  // namespace bayesid
