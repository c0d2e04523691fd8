// SPDX-License-Identifier: BSD-3-Clause
#include "solver/parameter_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "solver/arrival.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_iterations = 200;

/// Objective of the small problem at θ.
struct Value {
  VectorXd dzeta;
  double cost = 0;
};

Value evaluate(const ParameterModel& m, const VectorXd& zeta, const VectorXd& theta) {
  Value out;
  out.dzeta = m.problem.zeta(theta) - zeta;
  out.cost = m.g.dot(out.dzeta) + 0.5 * out.dzeta.dot(m.H * out.dzeta) +
             0.5 * m.precision.dot((theta - m.mean).cwiseAbs2()) +
             0.5 * m.damping * m.precision.dot((theta - m.center).cwiseAbs2());
  return out;
}

/// Curvature with its eigenvalues, in units of the prior precision, not below −0.9.
MatrixXd convexified(const MatrixXd& curvature, const VectorXd& precision) {
  const VectorXd scale = precision.cwiseSqrt(), inverse = scale.cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(inverse.asDiagonal() * curvature * inverse.asDiagonal());
  const MatrixXd clipped =
      eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(-0.9).asDiagonal() * eigen.eigenvectors().transpose();
  return scale.asDiagonal() * clipped * scale.asDiagonal();
}

}  // namespace

ParameterStep solve_parameters(const ParameterModel& m, const std::vector<int>& guess) {
  const VectorXd zeta = m.problem.zeta(m.center);
  ParameterStep out{.solved = false, .theta = m.center, .dzeta = VectorXd::Zero(zeta.size()), .active = guess};
  if (m.center.size() == 0) {
    out.solved = true;
    return out;
  }
  const VectorXd natural_step = m.problem.natural_step();
  Value now = evaluate(m, zeta, out.theta);
  for (int i = 0; i < max_iterations; ++i) {
    const MatrixXd T = m.problem.dzeta_dtheta(out.theta);
    const VectorXd s = m.g + m.H * now.dzeta;
    const VectorXd gradient = T.transpose() * s + m.precision.cwiseProduct(out.theta - m.mean) +
                              m.damping * m.precision.cwiseProduct(out.theta - m.center);
    MatrixXd gauss_newton = T.transpose() * m.H * T;
    gauss_newton = 0.5 * (gauss_newton + gauss_newton.transpose()).eval();
    gauss_newton.diagonal() += (1 + m.damping) * m.precision;
    const MatrixXd curvature = m.problem.zeta_curvature(out.theta, s);
    const ParameterConstraints constraints = m.problem.constraints(out.theta);
    ArrivalStep step = solve_arrival(gauss_newton + curvature, gradient, constraints, out.active);
    if (!step.solved) {
      step = solve_arrival(gauss_newton + convexified(curvature, m.precision), gradient, constraints, out.active);
    }
    if (!step.solved) return out;
    out.active = step.active;
    const double slope = gradient.dot(step.dtheta);
    double length = 1.0 / std::max(1.0, step.dtheta.cwiseQuotient(natural_step).lpNorm<Eigen::Infinity>());
    Value next;
    const double shortest = 1e-6 * length;
    for (; length > shortest; length *= 0.5) {
      next = evaluate(m, zeta, out.theta + length * step.dtheta);
      if (std::isfinite(next.cost) && next.cost <= now.cost + 1e-4 * length * slope) break;
    }
    // Round-off of the cost hides decreases below this.
    const bool at_the_end = -slope <= 1e-12 * (1 + std::abs(now.cost));
    if (length <= shortest && !at_the_end) return out;
    if (length <= shortest) length = 1.0;
    out.theta = m.problem.nearest_equivalent(out.theta + length * step.dtheta);
    now = evaluate(m, zeta, out.theta);
    if (-slope <= 1e-20 || (at_the_end && i > 0)) break;
  }
  out.dzeta = now.dzeta;
  out.solved = out.theta.allFinite();
  return out;
}

}  // namespace bayesid
