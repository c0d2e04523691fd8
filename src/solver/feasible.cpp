// SPDX-License-Identifier: BSD-3-Clause
#include "solver/feasible.hpp"

#include <algorithm>

#include "bayesid/solver/solve.hpp"
#include "solver/arrival.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int max_steps = 50;

/// What rounding of θ makes of each row.
VectorXd round_off(const MatrixXd& rows, const VectorXd& theta) {
  return 1e-13 * (1 + (rows.cwiseAbs() * theta.cwiseAbs()).array());
}

bool hold(const ParameterConstraints& c, const VectorXd& theta) {
  return (c.e.array().abs() <= round_off(c.E, theta).array()).all() &&
         (c.g.array() >= -round_off(c.G, theta).array()).all();
}

/// The rows with a mark.
ParameterConstraints chosen(const ParameterConstraints& c, const std::vector<bool>& kept) {
  std::vector<int> equalities, inequalities;
  for (int i = 0; i < static_cast<int>(kept.size()); ++i) {
    if (!kept[i]) continue;
    const auto ne = static_cast<int>(c.E.rows());
    if (i < ne) {
      equalities.push_back(i);
    } else {
      inequalities.push_back(i - ne);
    }
  }
  return {c.E(equalities, Eigen::all), c.e(equalities), c.G(inequalities, Eigen::all),
          c.g(inequalities)};
}

bool onto(const Problem& problem, const MatrixXd& metric, const std::vector<bool>* kept,
          VectorXd& theta) {
  const VectorXd natural = problem.natural_step();
  for (int i = 0; i < max_steps; ++i) {
    ParameterConstraints constraints = problem.constraints(theta);
    if (kept) constraints = chosen(constraints, *kept);
    if (hold(constraints, theta)) return true;
    const ArrivalStep step = solve_arrival(metric, VectorXd::Zero(theta.size()), constraints, {});
    if (!step.solved) return false;
    const double longest = step.dtheta.cwiseQuotient(natural).lpNorm<Eigen::Infinity>();
    theta += step.dtheta / std::max(1.0, longest);
  }
  return false;
}

}  // namespace

bool onto_constraints(const Problem& problem, const MatrixXd& metric, VectorXd& theta) {
  return onto(problem, metric, nullptr, theta);
}

std::vector<std::string> conflicting_constraints(const Problem& problem) {
  const MatrixXd metric = problem.prior(problem.prior_mean()).hessian;
  const VectorXd mean = problem.prior_mean();
  VectorXd theta = mean;
  if (mean.size() == 0 || onto_constraints(problem, metric, theta)) return {};
  // What can be left out without helping is no part of the conflict.
  const std::vector<std::string> names = problem.constraint_names();
  std::vector<bool> kept(names.size(), true);
  for (size_t i = 0; i < names.size(); ++i) {
    kept[i] = false;
    theta = mean;
    if (onto(problem, metric, &kept, theta)) kept[i] = true;
  }
  std::vector<std::string> out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (kept[i]) out.push_back(names[i]);
  }
  return out;
}

}  // namespace bayesid
