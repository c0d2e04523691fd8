// SPDX-License-Identifier: BSD-3-Clause
#include "solver/feasible.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bayesid/solve.hpp"
#include "solver/parameter_qp.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int few_steps = 5;  // from a point nearby
constexpr int max_steps = 50;

/// What rounding of θ makes of each row.
VectorXd round_off(const MatrixXd& rows, const VectorXd& theta) {
  return 1e-12 * (1 + (rows.cwiseAbs() * theta.cwiseAbs()).array());
}

bool hold(const LinearConstraints& c, const VectorXd& theta) {
  return (c.e.array().abs() <= round_off(c.E, theta).array()).all() &&
         (c.g.array() >= -round_off(c.G, theta).array()).all();
}

/// The rows with a mark.
LinearConstraints chosen(const LinearConstraints& c, const std::vector<bool>& kept) {
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

/// The shortest step to where the equalities and the inequalities that are violated now hold.
VectorXd newton_step(const Eigen::LLT<MatrixXd>& metric, const LinearConstraints& c) {
  std::vector<int> violated;
  for (int i = 0; i < static_cast<int>(c.g.size()); ++i) {
    if (c.g[i] < 0) violated.push_back(i);
  }
  const Eigen::Index ne = c.E.rows(), n = ne + static_cast<Eigen::Index>(violated.size());
  MatrixXd J(n, c.E.cols());
  VectorXd r(n);
  J << c.E, c.G(violated, Eigen::all);
  r << c.e, c.g(violated);
  const MatrixXd whitened = metric.matrixL().solve(J.transpose()).transpose();
  return metric.matrixU().solve(whitened.completeOrthogonalDecomposition().solve(-r));
}

bool onto(const ParameterSpace& space, const MatrixXd& metric, const std::vector<bool>* kept,
          int most_steps, VectorXd& theta) {
  const VectorXd natural = space.scaling();
  Eigen::LLT<MatrixXd> chol;
  for (int i = 0; i <= most_steps; ++i) {
    LinearConstraints constraints = space.constraints(theta);
    if (kept) constraints = chosen(constraints, *kept);
    if (hold(constraints, theta)) return true;
    if (i == most_steps) return false;
    VectorXd step;
    if (i % (few_steps + 1) < few_steps) {
      if (chol.rows() == 0) chol.compute(metric);
      step = newton_step(chol, constraints);
    } else {
      // Inequalities that take turns are looked at together.
      const ParameterQpSolution together =
          solve_parameter_qp(metric, VectorXd::Zero(theta.size()), constraints, {});
      if (!together.solved) return false;
      step = together.dtheta;
    }
    const double longest = step.cwiseQuotient(natural).lpNorm<Eigen::Infinity>();
    if (!std::isfinite(longest)) return false;
    theta += step / std::max(1.0, longest);
  }
  return false;
}

}  // namespace

bool onto_constraints(const ParameterSpace& space, const MatrixXd& metric, VectorXd& theta) {
  return onto(space, metric, nullptr, few_steps, theta);
}

bool find_feasible(const ParameterSpace& space, const MatrixXd& metric, VectorXd& theta) {
  return onto(space, metric, nullptr, max_steps, theta);
}

std::vector<std::string> conflicting_constraints(const Problem& problem) {
  const ParameterSpace& space = problem.space();
  const MatrixXd metric = space.prior(space.prior_mean()).hessian;
  const VectorXd mean = space.prior_mean();
  VectorXd theta = mean;
  if (mean.size() == 0 || find_feasible(space, metric, theta)) return {};
  // What can be left out without helping is no part of the conflict.
  const std::vector<std::string> names = space.constraint_names();
  std::vector<bool> kept(names.size(), true);
  for (size_t i = 0; i < names.size(); ++i) {
    kept[i] = false;
    theta = mean;
    if (onto(space, metric, &kept, max_steps, theta)) kept[i] = true;
  }
  std::vector<std::string> out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (kept[i]) out.push_back(names[i]);
  }
  return out;
}

}  // namespace bayesid
