// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/constraint.hpp"

namespace bayesid {

class KktFactorisation;

/// Impulses along the rows that slip in an impact, and the jumps of velocity they make:
///   Z Zᵀ Jₜᵀ Λ = B y, Λ of covariance Σ, y of covariance L Lᵀ          docs/math/constraints.md
///   (9a)
/// B spans what slip can do, Bᵀ M B = 1. Memory is made for the largest mode seen.
class Slip {
 public:
  explicit Slip(int nv);

  /// Jₜ goes here, before `factor`.
  ConstraintRows& make_rows(int num_rows);
  /// No allocation.
  void factor(const Mode& mode, const KktFactorisation& kkt);
  /// The likeliest impulses for a jump a of the velocity, given M a. No allocation.
  void explain(const Eigen::VectorXd& momentum);

  int rank() const { return rank_; }
  int num_rows() const { return num_rows_; }
  Eigen::Ref<const Eigen::MatrixXd> J() const { return rows_.J.topRows(num_rows_); }
  Eigen::Ref<const Eigen::MatrixXd> B() const { return B_.leftCols(rank_); }
  Eigen::Ref<const Eigen::MatrixXd> L() const { return L_.topLeftCorner(rank_, rank_); }
  Eigen::Ref<const Eigen::VectorXd> impulse() const { return impulse_.head(num_rows_); }  // Λ
  const Eigen::VectorXd& force() const { return force_; }                                 // Jₜᵀ Λ

 private:
  ConstraintRows rows_;
  Eigen::MatrixXd columns_, basis_, B_, scaled_, L_;
  Eigen::VectorXd std_, impulse_, force_, y_;
  int num_rows_ = 0, rank_ = 0;
};

}  // namespace bayesid
