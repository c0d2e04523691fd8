// SPDX-License-Identifier: BSD-3-Clause
#include "solver/parameter_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>

#include "solver/feasible.hpp"
#include "solver/parameter_qp.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_iterations = 200;
constexpr double relative_decrease =
    1e-2;  // of the first step's: the stages are linearised again anyway
constexpr double converged_decrease =
    1e-22;  // twice the decrease still promised: 1e-11 standard deviations

/// Objective of the small problem at θ, and the round-off it carries.
struct Value {
  VectorXd dzeta;
  double cost = 0, noise = 0;
};

Value evaluate(const ParameterModel& m, const VectorXd& zeta, const VectorXd& theta) {
  Value out;
  out.dzeta = m.space.zeta(theta) - zeta;
  const double linear = m.g.dot(out.dzeta), quadratic = 0.5 * out.dzeta.dot(m.H * out.dzeta);
  const double prior = m.space.prior(theta).cost;
  const double damping = 0.5 * m.damping.dot((theta - m.center).cwiseAbs2());
  out.cost = linear + quadratic + prior + damping;
  out.noise =
      1e-14 * (m.g.cwiseAbs().dot(out.dzeta.cwiseAbs()) + std::abs(quadratic) + prior + damping);
  return out;
}

/// First row after the diagonal block that begins at `first`: no entry couples what follows to it.
Eigen::Index end_of_block(const MatrixXd& symmetric, Eigen::Index first) {
  Eigen::Index end = first + 1;
  for (Eigen::Index i = first; i < end; ++i) {
    for (Eigen::Index j = symmetric.rows() - 1; j >= end; --j) {
      if (symmetric(j, i) != 0) end = j + 1;
    }
  }
  return end;
}

/// Curvature with its eigenvalues, in units of the prior precision, not below −0.9. One link's
/// parameters bend nothing of another's, so that the blocks are small.
MatrixXd convexified(const MatrixXd& curvature, const VectorXd& precision) {
  MatrixXd out = MatrixXd::Zero(curvature.rows(), curvature.cols());
  for (Eigen::Index first = 0, end = 0; first < curvature.rows(); first = end) {
    end = end_of_block(curvature, first);
    const Eigen::Index n = end - first;
    const VectorXd scale = precision.segment(first, n).cwiseSqrt();
    const VectorXd inverse = scale.cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(
        inverse.asDiagonal() * curvature.block(first, first, n, n) * inverse.asDiagonal());
    const MatrixXd vectors = scale.asDiagonal() * eigen.eigenvectors();
    out.block(first, first, n, n) =
        vectors * eigen.eigenvalues().cwiseMax(-0.9).asDiagonal() * vectors.transpose();
  }
  return out;
}

Eigen::Index num_trust_region_rows(const ParameterModel& m) {
  return 2 * m.trust_region.array().isFinite().count();
}

/// The problem's own inequalities, then |θ_i − center_i| ≤ trust region_i.
LinearConstraints with_trust_region(const ParameterModel& m, const VectorXd& theta) {
  LinearConstraints out = m.space.constraints(theta);
  const Eigen::Index own = out.G.rows(), count = num_trust_region_rows(m);
  out.G.conservativeResize(own + count, theta.size());
  out.g.conservativeResize(own + count);
  out.G.bottomRows(count).setZero();
  Eigen::Index row = own;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    if (!std::isfinite(m.trust_region[i])) continue;
    for (const double sign : {1.0, -1.0}) {
      out.G(row, i) = sign;
      out.g[row++] = sign * (theta[i] - m.center[i]) + m.trust_region[i];
    }
  }
  return out;
}

bool is_within_trust_region(const ParameterModel& m, const VectorXd& theta) {
  return ((theta - m.center).array().abs() <= m.trust_region.array() + 1e-12).all();
}

/// Forces of the constraints in the last direction; empty at first.
struct Forces {
  VectorXd equality, inequality;
};

/// Newton's direction at θ; Gauss–Newton's Hessian with a convexified curvature where the exact one
/// is not positive.
struct Direction {
  ParameterQpSolution step;
  double slope = 0;
  MatrixXd dzeta_dtheta, gauss_newton;
};

Direction find_direction(const ParameterModel& m, const VectorXd& theta, const VectorXd& dzeta,
                         const std::vector<int>& guess, const Forces& forces) {
  Direction out;
  const MatrixXd T = m.space.dzeta_dtheta(theta);
  const VectorXd s = m.g + m.H * dzeta;
  const PriorAt prior = m.space.prior(theta);
  const VectorXd gradient =
      T.transpose() * s + prior.gradient + m.damping.cwiseProduct(theta - m.center);
  MatrixXd hessian = T.transpose() * m.H * T;
  hessian = 0.5 * (hessian + hessian.transpose()).eval() + prior.hessian;
  hessian.diagonal() += m.damping;
  const MatrixXd curvature = m.space.zeta_curvature(theta, s);
  const LinearConstraints constraints = with_trust_region(m, theta);
  if (!forces.equality.isZero(0) || !forces.inequality.isZero(0)) {
    const MatrixXd bend = m.space.constraint_curvature(theta, forces.equality, forces.inequality);
    out.step = solve_parameter_qp(hessian + curvature - bend, gradient, constraints, guess);
  }
  if (!out.step.solved)
    out.step = solve_parameter_qp(hessian + curvature, gradient, constraints, guess);
  if (!out.step.solved) {
    const MatrixXd convex = convexified(curvature, prior.hessian.diagonal() + m.damping);
    out.step = solve_parameter_qp(hessian + convex, gradient, constraints, guess);
  }
  if (out.step.solved) out.slope = gradient.dot(out.step.dtheta);
  out.dzeta_dtheta = T;
  out.gauss_newton = hessian;
  return out;
}

/// A step along the valley that the data cut: what the curvature of ζ adds to the linear prediction
/// is taken back by Gauss–Newton steps across it, so that steps need not be as short as the valley
/// is narrow.
VectorXd stay_in_valley(const ParameterModel& m, const VectorXd& zeta, const VectorXd& predicted,
                        const VectorXd& start, const Direction& direction,
                        const Eigen::LLT<MatrixXd>& chol) {
  VectorXd out = start;
  for (int i = 0; i < 3; ++i) {
    const VectorXd excess = m.space.zeta(out) - zeta - predicted;
    out -= chol.solve(direction.dzeta_dtheta.transpose() * (m.H * excess));
  }
  return out;
}

/// The longest step that lowers the cost as promised and keeps the constraints; false when there is
/// none.
bool search(const ParameterModel& m, const VectorXd& zeta, const VectorXd& scaling,
            const VectorXd& theta, const Value& now, const Direction& direction, VectorXd& next) {
  const VectorXd& step = direction.step.dtheta;
  Eigen::LLT<MatrixXd> chol;
  double length = 1.0 / std::max(1.0, step.cwiseQuotient(scaling).lpNorm<Eigen::Infinity>());
  for (const double shortest = 1e-6 * length; length > shortest; length *= 0.5) {
    const double enough = now.cost + 1e-4 * length * direction.slope;
    next = theta + length * step;
    if (onto_constraints(m.space, direction.gauss_newton, next) &&
        evaluate(m, zeta, next).cost <= enough)
      return true;
    if (chol.rows() == 0) chol.compute(direction.gauss_newton);
    const VectorXd predicted = now.dzeta + length * (direction.dzeta_dtheta * step);
    next = stay_in_valley(m, zeta, predicted, theta + length * step, direction, chol);
    if (next.allFinite() && onto_constraints(m.space, direction.gauss_newton, next) &&
        is_within_trust_region(m, next) && evaluate(m, zeta, next).cost <= enough)
      return true;
  }
  return false;
}

}  // namespace

ParameterStep solve_parameters(const ParameterModel& m, const std::vector<int>& guess) {
  const VectorXd zeta = m.space.zeta(m.center), scaling = m.space.scaling();
  ParameterStep out{
      .solved = false, .theta = m.center, .dzeta = VectorXd::Zero(zeta.size()), .active = guess};
  double last_decrease = std::numeric_limits<double>::infinity(), enough = converged_decrease;
  Value now = evaluate(m, zeta, out.theta);
  Forces forces;
  for (int i = 0; i < max_iterations && m.center.size() > 0; ++i) {
    const Direction direction = find_direction(m, out.theta, now.dzeta, out.active, forces);
    if (!direction.step.solved) return out;
    out.active = direction.step.active;
    const Eigen::Index own =
        direction.step.inequality_multipliers.size() - num_trust_region_rows(m);
    forces = {direction.step.equality_multipliers, direction.step.inequality_multipliers.head(own)};
    // Round-off hides decreases below `noise`: full steps are taken there, until they no longer get
    // shorter.
    const double decrease = -direction.slope;
    const bool hidden = decrease <= now.noise;
    VectorXd next = out.theta + direction.step.dtheta;
    if (hidden ? !onto_constraints(m.space, direction.gauss_newton, next)
               : !search(m, zeta, scaling, out.theta, now, direction, next))
      return out;
    out.theta = m.space.nearest_equivalent(next);
    now = evaluate(m, zeta, out.theta);
    if (i == 0) enough = std::max(enough, relative_decrease * decrease);
    if (decrease <= enough || (hidden && decrease >= 0.25 * last_decrease)) break;
    last_decrease = decrease;
  }
  out.dzeta = now.dzeta;
  const auto own = static_cast<int>(m.space.constraints(out.theta).G.rows());
  std::erase_if(out.active, [&](int row) { return row >= own; });
  out.solved = out.theta.allFinite();
  return out;
}

}  // namespace bayesid
