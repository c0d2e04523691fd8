// SPDX-License-Identifier: BSD-3-Clause
#include "stage/semidefinite.hpp"

#include <cmath>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void semidefinite_cholesky(Eigen::Ref<MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double variance = matrix(j, j);
    for (Eigen::Index i = 0; i < j; ++i) {
      const double factor = matrix(j, i);
      if (factor != 0) matrix.col(j).tail(n - j) -= factor * matrix.col(i).tail(n - j);
    }
    const double pivot = matrix(j, j);
    if (pivot <= 1e-15 * variance || pivot <= 0) {
      matrix.col(j).tail(n - j).setZero();
    } else {
      matrix.col(j).tail(n - j) /= std::sqrt(pivot);
    }
    matrix.col(j).head(j).setZero();
  }
}

void whiten(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<VectorXd> y) {
  const Eigen::Index n = y.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    y[i] = L(i, i) > 0 ? y[i] / L(i, i) : 0.0;
    if (y[i] != 0) y.tail(n - i - 1) -= y[i] * L.col(i).tail(n - i - 1);
  }
}

void whiten_columns(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<MatrixXd> columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) whiten(L, columns.col(j));
}

void unwhiten(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<VectorXd> y) {
  const Eigen::Index n = y.size();
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    const double rest = L.col(i).tail(n - i - 1).dot(y.tail(n - i - 1));
    y[i] = L(i, i) > 0 ? (y[i] - rest) / L(i, i) : 0.0;
  }
}

}  // namespace bayesid
