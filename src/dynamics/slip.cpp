// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/slip.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "bayesid/dynamics.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/workspace.hpp"
#include "math/blas.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the longest column: what is left of a dependent one is round-off, 1e-15.
constexpr double dependent = 1e-9;

/// Orthonormal basis of the columns' span, longest remaining column first; the columns are used up.
int orthonormal_basis(Eigen::Ref<MatrixXd> columns, Eigen::Ref<MatrixXd> out) {
  const Index n = columns.cols(), most = std::min(n, columns.rows());
  double longest = 0;
  for (Index rank = 0; rank < most; ++rank) {
    Index pivot = rank;
    for (Index j = rank; j < n; ++j) {
      if (columns.col(j).squaredNorm() > columns.col(pivot).squaredNorm()) pivot = j;
    }
    columns.col(rank).swap(columns.col(pivot));
    const double length = columns.col(rank).norm();
    longest = std::max(longest, length);
    if (length <= dependent * longest) return static_cast<int>(rank);
    auto basis = out.col(rank);
    basis = columns.col(rank) / length;
    // Once more against those before it: what rounding left of them has grown with 1/length.
    for (Index i = 0; i < rank; ++i) basis -= out.col(i).dot(basis) * out.col(i);
    basis /= basis.norm();
    for (Index j = rank + 1; j < n; ++j) columns.col(j) -= basis.dot(columns.col(j)) * basis;
  }
  return static_cast<int>(most);
}

}  // namespace

MotionConstraint slipping_rows(const MotionConstraint& contact) {
  MotionConstraint out = contact;
  // A point has the linear rows of a frame at the same place; only a frame has angular ones.
  out.type = ConstraintType::frame;
  out.rows.clear();
  for (int row = 0; row < 6; ++row) {
    const bool is_kept = std::ranges::find(contact.rows, row) != contact.rows.end();
    if (!is_kept && contact.slip_std(row) > 0) out.rows.push_back(row);
  }
  return out;
}

Slip::Slip(int nv)
    : rows_(0, nv),
      basis_(MatrixXd::Zero(nv, nv)),
      B_(basis_),
      L_(basis_),
      force_(VectorXd::Zero(nv)),
      y_(force_) {}

ConstraintRows& Slip::make_rows(int num_rows) {
  num_rows_ = num_rows;
  rank_ = 0;
  if (impulse_.size() < num_rows) {
    make_room(rows_, num_rows, B_.rows());
    columns_ = scaled_ = MatrixXd::Zero(B_.rows(), num_rows);
    std_ = impulse_ = VectorXd::Zero(num_rows);
  }
  return rows_;
}

void Slip::factor(const Mode& mode, const KktFactorisation& kkt) {
  const auto Z = kkt.Z();
  const Index free = Z.cols();
  if (num_rows_ == 0 || free == 0) return;
  int row = 0;
  for (const MotionConstraint& c : mode.slips) {
    for (const int i : c.rows) std_[row++] = c.slip_std(i);
  }
  const auto scaled_product = [&](const Eigen::Ref<const MatrixXd>& left, auto out) {
    blas::multiply(1.0, left, Op::transposed, J(), Op::transposed, 0.0, out);
    for (int j = 0; j < num_rows_; ++j) out.col(j) *= std_[j];
  };
  auto columns = columns_.topLeftCorner(free, num_rows_);
  scaled_product(Z, columns);
  rank_ = orthonormal_basis(columns, basis_.topRows(free));
  if (rank_ == 0) return;
  blas::multiply(1.0, Z, Op::plain, basis_.topLeftCorner(free, rank_), Op::plain, 0.0,
                 B_.leftCols(rank_));
  // L Lᵀ = Bᵀ Jₜᵀ Σ Jₜ B
  auto scaled = scaled_.topLeftCorner(rank_, num_rows_);
  scaled_product(B(), scaled);
  Eigen::Ref<MatrixXd> L = L_.topLeftCorner(rank_, rank_);
  blas::multiply(1.0, scaled, Op::plain, scaled, Op::transposed, 0.0, L);
  const Eigen::LLT<Eigen::Ref<MatrixXd>> chol(L);
  for (int j = 1; j < rank_; ++j) L.col(j).head(j).setZero();
}

void Slip::explain(const VectorXd& momentum) {
  // y = Bᵀ M a, then Λ = Σ Jₜ B (L Lᵀ)⁻¹ y: the shortest in standard deviations.
  auto y = y_.head(rank_);
  auto impulse = impulse_.head(num_rows_);
  y.noalias() = B().transpose() * momentum;
  const auto L = L_.topLeftCorner(rank_, rank_).triangularView<Eigen::Lower>();
  L.solveInPlace(y);
  L.transpose().solveInPlace(y);
  impulse.noalias() = scaled_.topLeftCorner(rank_, num_rows_).transpose() * y;
  impulse.array() *= std_.head(num_rows_).array();
  force_.noalias() = J().transpose() * impulse;
}

/// Jₜ at the kinematics' configuration, and what it does at the response.
void Dynamics::factor_slip(const Mode& mode, Workspace& workspace, StageDynamics& out) const {
  ConstraintRows& rows = out.slip->make_rows(mode.num_slips());
  if (mode.slips.empty()) return;
  read_rows(mode.slips, Level::velocity, false, workspace, rows);
  out.slip->factor(mode, *out.kkt);
}

}  // namespace bayesid
