// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/held_out_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// (A + ρ tr(A)/p 1)⁻¹ b: features are of size 1, and some of them may be empty.           (1)
VectorXd solve_ridge(const MatrixXd& A, const VectorXd& b) {
  constexpr double ridge = 1e-3;
  const Index p = A.rows();
  if (p == 0) return VectorXd(0);
  const double small = ridge * A.trace() / static_cast<double>(p) + 1e-300;
  return (A + small * MatrixXd::Identity(p, p)).llt().solve(b);
}

/// Xᵀ W (X, y) of each fold.
struct FoldSums {
  std::array<MatrixXd, num_folds> A;
  std::array<VectorXd, num_folds> b;
};

FoldSums fold_sums(const Target& target, const MatrixXd& X) {
  FoldSums out;
  out.A.fill(MatrixXd::Zero(X.cols(), X.cols()));
  out.b.fill(VectorXd::Zero(X.cols()));
  for (Index first = 0; first < target.size();) {
    Index end = first;
    while (end < target.size() && target.block_of(end) == target.block_of(first)) ++end;
    const int fold = target.fold_of(first);
    const MatrixXd own = X.middleRows(first, end - first);
    const MatrixXd weighted = target.weight.segment(first, end - first).asDiagonal() * own;
    out.A[fold] += weighted.transpose() * own;
    out.b[fold] += weighted.transpose() * target.y.segment(first, end - first);
    first = end;
  }
  return out;
}

/// Coefficients of the leading columns from all folds but one.
VectorXd fit_without(const FoldSums& sums, int fold, Index columns) {
  MatrixXd A = MatrixXd::Zero(columns, columns);
  VectorXd b = VectorXd::Zero(columns);
  for (int f = 0; f < num_folds; ++f) {
    if (f == fold) continue;
    A += sums.A[f].topLeftCorner(columns, columns);
    b += sums.b[f].head(columns);
  }
  return solve_ridge(A, b);
}

MatrixXd beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd out(right.rows(), left.cols() + right.cols());
  out << left, right;
  return out;
}

constexpr double most_taken = 0.2;  // coefficients, of the samples that are independent

/// Samples that tell as much as one of white noise: n var(mean of n)/var, the largest over the
/// lengths n.                                                                              (2)
double correlation_length(const Target& target) {
  constexpr Index fewest_means = 10;
  VectorXd means = target.y.cwiseProduct(target.weight.cwiseSqrt());
  const double variance = means.squaredNorm() / static_cast<double>(means.size());
  if (!(variance > 0)) return 1;
  double out = 1;
  for (double length = 2; means.size() / 2 >= fewest_means; length *= 2) {
    const Index half = means.size() / 2;
    for (Index i = 0; i < half; ++i) means[i] = 0.5 * (means[2 * i] + means[2 * i + 1]);
    means.conservativeResize(half);
    out = std::max(out, length * means.squaredNorm() / static_cast<double>(half) / variance);
  }
  return out;
}

}  // namespace

int Target::num_blocks() const {
  constexpr Index most = 40, least = 10, shortest = 25;
  return static_cast<int>(std::clamp<Index>(size() / shortest, least, most));
}

int Target::block_of(Index sample) const {
  return static_cast<int>(sample * num_blocks() / size());
}

HeldOutGain held_out_gain(const Target& target, const MatrixXd& base,
                          const std::vector<MatrixXd>& added) {
  VectorXd gains = VectorXd::Zero(target.num_blocks()), left = target.y;
  MatrixXd X;
  FoldSums sums;
  for (int fold = 0; fold < num_folds; ++fold) {
    if (fold == 0 || added.size() > 1) {
      X = beside(base, added[added.size() > 1 ? fold : 0]);
      sums = fold_sums(target, X);
    }
    const VectorXd all = fit_without(sums, fold, X.cols());
    const VectorXd before = fit_without(sums, fold, base.cols());
    for (Index k = 0; k < target.size(); ++k) {
      if (target.fold_of(k) != fold) continue;
      left[k] = target.y[k] - X.row(k).dot(all);
      const double error_before = target.y[k] - X.row(k).head(base.cols()).dot(before);
      gains[target.block_of(k)] +=
          target.weight[k] * (error_before * error_before - left[k] * left[k]);
    }
  }
  const double total = target.weight.dot(target.y.cwiseAbs2());
  if (!(total > 0)) return {};
  // Of noise with this correlation, each coefficient takes about τ mean squares.          (3)
  const auto coefficients = static_cast<double>(added[0].cols());
  const double searched = added.size() > 1 ? 12 : 0;
  const Target rest{left, target.weight};
  const double length = correlation_length(rest);
  const double floor = (1.5 + 0.25 * (coefficients + searched)) * rest.mean_square() * length;
  const double spread = std::sqrt(2 * gains.cwiseMin(0).squaredNorm() + floor * floor);
  const bool is_enough = coefficients * length < most_taken * static_cast<double>(target.size());
  return {.share = std::min(1.0, gains.sum() / total),
          .significance = is_enough && spread > 0 ? gains.sum() / spread : 0};
}

VectorXd fit_features(const Target& target, const MatrixXd& features) {
  const MatrixXd weighted = target.weight.asDiagonal() * features;
  return solve_ridge(weighted.transpose() * features, weighted.transpose() * target.y);
}

}  // namespace bayesid::posterior
