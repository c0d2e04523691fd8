// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Any number of rows [A, b] of a least-squares problem as one triangle: |A x + b| = |R [x; 1]| for
/// every x. By orthogonal transformations, hence as exact as the rows themselves.
///                                                                  docs/math/baselines.md (8)
class CondensedRows {
 public:
  explicit CondensedRows(Eigen::Index columns) : R_(Eigen::MatrixXd::Zero(columns, columns)) {}

  /// Rows of the same width.
  void add(const Eigen::MatrixXd& rows);
  /// All rows of another one, times a factor.
  void add(const CondensedRows& other, double factor);

  Eigen::MatrixXd A() const { return R_.leftCols(R_.cols() - 1); }
  Eigen::VectorXd b() const { return R_.rightCols(1); }
  double squared_norm(const Eigen::VectorXd& x) const;
  double count() const { return count_; }

 private:
  Eigen::MatrixXd R_;
  double count_ = 0;  // of rows
};

}  // namespace bayesid
