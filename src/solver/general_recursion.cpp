// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "solver/lq_problem.hpp"
#include "solver/parameter_qp.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// ½ sᵀH s + gᵀs subject to P s + p = 0.
struct Quadratic {
  MatrixXd H;
  VectorXd g;
  MatrixXd P;
  VectorXd p;
};

/// u = k + K s.
struct Policy {
  MatrixXd K;
  VectorXd k;
};

/// Independent rows of P s + p = 0; rows 0 = 0 (to round-off) are removed.
void compress(Quadratic& quadratic, double scale) {
  if (quadratic.P.rows() == 0) return;
  const Eigen::JacobiSVD<MatrixXd> svd(quadratic.P, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-9 * scale) ++rank;
  const VectorXd p = svd.matrixU().leftCols(rank).transpose() * quadratic.p;
  quadratic.P =
      svd.singularValues().head(rank).asDiagonal() * svd.matrixV().leftCols(rank).transpose();
  quadratic.p = p;
}

/// Minimises over u a quadratic in (s, u), u last, subject to its constraints. docs/math/riccati.md
/// (21)-(25) Constraints that u cannot serve stay as constraints on s.
Quadratic eliminate(const Quadratic& in, Eigen::Index ns, Policy& policy) {
  const Eigen::Index nu = in.g.size() - ns;
  const MatrixXd M_s = in.P.leftCols(ns), M_u = in.P.rightCols(nu);
  const MatrixXd H_uu = in.H.bottomRightCorner(nu, nu), H_us = in.H.bottomLeftCorner(nu, ns);

  // u = k + K s + Z z: the range part from the constraints, z free.
  policy = {MatrixXd::Zero(nu, ns), VectorXd::Zero(nu)};
  MatrixXd Z = MatrixXd::Identity(nu, nu);
  Quadratic out{in.H.topLeftCorner(ns, ns), in.g.head(ns), MatrixXd(0, ns), VectorXd(0)};
  if (in.P.rows() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(M_u, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const VectorXd& sigma = svd.singularValues();
    const double scale = std::max(1.0, in.P.cwiseAbs().maxCoeff());
    Eigen::Index rank = 0;
    while (rank < sigma.size() && sigma[rank] > 1e-10 * scale) ++rank;
    const MatrixXd U_1 = svd.matrixU().leftCols(rank),
                   U_2 = svd.matrixU().rightCols(in.P.rows() - rank);
    const MatrixXd pseudo_inverse = svd.matrixV().leftCols(rank) *
                                    sigma.head(rank).cwiseInverse().asDiagonal() * U_1.transpose();
    policy = {-pseudo_inverse * M_s, -pseudo_inverse * in.p};
    Z = svd.matrixV().rightCols(nu - rank);
    out.P = U_2.transpose() * M_s;
    out.p = U_2.transpose() * in.p;
    compress(out, scale);
  }
  if (Z.cols() > 0) {
    const Eigen::LLT<MatrixXd> chol(Z.transpose() * H_uu * Z);
    const MatrixXd K_z = chol.solve(Z.transpose() * (H_us + H_uu * policy.K));
    const VectorXd k_z = chol.solve(Z.transpose() * (in.g.tail(nu) + H_uu * policy.k));
    policy.K -= Z * K_z;
    policy.k -= Z * k_z;
  }
  const MatrixXd H_uK = H_uu * policy.K;
  out.H += policy.K.transpose() * H_uK + policy.K.transpose() * H_us + H_us.transpose() * policy.K;
  out.H = 0.5 * (out.H + out.H.transpose()).eval();
  out.g += policy.K.transpose() * (H_uu * policy.k + in.g.tail(nu)) + H_us.transpose() * policy.k;
  return out;
}

/// Stage cost plus value of the next node, as a quadratic in (x, ζ, u).
Quadratic stage_quadratic(const LqStage& s, const Quadratic& next) {
  const Eigen::Index nx = s.A.rows(), nu = s.B.cols(), nz = s.C.cols(), n = nx + nz + nu;
  // (x', ζ) = F (x, ζ, u) + f
  MatrixXd F = MatrixXd::Zero(nx + nz, n);
  F.topRows(nx) << s.A, s.C, s.B;
  F.block(nx, nx, nz, nz).setIdentity();
  VectorXd f = VectorXd::Zero(nx + nz);
  f.head(nx) = s.c;
  // The stage's own order is (x, u, ζ).
  Eigen::VectorXi order(n);
  order << Eigen::VectorXi::LinSpaced(nx, 0, nx - 1),
      Eigen::VectorXi::LinSpaced(nz, nx + nu, n - 1),
      Eigen::VectorXi::LinSpaced(nu, nx, nx + nu - 1);
  Quadratic out;
  out.H = s.Q(order, order) + F.transpose() * next.H * F;
  out.g = s.q(order) + F.transpose() * (next.g + next.H * f);
  out.P.resize(s.h.size() + next.p.size(), n);
  out.P.topRows(s.h.size()) << s.h_x, s.h_zeta, s.h_u;
  out.P.bottomRows(next.p.size()) = next.P * F;
  out.p.resize(out.P.rows());
  out.p << s.h, next.p + next.P * f;
  return out;
}

}  // namespace

LqSolution solve_general(const LqProblem& problem) {
  const Eigen::Index nx = problem.nx, nz = problem.T.rows();
  MatrixXd H = problem.prior_hessian;
  VectorXd g = problem.prior_gradient;
  LinearConstraints constraints = problem.constraints;
  std::vector<std::vector<Policy>> policies;
  std::vector<Policy> arrivals;
  for (const LqTrajectory& trajectory : problem.trajectories) {
    Quadratic value{trajectory.last_Q, trajectory.last_q, MatrixXd(0, nx + nz), VectorXd(0)};
    std::vector<Policy>& policy = policies.emplace_back(trajectory.stages.size());
    for (size_t k = trajectory.stages.size(); k-- > 0;) {
      value = eliminate(stage_quadratic(trajectory.stages[k], value), nx + nz, policy[k]);
    }
    // The arrival state is eliminated last, as the input of a stage whose state is ζ. (26)
    Eigen::VectorXi order(nx + nz);
    order << Eigen::VectorXi::LinSpaced(nz, nx, nx + nz - 1),
        Eigen::VectorXi::LinSpaced(nx, 0, nx - 1);
    const Quadratic reordered{value.H(order, order), value.g(order), value.P(Eigen::all, order),
                              value.p};
    const Quadratic rest = eliminate(reordered, nz, arrivals.emplace_back());
    H += problem.T.transpose() * rest.H * problem.T;
    g += problem.T.transpose() * rest.g;
    const Eigen::Index old_rows = constraints.E.rows();
    constraints.E.conservativeResize(old_rows + rest.P.rows(), problem.T.cols());
    constraints.e.conservativeResize(old_rows + rest.P.rows());
    constraints.E.bottomRows(rest.P.rows()) = rest.P * problem.T;
    constraints.e.tail(rest.p.size()) = rest.p;
  }
  LqSolution out;
  const ParameterQpSolution qp = solve_parameter_qp(H, g, constraints, {});
  if (!qp.solved) return out;
  out.solved = true;
  out.theta = qp.dtheta;
  if (g.size() > 0) out.theta_cov = constrained_covariance(H, constraints, qp.active);
  const VectorXd zeta = problem.T * out.theta;
  for (size_t t = 0; t < problem.trajectories.size(); ++t) {
    VectorXd s(nx + nz);
    s << arrivals[t].k + arrivals[t].K * zeta, zeta;
    out.x.push_back({s.head(nx)});
    out.u.emplace_back();
    for (size_t k = 0; k < policies[t].size(); ++k) {
      const LqStage& stage = problem.trajectories[t].stages[k];
      const VectorXd u = policies[t][k].k + policies[t][k].K * s;
      s.head(nx) = (stage.A * s.head(nx) + stage.B * u + stage.C * zeta + stage.c).eval();
      out.u.back().push_back(u);
      out.x.back().push_back(s.head(nx));
    }
  }
  return out;
}

}  // namespace bayesid
