// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/feasible_sqp.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <proxsuite/proxqp/dense/dense.hpp>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double first_radius = 0.1, largest_radius = 10, least_radius = 1e-7;  // of a step
constexpr double first_curvature = 1e-3;                                        // of the slope
constexpr double accepted = 0.01;     // of the predicted decrease
constexpr int most_corrections = 6;   // of one step, back to the rows
constexpr double farthest_way = 0.5;  // of a step, that corrections may lead away from it
constexpr int most_restorations = 15;
constexpr double longest_restoration = 0.3;

/// Rows at a point, as matrices.
struct Linearised {
  VectorXd c, lower, upper;
  MatrixXd J;
};

Linearised linearise(NonlinearProgram& program) {
  const auto& rows = program.rows();
  const auto m = static_cast<Eigen::Index>(rows.size());
  Linearised out{program.row_values(), VectorXd(m), VectorXd(m),
                 MatrixXd::Zero(m, program.num_variables())};
  const double* slopes = program.row_slopes().data();
  for (Eigen::Index i = 0; i < m; ++i) {
    const NonlinearProgram::Row& row = rows[static_cast<std::size_t>(i)];
    out.lower[i] = row.lower;
    out.upper[i] = row.upper;
    for (int j = 0; j < row.count; ++j) out.J(i, row.first + j) = *slopes++;
  }
  return out;
}

double violation_of(const VectorXd& c, const Linearised& at) {
  if (c.size() == 0) return 0;
  return std::max({0.0, (at.lower - c).maxCoeff(), (c - at.upper).maxCoeff()});
}

struct Step {
  VectorXd d, force;  // B d + g + Jᵀ force = 0, but for what the radius does
};

/// min ½ dᵀBd + gᵀd with lower ≤ c + J d ≤ upper and |d| ≤ radius. Rows that no such step reaches
/// are left out.                                                     docs/math/excitation.md (16)
std::optional<Step> solve_quadratic(const MatrixXd& B, const VectorXd& g, const Linearised& at,
                                    const VectorXd& c, double radius) {
  constexpr double infinite = 1e20;
  const Eigen::Index n = g.size();
  std::vector<Eigen::Index> near;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    const double reach = radius * at.J.row(i).lpNorm<1>();
    if (c[i] - reach < at.lower[i] || c[i] + reach > at.upper[i]) near.push_back(i);
  }
  const auto count = static_cast<Eigen::Index>(near.size());
  // In units of the radius and of the slope: steps may be tiny.
  const double unit = g.isZero(0) ? radius * radius : radius * g.lpNorm<Eigen::Infinity>();
  const MatrixXd C = radius * at.J(near, Eigen::all);
  const VectorXd lower = (at.lower - c)(near).cwiseMax(-infinite);
  const VectorXd upper = (at.upper - c)(near).cwiseMin(infinite);
  const VectorXd box = VectorXd::Ones(n);
  proxsuite::proxqp::dense::QP<double> qp(n, 0, count, true);
  qp.settings.eps_abs = 1e-9;
  qp.settings.eps_rel = 0;
  qp.settings.max_iter = 500;
  // No step at all keeps the rows: it is never impossible, whatever small numbers look like.
  qp.settings.eps_primal_inf = qp.settings.eps_dual_inf = 1e-14;
  qp.init(MatrixXd(radius * radius / unit * B), VectorXd(radius / unit * g), MatrixXd(0, n),
          VectorXd(0), C, lower, upper, VectorXd(-box), box);
  qp.solve();
  if (!qp.results.x.allFinite() || !qp.results.z.allFinite()) return {};
  Step out{radius * qp.results.x.cwiseMax(-box).cwiseMin(box), VectorXd::Zero(c.size())};
  out.force(near) = unit * qp.results.z.head(count);
  return out;
}

/// The smallest step that keeps all rows, if they were straight.
std::optional<Step> smallest_step(const Linearised& at, const VectorXd& c, double radius) {
  const Eigen::Index n = at.J.cols();
  return solve_quadratic(MatrixXd::Identity(n, n), VectorXd::Zero(n), at, c, radius);
}

/// Goes to x + d and from there, along the slopes at x, back to the rows; false when that leads
/// nowhere or too far.                                               docs/math/excitation.md (17)
bool lead_back(NonlinearProgram& program, const VectorXd& x, const Linearised& at, double kept,
               VectorXd& d) {
  const VectorXd wanted = d;
  double last = INFINITY;
  for (int i = 0; i <= most_corrections; ++i) {
    if (!program.move_to(x + d)) return false;
    const VectorXd c = program.row_values();
    const double violation = violation_of(c, at);
    if (violation <= kept) return true;
    if (violation > 0.9 * last) return false;
    last = violation;
    const std::optional<Step> back = smallest_step(at, c, 2 * d.lpNorm<Eigen::Infinity>());
    if (!back) return false;
    d += back->d;
    if ((d - wanted).norm() > farthest_way * wanted.norm()) return false;
  }
  return false;
}

/// BFGS, damped so that B stays positive where the cost bends down.
void update(MatrixXd& B, const VectorXd& s, VectorXd y) {
  const VectorXd Bs = B * s;
  const double sBs = s.dot(Bs), sy = s.dot(y);
  if (!(sBs > 0)) return;
  const double share = sy < 0.2 * sBs ? 0.8 * sBs / (sBs - sy) : 1;
  y = share * y + (1 - share) * Bs;
  const double damped = s.dot(y);
  if (!(damped > 1e-12 * sBs)) return;
  B += y * y.transpose() / damped - Bs * Bs.transpose() / sBs;
  B = (0.5 * (B + B.transpose())).eval();
}

}  // namespace

std::optional<VectorXd> restore(NonlinearProgram& program, VectorXd x, double kept) {
  for (int i = 0; i < most_restorations; ++i) {
    if (!program.move_to(x)) return {};
    const Linearised at = linearise(program);
    if (violation_of(at.c, at) <= kept) return x;
    const std::optional<Step> step = smallest_step(at, at.c, longest_restoration);
    if (!step) return {};
    x += step->d;
  }
  return {};
}

SqpResult minimise(NonlinearProgram& program, const VectorXd& start, const SqpOptions& options) {
  SqpResult out{.x = start, .status = "iteration limit"};
  if (!program.move_to(start)) return {.x = start, .status = "criterion undefined at the start"};
  out.value = program.value();
  Linearised at = linearise(program);
  VectorXd g = program.gradient();
  if (violation_of(at.c, at) > options.kept) return {.x = start, .status = "start outside limits"};
  double radius = first_radius;
  const auto plain = [&] {
    return MatrixXd(MatrixXd::Identity(g.size(), g.size()) * (first_curvature * g.norm() + 1e-12));
  };
  MatrixXd B = plain();
  bool is_plain = true;
  // What B has learnt may be what holds the search up: it ends where a plain one ends it too.
  const auto begin_again = [&] {
    if (is_plain) return false;
    B = plain();
    radius = 0.1 * first_radius;
    return is_plain = true;
  };
  std::vector<double> values{out.value};  // of the steps taken
  for (; out.iterations < options.max_iterations; ++out.iterations) {
    if (options.go_on && !options.go_on(out.iterations, out.value, violation_of(at.c, at))) {
      out.interrupted = true;
      out.status = "interrupted";
      break;
    }
    // Rows that are off by what is tolerated must not make the step impossible.
    const VectorXd c = at.c.cwiseMax(at.lower).cwiseMin(at.upper);
    const std::optional<Step> step = solve_quadratic(B, g, at, c, radius);
    VectorXd d = step ? step->d : VectorXd::Zero(g.size());
    const double foreseen = -g.dot(d) - 0.5 * d.dot(B * d), size = d.lpNorm<Eigen::Infinity>();
    const double unit = 1 + std::abs(out.value);
    if (step && foreseen < options.tolerance * unit * std::min(1.0, radius / first_radius)) {
      if (begin_again()) continue;
      out.converged = true;
      out.status = "converged";
      break;
    }
    const bool is_back = step && lead_back(program, out.x, at, options.kept, d);
    const double value = is_back ? program.value() : INFINITY;
    const double ratio = is_back && foreseen > 0 ? (out.value - value) / foreseen : -1;
    if (!(ratio >= accepted)) {
      radius = 0.4 * (step ? size : radius);
      if (radius >= least_radius || begin_again()) continue;
      out.status = "step too small";
      break;
    }
    const Linearised next = linearise(program);
    // Slope of the Lagrangian, there less here.                     docs/math/excitation.md (18)
    update(B, d, program.gradient() - g + (next.J - at.J).transpose() * step->force);
    is_plain = false;
    out.x += d;
    out.value = value;
    at = next;
    g = program.gradient();
    if (ratio > 0.5 && size > 0.9 * radius) radius = std::min(largest_radius, 2 * radius);
    if (ratio < 0.2) radius = 0.5 * size;
    values.push_back(value);
    if (static_cast<int>(values.size()) <= options.patience) continue;
    const double before = values[values.size() - 1 - static_cast<std::size_t>(options.patience)];
    if (before - value < options.least_progress * unit) {
      out.converged = true;
      out.status = "converged: no further improvement";
      break;
    }
  }
  program.move_to(out.x);
  return out;
}

}  // namespace bayesid
