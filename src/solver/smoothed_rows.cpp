// SPDX-License-Identifier: BSD-3-Clause
#include "solver/smoothed_rows.hpp"

#include <Eigen/Cholesky>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Diagonal of f P fᵀ.
VectorXd variance_along(const MatrixXd& f, const MatrixXd& P) {
  return (f * P).cwiseProduct(f).rowwise().sum();
}

}  // namespace

NoiseSolution::NoiseSolution(const RiccatiSweep& sweep, int k, const Stage& s, const MatrixXd& C,
                             const MatrixXd& G) {
  const auto N = s.N.leftCols(s.nw);
  const MatrixXd V = sweep.information(k + 1);
  MatrixXd seen = V * s.A;  // V'A + X
  if (s.nr > 0) seen += s.R_y.topRows(s.nr).transpose() * s.R_x.topRows(s.nr);
  MatrixXd F = N.transpose() * (V * N);
  F.diagonal().array() += 1.0;
  const Eigen::LLT<MatrixXd> chol(F);
  whitened = chol.matrixL().solve(MatrixXd::Identity(s.nw, s.nw));
  const MatrixXd gain = whitened.transpose() * (whitened * N.transpose());  // F⁻¹Nᵀ
  K = gain * seen;
  if (C.size() > 0) Y = -gain * (V * C + G);
}

VectorXd node_residual_variance(const SensorRows& rows, const MatrixXd& P, const MatrixXd& X,
                                const MatrixXd& zeta_cov) {
  if (rows.node.empty()) return {};
  VectorXd out = VectorXd::Ones(rows.R.rows()) - variance_along(rows.R, P);
  if (zeta_cov.size() > 0) out -= variance_along(rows.R * X, zeta_cov);
  return out.cwiseMax(0);
}

VectorXd stage_residual_variance(const Stage& s, const SensorRows& rows,
                                 const NoiseSolution& noise_solution, const SmoothedEnds& ends) {
  const auto R_x = s.R_x.topRows(s.nr), R_y = s.R_y.topRows(s.nr);
  const MatrixXd& U = rows.by_rows;
  // u = f_x δx + f_ε ε with x' = A δx + N ε.
  const MatrixXd UR_y = U * R_y;
  const MatrixXd f_noise = rows.by_noise + UR_y * s.N.leftCols(s.nw);
  const MatrixXd f_x = U * R_x + UR_y * s.A - f_noise * noise_solution.K;
  VectorXd out = rows.by_noise.rowwise().squaredNorm() + U.rowwise().squaredNorm();
  out -= variance_along(f_x, ends.P);
  out -= (f_noise * noise_solution.whitened.transpose()).rowwise().squaredNorm();
  if (ends.zeta_cov.size() > 0) {
    const MatrixXd along = rows.by_noise * (noise_solution.Y - noise_solution.K * ends.X) +
                           U * (R_x * ends.X + R_y * ends.X_next + s.R_zeta.topRows(s.nr));
    out -= variance_along(along, ends.zeta_cov);
  }
  return out.cwiseMax(0);
}

}  // namespace bayesid
