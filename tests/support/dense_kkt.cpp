// SPDX-License-Identifier: BSD-3-Clause
#include "support/dense_kkt.hpp"

#include <Eigen/QR>
#include <random>

namespace bayesid::test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd random_matrix(std::mt19937& random, Index rows, Index cols) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

MatrixXd random_semidefinite(std::mt19937& random, Index n, Index rank) {
  const MatrixXd factor = random_matrix(random, n, rank);
  return factor * factor.transpose();
}

LqStage random_stage(const RandomLq& o, std::mt19937& random, int k) {
  LqStage s;
  const Index n = o.nx + o.nu + o.nzeta;
  s.A = MatrixXd::Identity(o.nx, o.nx) + 0.3 * random_matrix(random, o.nx, o.nx);
  s.B = random_matrix(random, o.nx, o.nu);
  s.C = random_matrix(random, o.nx, o.nzeta);
  s.c = random_matrix(random, o.nx, 1);
  s.Q = random_semidefinite(random, n, 3);
  s.q = random_matrix(random, n, 1);
  s.Q.block(o.nx, o.nx, o.nu, o.nu) += MatrixXd::Identity(o.nu, o.nu);
  if (o.missing_observations && k % 2 == 1) {
    s.Q.setZero();
    s.q.setZero();
    s.Q.block(o.nx, o.nx, o.nu, o.nu).setIdentity();
  }
  if (k == 0) s.Q.topLeftCorner(o.nx, o.nx) += MatrixXd::Identity(o.nx, o.nx);
  int rows = o.stage_equalities;
  const bool state_row = o.state_equalities && k % 3 == 2;
  const int extra = (o.dependent_equalities && rows > 0 ? 1 : 0) + (state_row ? 1 : 0);
  // Rows of h_u orthonormal and h_x small: eliminated inputs then do not make the dynamics explode,
  // so that both solvers keep their digits (random h_u of full size loses eight of them in five
  // stages).
  s.h_x = 0.3 * random_matrix(random, rows + extra, o.nx);
  const Eigen::HouseholderQR<MatrixXd> qr(random_matrix(random, o.nu, o.nu));
  s.h_u = MatrixXd(qr.householderQ()).topRows(std::min(rows + extra, o.nu));
  s.h_u.conservativeResize(rows + extra, o.nu);
  s.h_zeta = random_matrix(random, rows + extra, o.nzeta);
  s.h = random_matrix(random, rows + extra, 1);
  if (o.dependent_equalities && rows > 0) {
    const Index r = rows;
    s.h_x.row(r) = -2.0 * s.h_x.row(0);
    s.h_u.row(r) = -2.0 * s.h_u.row(0);
    s.h_zeta.row(r) = -2.0 * s.h_zeta.row(0);
    s.h[r] = -2.0 * s.h[0];
  }
  if (state_row) s.h_u.row(rows + extra - 1).setZero();
  return s;
}

struct Kkt {
  MatrixXd H, J;
  VectorXd g, r;
};

/// Unknowns: θ, then for each trajectory x₀, u₀, x₁, u₁ … x_N.
Kkt assemble(const LqProblem& problem) {
  const Index nx = problem.nx, nt = problem.T.cols(), nz = problem.T.rows();
  Index n = nt, m = problem.constraints.E.rows();
  for (const LqTrajectory& t : problem.trajectories) {
    n += nx;
    for (const LqStage& s : t.stages) {
      n += s.B.cols() + nx;
      m += nx + s.h.size();
    }
  }
  Kkt kkt{MatrixXd::Zero(n, n), MatrixXd::Zero(m, n), VectorXd::Zero(n), VectorXd::Zero(m)};
  kkt.H.topLeftCorner(nt, nt) = problem.prior_hessian;
  kkt.g.head(nt) = problem.prior_gradient;
  kkt.J.block(0, 0, problem.constraints.E.rows(), nt) = problem.constraints.E;
  kkt.r.head(problem.constraints.e.size()) = problem.constraints.e;
  Index column = nt, row = problem.constraints.E.rows();
  for (const LqTrajectory& t : problem.trajectories) {
    for (const LqStage& s : t.stages) {
      const Index nu = s.B.cols();
      MatrixXd select =
          MatrixXd::Zero(nx + nu + nz, n);  // (x, u, ζ) of this stage from all unknowns
      select.block(0, column, nx + nu, nx + nu).setIdentity();
      select.block(nx + nu, 0, nz, nt) = problem.T;
      kkt.H += select.transpose() * s.Q * select;
      kkt.g += select.transpose() * s.q;
      MatrixXd dynamics(nx, nx + nu + nz), equality(s.h.size(), nx + nu + nz);
      dynamics << s.A, s.B, s.C;
      equality << s.h_x, s.h_u, s.h_zeta;
      kkt.J.middleRows(row, nx) = dynamics * select;
      kkt.J.block(row, column + nx + nu, nx, nx) -= MatrixXd::Identity(nx, nx);
      kkt.r.segment(row, nx) = s.c;
      kkt.J.middleRows(row + nx, s.h.size()) = equality * select;
      kkt.r.segment(row + nx, s.h.size()) = s.h;
      row += nx + s.h.size();
      column += nx + nu;
    }
    MatrixXd select = MatrixXd::Zero(nx + nz, n);
    select.block(0, column, nx, nx).setIdentity();
    select.block(nx, 0, nz, nt) = problem.T;
    kkt.H += select.transpose() * t.last_Q * select;
    kkt.g += select.transpose() * t.last_q;
    column += nx;
  }
  return kkt;
}

/// Solves the KKT system with extra equality rows; the least-norm solution where multipliers are
/// not unique.
bool solve_kkt(const Kkt& kkt, const MatrixXd& extra, const VectorXd& extra_r, VectorXd& z,
               VectorXd& force) {
  const Index n = kkt.H.rows(), m = kkt.J.rows(), e = extra.rows();
  MatrixXd K = MatrixXd::Zero(n + m + e, n + m + e);
  K.topLeftCorner(n, n) = kkt.H;
  K.block(n, 0, m, n) = kkt.J;
  K.block(0, n, n, m) = kkt.J.transpose();
  K.block(n + m, 0, e, extra.cols()) = extra;
  K.block(0, n + m, extra.cols(), e) = extra.transpose();
  VectorXd rhs(n + m + e);
  rhs << -kkt.g, -kkt.r, -extra_r;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(K);
  VectorXd solution = decomposition.solve(rhs);
  solution += decomposition.solve(rhs - K * solution);
  z = solution.head(n);
  force = -solution.tail(e);
  return (K * solution - rhs).norm() < 1e-7 * (1 + rhs.norm());
}

}  // namespace

LqProblem random_lq_problem(const RandomLq& o, int seed) {
  std::mt19937 random(seed);
  LqProblem out;
  out.nx = o.nx;
  out.T = random_matrix(random, o.nzeta, o.ntheta);
  out.prior_hessian = random_semidefinite(random, o.ntheta, o.ntheta + 2);
  out.prior_gradient = random_matrix(random, o.ntheta, 1);
  for (int t = 0; t < o.num_trajectories; ++t) {
    LqTrajectory trajectory;
    for (int k = 0; k < o.num_stages + t; ++k)
      trajectory.stages.push_back(random_stage(o, random, k));
    trajectory.last_Q = random_semidefinite(random, o.nx + o.nzeta, 3);
    if (trajectory.stages.empty()) trajectory.last_Q.diagonal().array() += 1.0;
    trajectory.last_q = random_matrix(random, o.nx + o.nzeta, 1);
    out.trajectories.push_back(trajectory);
  }
  out.constraints.E = random_matrix(random, o.parameter_equalities, o.ntheta);
  out.constraints.e = random_matrix(random, o.parameter_equalities, 1);
  out.constraints.G = random_matrix(random, o.parameter_inequalities, o.ntheta);
  out.constraints.g = random_matrix(random, o.parameter_inequalities, 1);
  return out;
}

LqSolution solve_dense(const LqProblem& problem) {
  const Kkt kkt = assemble(problem);
  const MatrixXd& G = problem.constraints.G;
  const Index num = G.rows(), nt = problem.T.cols();
  LqSolution out;
  VectorXd z, force;
  for (int set = 0; set < (1 << num) && !out.solved; ++set) {
    std::vector<Index> rows;
    for (Index i = 0; i < num; ++i) {
      if (set >> i & 1) rows.push_back(i);
    }
    const MatrixXd active = G(rows, Eigen::all);
    if (!solve_kkt(kkt, active, problem.constraints.g(rows), z, force)) continue;
    const bool right_sign = force.size() == 0 || force.minCoeff() > -1e-9;
    const VectorXd slack = G * z.head(nt) + problem.constraints.g;
    out.solved = right_sign && (num == 0 || slack.minCoeff() > -1e-9);
  }
  if (!out.solved) return out;
  out.theta = z.head(nt);
  Index column = nt;
  for (const LqTrajectory& t : problem.trajectories) {
    out.x.push_back({z.segment(column, problem.nx)});
    out.u.emplace_back();
    column += problem.nx;
    for (const LqStage& s : t.stages) {
      out.u.back().push_back(z.segment(column, s.B.cols()));
      out.x.back().push_back(z.segment(column + s.B.cols(), problem.nx));
      column += s.B.cols() + problem.nx;
    }
  }
  return out;
}

}  // namespace bayesid::test
