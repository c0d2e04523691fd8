// SPDX-License-Identifier: BSD-3-Clause
// Small pieces of the recursion: symmetric matrices stored by their lower half, and products with
// them.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "math/blas.hpp"

namespace bayesid {

inline int packed_size(int n) {
  return n * (n + 1) / 2;
}

inline void pack(const Eigen::MatrixXd& symmetric, double* out) {
  const Eigen::Index n = symmetric.rows();
  for (Eigen::Index j = 0; j < n; out += n - j, ++j) {
    std::copy_n(symmetric.data() + j * n + j, n - j, out);
  }
}

inline Eigen::MatrixXd unpack(const double* in, int n) {
  Eigen::MatrixXd out(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) out(i, j) = out(j, i) = *in++;
  }
  return out;
}

/// y = alpha · symmetric · x + beta · y
inline void multiply_packed(double alpha, const double* symmetric, const double* x, double beta,
                            double* y, int n) {
  scipy_cblas_dspmv(CblasColMajor, CblasLower, n, alpha, symmetric, x, 1, beta, y, 1);
}

inline void multiply_vector(double alpha, const double* A, blas::Op op, const double* x,
                            double beta, double* y, int n) {
  scipy_cblas_dgemv(CblasColMajor, blas::code(op), n, n, alpha, A, n, x, 1, beta, y, 1);
}

/// E = L⁻¹ E with L Lᵀ = F, which is used up. Plain loops where Eigen's blocking costs more than
/// the work.
inline void whiten_rows(Eigen::Ref<Eigen::MatrixXd> F, Eigen::Ref<Eigen::MatrixXd> E) {
  constexpr Eigen::Index small = 8;
  const Eigen::Index n = F.rows();
  if (n == 0) return;
  if (n > small) {
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> chol(F);
    chol.matrixL().solveInPlace(E);
    return;
  }
  double L[small][small];
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double rest = F(i, j);
      for (Eigen::Index k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
      L[i][j] = j < i ? rest * L[j][j] : 1 / std::sqrt(rest);  // the diagonal holds inverses
    }
  }
  for (Eigen::Index c = 0; c < E.cols(); ++c) {
    double* column = &E(0, c);
    for (Eigen::Index i = 0; i < n; ++i) {
      double rest = column[i];
      for (Eigen::Index k = 0; k < i; ++k) rest -= L[i][k] * column[k];
      column[i] = rest * L[i][i];
    }
  }
}

}  // namespace bayesid
