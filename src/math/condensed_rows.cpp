// SPDX-License-Identifier: BSD-3-Clause
#include "math/condensed_rows.hpp"

#include <Eigen/QR>

namespace bayesid {

using Eigen::MatrixXd;

void CondensedRows::add(const MatrixXd& rows) {
  const Eigen::Index n = R_.cols();
  MatrixXd stacked(n + rows.rows(), n);
  stacked << R_, rows;
  const Eigen::HouseholderQR<MatrixXd> qr(stacked);
  R_ = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  count_ += static_cast<double>(rows.rows());
}

void CondensedRows::add(const CondensedRows& other, double factor) {
  const double before = count_;
  add(MatrixXd(factor * other.R_));
  count_ = before + other.count_;
}

double CondensedRows::squared_norm(const Eigen::VectorXd& x) const {
  return (A() * x + b()).squaredNorm();
}

}  // namespace bayesid
