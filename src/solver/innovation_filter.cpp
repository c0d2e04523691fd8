// SPDX-License-Identifier: BSD-3-Clause
#include "solver/innovation_filter.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

#include "math/blas.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

InnovationFilter::InnovationFilter(const Stage& first, const ArrivalConstraints& arrival) {
  const Index nx = first.q.size();
  MatrixXd Z = MatrixXd::Identity(nx, nx);
  VectorXd shift = VectorXd::Zero(nx);
  if (arrival.E.rows() > 0) {
    shift = arrival.E.completeOrthogonalDecomposition().solve(-arrival.e);
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(arrival.E.transpose());
    const MatrixXd Q = qr.householderQ();
    Z = Q.rightCols(nx - qr.rank());
  }
  // δx = s − Z (ZᵀQZ)⁻¹Zᵀ(q + Q s), and S = Z L⁻ᵀ with L Lᵀ = ZᵀQZ.                      (10)
  const Eigen::LLT<MatrixXd> chol(Z.transpose() * first.Q * Z);
  root_ = chol.matrixL().solve(Z.transpose()).transpose();
  mean_ = shift - root_ * (root_.transpose() * (first.q + first.Q * shift));
}

/// Potter's update: `rows` by the unit variables behind S, their values where those are zero.  (29)
Innovations InnovationFilter::take_in(MatrixXd& rows, VectorXd& expected) {
  Innovations out{VectorXd(expected.size()), VectorXd(expected.size())};
  for (Index i = 0; i < expected.size(); ++i) {
    const VectorXd f = rows.row(i).transpose();
    const double total = f.squaredNorm() + 1;
    out.value[i] = expected[i];
    out.std[i] = std::sqrt(total);
    const double step = -expected[i] / total, shrink = 1 / (total + out.std[i]);
    const Index rest = expected.size() - i - 1;
    const VectorXd of_rows = rows.bottomRows(rest) * f, of_state = root_ * f;
    expected.tail(rest) += step * of_rows;
    mean_ += step * of_state;
    rows.bottomRows(rest).noalias() -= (shrink * of_rows) * f.transpose();
    root_.noalias() -= (shrink * of_state) * f.transpose();
  }
  return out;
}

Innovations InnovationFilter::observe(const SensorRows& rows) {
  if (rows.node.empty()) return {};
  MatrixXd by_unit(rows.R.rows(), root_.cols());
  blas::multiply(1.0, rows.R, Op::plain, root_, Op::plain, 0.0, by_unit);
  VectorXd expected = rows.r + rows.R * mean_;
  return take_in(by_unit, expected);
}

Innovations InnovationFilter::step(const Stage& s, const SensorRows& rows) {
  const Index nx = mean_.size(), m = root_.cols();
  const auto n = static_cast<Index>(rows.stage.size());
  const auto R_x = s.R_x.topRows(n), R_y = s.R_y.topRows(n);
  const auto N = s.N.leftCols(s.nw);
  // x = μ + S u and x' = A μ + d + [A S, N](u, ε), both of unit variance.              (28)
  MatrixXd moved(nx, m + s.nw);
  blas::multiply(1.0, s.A, Op::plain, root_, Op::plain, 0.0, moved.leftCols(m));
  moved.rightCols(s.nw) = N;
  MatrixXd by_unit(n, m + s.nw);
  VectorXd expected;
  if (n > 0) {
    by_unit.noalias() = R_y * moved;
    by_unit.leftCols(m) += R_x * root_;
    expected = s.r.head(n) + R_x * mean_;
  }
  mean_ = s.A * mean_ + s.d;
  root_.swap(moved);
  Innovations out;
  if (n > 0) {
    expected += R_y * mean_;
    out = take_in(by_unit, expected);
  }
  if (root_.cols() > nx) {
    // S' of nx columns with the same S'S'ᵀ: the triangle of a QR factorisation.          (30)
    const Eigen::HouseholderQR<MatrixXd> qr(root_.transpose());
    root_ = qr.matrixQR().topRows(nx).triangularView<Eigen::Upper>().transpose();
  }
  return out;
}

}  // namespace bayesid
