// SPDX-License-Identifier: BSD-3-Clause
#include "baseline/linear_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "dynamics/at_parameters.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double smallest_share = 1e-10;  // of the largest singular value: below, not determined
constexpr int max_iterations = 50;
constexpr double same_cost = 1e-10, same_weights = 1e-3;  // relative
constexpr double most_slope = 5;                          // times the prior, or its inverse

MatrixXd prior_factor(const ReadableCoordinates& r) {
  return Eigen::LLT<MatrixXd>(r.prior_cov).matrixL();
}

bool is_slope(const std::string& name) {
  return name.ends_with(".stribeck1") || name.ends_with(".stribeck2") ||
         name.ends_with(".coulomb_slope");
}

/// Slopes within what is believable.
void keep_slopes(const ReadableCoordinates& r, VectorXd& change) {
  for (size_t i = 0; i < r.names.size(); ++i) {
    if (!is_slope(r.names[i])) continue;
    const auto k = static_cast<Index>(i);
    const double size = std::abs(r.value[k]);
    const double lowest = size / most_slope - r.value[k], highest = size * most_slope - r.value[k];
    change[k] = std::clamp(change[k], std::min(lowest, 0.0), std::max(highest, 0.0));
  }
}

/// Gauss–Newton in the readable coordinates.
class LinearSolver {
 public:
  LinearSolver(const Dynamics& dynamics, const RowsAt& rows, LinearFit& fit)
      : dynamics_(dynamics),
        rows_(rows),
        fit_(fit),
        prior_(dynamics.parameters().physical(dynamics.parameters().prior())),
        L_(prior_factor(fit.coordinates)),
        T_(scaled_columns(dynamics, fit.coordinates)) {}

  /// Rows at η(change).
  void move(const VectorXd& change) {
    fit_.change = change;
    fit_.eta = moved(dynamics_.parameters().layout(), prior_, fit_.coordinates.deta_dr * change);
    at_ = rows_(*at_parameters(dynamics_, fit_.eta));
  }
  double cost() const { return joined().b().squaredNorm(); }
  /// Best of the linearised rows; among equals, the nearest to the prior.
  VectorXd best_change() const {
    const CondensedRows rows = joined();
    const MatrixXd AT = rows.A() * T_;
    MatrixXd all(AT.rows(), AT.cols() + 1);
    all << AT, rows.b() - AT * L_.triangularView<Eigen::Lower>().solve(fit_.change);
    VectorXd out = L_ * smallest_solution(all);
    keep_slopes(fit_.coordinates, out);
    return out;
  }
  VectorXd rms() const { return at_.rms(VectorXd::Zero(dynamics_.nzeta())); }
  CondensedRows joined() const { return at_.joined(fit_.row_std); }
  /// The weighted rows in changes of the coordinates.
  CondensedRows in_coordinates() const {
    const CondensedRows rows = joined();
    const MatrixXd columns = dynamics_.coordinates().K * fit_.coordinates.deta_dr;
    MatrixXd all(rows.A().rows(), columns.cols() + 1);
    all << rows.A() * columns, rows.b();
    CondensedRows out(columns.cols() + 1);
    out.add(all);
    return out;
  }

 private:
  const Dynamics& dynamics_;
  const RowsAt& rows_;
  LinearFit& fit_;
  PhysicalParameters prior_;
  MatrixXd L_, T_;
  RegressionRows at_;
};

/// At fixed weights; steps that do not lower the cost are halved.
Status descend(LinearSolver& solver, LinearFit& fit, bool is_linear) {
  solver.move(fit.change);
  for (int i = 0; i < max_iterations; ++i) {
    ++fit.iterations;
    const VectorXd from = fit.change, to = solver.best_change();
    const double before = solver.cost();
    double length = 1;
    for (; length > 1e-4; length *= 0.5) {
      solver.move(from + length * (to - from));
      if (is_linear || solver.cost() <= before) break;
    }
    if (is_linear) return Status::converged;
    if (length <= 1e-4) {
      solver.move(from);
      return Status::stalled;
    }
    if (solver.cost() > (1 - same_cost) * before) return Status::converged;
  }
  return Status::iteration_limit;
}

}  // namespace

MatrixXd scaled_columns(const Dynamics& dynamics, const ReadableCoordinates& r) {
  return dynamics.coordinates().K * r.deta_dr * prior_factor(r);
}

VectorXd smallest_solution(const MatrixXd& rows) {
  const Index n = rows.cols() - 1;
  Eigen::BDCSVD<MatrixXd> svd(rows.leftCols(n), Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(smallest_share);
  return svd.solve(-rows.col(n));
}

LinearFit fit_linear(const Dynamics& dynamics, const RowsAt& rows, const VectorXd& claimed_std,
                     bool reweighted) {
  constexpr int max_rounds = 20;
  const ParameterSet& parameters = dynamics.parameters();
  LinearFit out;
  out.coordinates = readable_coordinates(parameters, parameters.prior());
  out.change = VectorXd::Zero(parameters.ntheta());
  out.row_std = claimed_std;
  LinearSolver solver(dynamics, rows, out);
  for (int round = 0; round < (reweighted ? max_rounds : 1); ++round) {
    out.status = descend(solver, out, rows_are_linear(dynamics));
    if (!reweighted) break;
    const VectorXd std = solver.rms().cwiseMax(1e-12);
    const double change = (std.array() / out.row_std.array() - 1).abs().maxCoeff();
    out.row_std = std;
    if (change < same_weights) break;
  }
  out.rows = solver.in_coordinates();
  return out;
}

}  // namespace bayesid
