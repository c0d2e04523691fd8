// SPDX-License-Identifier: BSD-3-Clause
#include "solver/parameter_qp.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "solver/active_set.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Constraints in whitened coordinates y = Lᵀδ, rows of unit length.
struct Whitened {
  VectorXd target;  // −L⁻¹g: the solution without constraints
  MatrixXd E, G;
  VectorXd e, g;
  VectorXd E_scale, G_scale;  // length of each row before scaling
};

/// Nearest point to the target with E y + e = 0 and G y + g ≥ 0.
struct NearestPoint {
  bool solved = false;  // finite, feasible and with multipliers of the right sign
  VectorXd y;
  VectorXd equality_multipliers, force;  // multipliers of E and of G
  std::vector<int> active;
};

void normalise_rows(MatrixXd& rows, VectorXd& offset, VectorXd& scale) {
  scale = rows.rowwise().norm().cwiseMax(1e-300);
  rows.array().colwise() /= scale.array();
  offset.array() /= scale.array();
}

Whitened whiten(const Eigen::LLT<MatrixXd>& chol, const VectorXd& g, const LinearConstraints& c) {
  Whitened out;
  out.target = chol.matrixL().solve(-g);
  out.E = c.E.rows() > 0 ? MatrixXd(chol.matrixL().solve(c.E.transpose()).transpose())
                         : MatrixXd(0, g.size());
  out.G = c.G.rows() > 0 ? MatrixXd(chol.matrixL().solve(c.G.transpose()).transpose())
                         : MatrixXd(0, g.size());
  out.e = c.e;
  out.g = c.g;
  normalise_rows(out.E, out.e, out.E_scale);
  normalise_rows(out.G, out.g, out.G_scale);
  return out;
}

/// Projection on the equalities and the rows of G in `active`, all with equality.
NearestPoint project(const Whitened& w, const std::vector<int>& active) {
  const Eigen::Index ne = w.E.rows(), na = static_cast<Eigen::Index>(active.size());
  MatrixXd J(ne + na, w.target.size());
  VectorXd r(ne + na);
  J.topRows(ne) = w.E;
  r.head(ne) = w.e;
  for (Eigen::Index i = 0; i < na; ++i) {
    J.row(ne + i) = w.G.row(active[i]);
    r[ne + i] = w.g[active[i]];
  }
  NearestPoint out;
  out.active = active;
  out.force = VectorXd::Zero(w.G.rows());
  out.equality_multipliers = VectorXd::Zero(ne);
  out.y = w.target;
  if (J.rows() > 0) {
    // y = target + Jᵀμ with J y + r = 0; dependent rows share their force.
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(J.transpose());
    const VectorXd step = J.completeOrthogonalDecomposition().solve(-(J * w.target + r));
    out.y += step;
    const VectorXd force = decomposition.solve(step);
    out.equality_multipliers = force.head(ne);
    for (Eigen::Index i = 0; i < na; ++i) out.force[active[i]] = force[ne + i];
  }
  return out;
}

double tolerance(const NearestPoint& p) {
  return 1e-10 * std::max(1.0, p.y.lpNorm<Eigen::Infinity>());
}

/// Primal–dual active-set steps from a guess: drop rows that pull, add rows that are violated.
NearestPoint polish(const Whitened& w, std::vector<int> active) {
  for (int round = 0; round < 100; ++round) {
    NearestPoint p = project(w, active);
    const double tol = tolerance(p);
    const VectorXd slack = w.G * p.y + w.g;
    std::vector<int> next;
    for (Eigen::Index i = 0; i < w.G.rows(); ++i) {
      const bool was_active = std::find(active.begin(), active.end(), i) != active.end();
      if (was_active ? p.force[i] > -tol : slack[i] < -tol) next.push_back(static_cast<int>(i));
    }
    if (next == active) {
      const bool equalities_hold =
          w.E.rows() == 0 || (w.E * p.y + w.e).lpNorm<Eigen::Infinity>() < 1e-8;
      p.solved =
          p.y.allFinite() && equalities_hold && (slack.size() == 0 || slack.minCoeff() > -1e-8);
      return p;
    }
    active = next;
  }
  return {};
}

/// The same along the equalities, for a Hessian that need not be positive across them.
ParameterQpSolution solve_along_equalities(const MatrixXd& H, const VectorXd& g,
                                           const LinearConstraints& c,
                                           const std::vector<int>& guess) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(c.E.transpose());
  const MatrixXd Q = qr.householderQ();
  const MatrixXd Z = Q.rightCols(g.size() - qr.rank());
  const VectorXd onto = c.E.completeOrthogonalDecomposition().solve(-c.e);
  ParameterQpSolution out;
  if ((c.E * onto + c.e).lpNorm<Eigen::Infinity>() > 1e-8) return out;
  const LinearConstraints rest{MatrixXd(0, Z.cols()), VectorXd(0), c.G * Z, c.g + c.G * onto};
  const ParameterQpSolution along =
      solve_parameter_qp(Z.transpose() * H * Z, Z.transpose() * (g + H * onto), rest, guess);
  if (!along.solved) return out;
  out = along;
  out.dtheta = onto + Z * along.dtheta;
  const VectorXd left = g + H * out.dtheta - c.G.transpose() * along.inequality_multipliers;
  out.equality_multipliers = c.E.transpose().completeOrthogonalDecomposition().solve(left);
  return out;
}

}  // namespace

ParameterQpSolution solve_parameter_qp(const MatrixXd& H, const VectorXd& g,
                                       const LinearConstraints& constraints,
                                       const std::vector<int>& guess) {
  ParameterQpSolution out;
  if (g.size() == 0) {
    out.solved = true;
    out.dtheta = g;
    return out;
  }
  if (!H.allFinite() || !g.allFinite()) return out;
  const Eigen::LLT<MatrixXd> chol(H);
  if (chol.info() != Eigen::Success)
    return constraints.E.rows() > 0 ? solve_along_equalities(H, g, constraints, guess) : out;
  if (constraints.E.rows() == 0 && guess.empty()) {
    // Most steps meet no constraint.
    out.dtheta = chol.solve(-g);
    const VectorXd slack = constraints.G * out.dtheta + constraints.g;
    if (out.dtheta.allFinite() && (slack.array() >= 0).all()) {
      out.solved = true;
      out.equality_multipliers = VectorXd(0);
      out.inequality_multipliers = VectorXd::Zero(slack.size());
      return out;
    }
  }
  const Whitened w = whiten(chol, g, constraints);
  NearestPoint p = polish(w, guess);
  if (!p.solved) p = polish(w, guess_active_rows(w.target, w.E, w.e, w.G, w.g));
  if (!p.solved) return out;
  out.solved = true;
  out.dtheta = chol.matrixU().solve(p.y);
  out.active = p.active;
  out.equality_multipliers = p.equality_multipliers.cwiseQuotient(w.E_scale);
  out.inequality_multipliers = p.force.cwiseQuotient(w.G_scale);
  return out;
}

MatrixXd constrained_covariance(const MatrixXd& H, const LinearConstraints& constraints,
                                const std::vector<int>& active) {
  const Eigen::Index n = H.rows();
  MatrixXd J(constraints.E.rows() + static_cast<Eigen::Index>(active.size()), n);
  J.topRows(constraints.E.rows()) = constraints.E;
  for (size_t i = 0; i < active.size(); ++i) {
    J.row(constraints.E.rows() + static_cast<Eigen::Index>(i)) = constraints.G.row(active[i]);
  }
  const Eigen::LLT<MatrixXd> chol(H);
  MatrixXd factor = chol.matrixL()
                        .solve(MatrixXd::Identity(n, n))
                        .transpose();  // Σ without constraints = factor factorᵀ
  if (J.rows() > 0) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr((J * factor).transpose());
    const MatrixXd Q = qr.householderQ();
    factor = factor * Q.rightCols(n - qr.rank());
  }
  return factor * factor.transpose();
}

double information_gain(const MatrixXd& H, const MatrixXd& P, const MatrixXd& equalities) {
  MatrixXd Z = MatrixXd::Identity(H.rows(), H.rows());
  if (equalities.rows() > 0) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(equalities.transpose());
    const MatrixXd Q = qr.householderQ();
    Z = Q.rightCols(H.rows() - qr.rank());
  }
  // In units of the prior, so that nothing is lost where the data are weak.
  const Eigen::LLT<MatrixXd> prior(Z.transpose() * P * Z);
  MatrixXd whitened = prior.matrixL().solve(Z.transpose() * H * Z);
  whitened = prior.matrixL().solve(whitened.transpose().eval());
  return 2 * MatrixXd(whitened.llt().matrixL()).diagonal().array().log().sum();
}

}  // namespace bayesid
