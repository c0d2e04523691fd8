// SPDX-License-Identifier: BSD-3-Clause
#include "solver/parameter_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>

#include "solver/arrival.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_iterations = 200;
constexpr double converged_decrease =
    1e-22;  // twice the decrease still promised: 1e-11 standard deviations

/// Objective of the small problem at θ, and the round-off it carries.
struct Value {
  VectorXd dzeta;
  double cost = 0, noise = 0;
};

Value evaluate(const ParameterModel& m, const VectorXd& zeta, const VectorXd& theta) {
  Value out;
  out.dzeta = m.problem.zeta(theta) - zeta;
  const double linear = m.g.dot(out.dzeta), quadratic = 0.5 * out.dzeta.dot(m.H * out.dzeta);
  const double prior = 0.5 * m.precision.dot((theta - m.mean).cwiseAbs2());
  const double damping = 0.5 * m.damping.dot((theta - m.center).cwiseAbs2());
  out.cost = linear + quadratic + prior + damping;
  out.noise =
      1e-14 * (m.g.cwiseAbs().dot(out.dzeta.cwiseAbs()) + std::abs(quadratic) + prior + damping);
  return out;
}

/// Curvature with its eigenvalues, in units of the prior precision, not below −0.9.
MatrixXd convexified(const MatrixXd& curvature, const VectorXd& precision) {
  const VectorXd scale = precision.cwiseSqrt(), inverse = scale.cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(inverse.asDiagonal() * curvature *
                                                      inverse.asDiagonal());
  const MatrixXd clipped = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(-0.9).asDiagonal() *
                           eigen.eigenvectors().transpose();
  return scale.asDiagonal() * clipped * scale.asDiagonal();
}

/// The problem's own inequalities, then |θ_i − center_i| ≤ reach_i.
ParameterConstraints with_reach(const ParameterModel& m, const VectorXd& theta) {
  ParameterConstraints out = m.problem.constraints(theta);
  const Eigen::Index own = out.G.rows(), count = 2 * m.reach.array().isFinite().count();
  out.G.conservativeResize(own + count, theta.size());
  out.g.conservativeResize(own + count);
  out.G.bottomRows(count).setZero();
  Eigen::Index row = own;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    if (!std::isfinite(m.reach[i])) continue;
    for (const double sign : {1.0, -1.0}) {
      out.G(row, i) = sign;
      out.g[row++] = sign * (theta[i] - m.center[i]) + m.reach[i];
    }
  }
  return out;
}

}  // namespace

ParameterStep solve_parameters(const ParameterModel& m, const std::vector<int>& guess) {
  const VectorXd zeta = m.problem.zeta(m.center);
  ParameterStep out{
      .solved = false, .theta = m.center, .dzeta = VectorXd::Zero(zeta.size()), .active = guess};
  if (m.center.size() == 0) {
    out.solved = true;
    return out;
  }
  double last_decrease = std::numeric_limits<double>::infinity();
  const VectorXd natural_step = m.problem.natural_step();
  Value now = evaluate(m, zeta, out.theta);
  for (int i = 0; i < max_iterations; ++i) {
    const MatrixXd T = m.problem.dzeta_dtheta(out.theta);
    const VectorXd s = m.g + m.H * now.dzeta;
    const VectorXd gradient = T.transpose() * s + m.precision.cwiseProduct(out.theta - m.mean) +
                              m.damping.cwiseProduct(out.theta - m.center);
    MatrixXd gauss_newton = T.transpose() * m.H * T;
    gauss_newton = 0.5 * (gauss_newton + gauss_newton.transpose()).eval();
    gauss_newton.diagonal() += m.precision + m.damping;
    const MatrixXd curvature = m.problem.zeta_curvature(out.theta, s);
    const ParameterConstraints constraints = with_reach(m, out.theta);
    ArrivalStep step = solve_arrival(gauss_newton + curvature, gradient, constraints, out.active);
    if (!step.solved) {
      step = solve_arrival(gauss_newton + convexified(curvature, m.precision + m.damping), gradient,
                           constraints, out.active);
    }
    if (!step.solved) return out;
    out.active = step.active;
    const double slope = gradient.dot(step.dtheta);
    double length =
        1.0 / std::max(1.0, step.dtheta.cwiseQuotient(natural_step).lpNorm<Eigen::Infinity>());
    Value next;
    const double shortest = 1e-6 * length;
    for (; length > shortest; length *= 0.5) {
      next = evaluate(m, zeta, out.theta + length * step.dtheta);
      if (std::isfinite(next.cost) && next.cost <= now.cost + 1e-4 * length * slope) break;
    }
    // Round-off hides decreases below `noise`: full steps are taken there, until they no longer get
    // shorter.
    const bool hidden = -slope <= now.noise;
    if (length <= shortest && !hidden) return out;
    if (hidden) length = 1.0;
    out.theta = m.problem.nearest_equivalent(out.theta + length * step.dtheta);
    now = evaluate(m, zeta, out.theta);
    if (-slope <= converged_decrease || (hidden && -slope >= 0.25 * last_decrease)) break;
    last_decrease = -slope;
  }
  out.dzeta = now.dzeta;
  const auto own = static_cast<int>(m.problem.constraints(out.theta).G.rows());
  std::erase_if(out.active, [&](int row) { return row >= own; });
  out.solved = out.theta.allFinite();
  return out;
}

}  // namespace bayesid
