// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/compare.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "baseline/linear_fit.hpp"
#include "baseline/window_choice.hpp"
#include "bayesid/parameters.hpp"
#include "dynamics/at_parameters.hpp"
#include "posterior/base_parameters.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the root mean square, where no noise is configured: to begin with, and at the least.
constexpr double first_share = 1e-2, least_share = 1e-4;

SmoothingWindow chosen_window(const RobotProblem& problem, RowKind kind,
                              const BaselineOptions& options) {
  if (options.window > 0) return {options.order, options.window};
  return best_window(cross_validate(problem, kind, options.num_threads));
}

/// β = G r of the columns that the rows determine, with (YᵀY)⁻¹ of weighted rows.
/// docs/math/baselines.md (9a)
std::vector<BaseEstimate> base_estimates(const LinearFit& fit) {
  const MatrixXd Y = fit.rows.A();
  const std::vector<std::string>& names = fit.coordinates.names;
  std::vector<int> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  const BaseParameters base = base_parameters(Y, order);
  const MatrixXd kept = Y(Eigen::all, base.kept);
  const MatrixXd R = kept.householderQr().matrixQR().topRows(kept.cols());
  const MatrixXd inverse =
      R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(kept.cols(), kept.cols()));
  const VectorXd value = base.G * (fit.coordinates.value + fit.change);
  std::vector<BaseEstimate> out;
  for (Index i = 0; i < value.size(); ++i) {
    BaseEstimate one{
        .terms = {{names[base.kept[i]], 1.0}}, .value = value[i], .std = inverse.row(i).norm()};
    for (Index j = 0; j < base.G.cols(); ++j) {
      if (j != base.kept[i] && base.G(i, j) != 0) one.terms.emplace_back(names[j], base.G(i, j));
    }
    out.push_back(std::move(one));
  }
  return out;
}

BaselineResult linear_result(const Dynamics& dynamics, const RowsAt& rows, const VectorXd& std,
                             Baseline method) {
  const bool reweighted = method == Baseline::wls;
  const LinearFit fit = fit_linear(dynamics, rows, std, reweighted);
  BaselineResult out{.status = fit.status, .iterations = fit.iterations, .eta = fit.eta};
  for (size_t i = 0; i < fit.coordinates.names.size(); ++i) {
    const auto k = static_cast<Index>(i);
    out.values.emplace_back(fit.coordinates.names[i], fit.coordinates.value[k] + fit.change[k]);
  }
  if (reweighted) out.base = base_estimates(fit);
  return out;
}

BaselineResult theta_result(const Dynamics& dynamics, const RowsAt& rows, const RowNoise& noise) {
  const ParameterSet& parameters = dynamics.parameters();
  const ThetaFit fit = fit_theta(dynamics, rows, noise, parameters.prior());
  BaselineResult out{.status = fit.status,
                     .iterations = fit.iterations,
                     .eta = parameters.physical(fit.theta),
                     .theta = fit.theta,
                     .values = {},
                     .base = {},
                     .row_std = fit.row_std};
  for (const PhysicalValue& value : parameters.values(fit.theta)) {
    out.values.emplace_back(value.name, value.value);
  }
  return out;
}

BaselineResult effort_baseline(const RegressionData& data, Baseline method) {
  const Dynamics& dynamics = data.problem.dynamics();
  const VectorXd std = claimed_effort_std(data, *dynamics.at(dynamics.parameters().prior()));
  const RowsAt rows = [&](const DynamicsAt& model) { return effort_rows(data, model); };
  const bool is_linear = method == Baseline::id || method == Baseline::wls;
  if (is_linear) return linear_result(dynamics, rows, std, method);
  const Noise& noise = data.problem.noise();
  if (noise.effort.size() == 0)
    return theta_result(dynamics, rows, {first_share * std, least_share * std});
  const bool is_automatic = std::ranges::any_of(
      noise.automatic, [](const std::string& name) { return name.starts_with("effort."); });
  return theta_result(dynamics, rows, {std, is_automatic ? least_share * std : std});
}

BaselineResult energy_baseline(const RegressionData& data, int interval) {
  const Dynamics& dynamics = data.problem.dynamics();
  const RowsAt rows = [&](const DynamicsAt& model) { return energy_rows(data, model, interval); };
  const RegressionRows prior = rows(*dynamics.at(dynamics.parameters().prior()));
  const VectorXd scale = prior.rms(VectorXd::Zero(dynamics.nzeta())).cwiseMax(1e-9);
  return theta_result(dynamics, rows, {first_share * scale, least_share * scale});
}

int stride_of(const RobotProblem& problem, int most) {
  Index samples = 0;
  for (const Recording& recording : problem.recordings()) samples += recording.num_samples();
  return most > 0 ? static_cast<int>(std::max<Index>(1, samples / most)) : 1;
}

}  // namespace

BaselineResult run_baseline(const RobotProblem& problem, Baseline method,
                            const BaselineOptions& options) {
  const RowKind kind = method == Baseline::energy ? RowKind::energy : RowKind::effort;
  const bool is_decoupled = method == Baseline::decoupled;
  const SmoothingWindow window =
      is_decoupled ? SmoothingWindow{0, 0} : chosen_window(problem, kind, options);
  const std::vector<SampledMotion> motions =
      is_decoupled ? smoother_motion(problem)
                   : local_polynomial_motion(problem, window, options.num_threads);
  const RegressionData data{.problem = problem,
                            .motions = motions,
                            .stride = stride_of(problem, options.most_samples),
                            .num_threads = options.num_threads};
  BaselineResult out = kind == RowKind::energy
                           ? energy_baseline(data, energy_interval(problem, window))
                           : effort_baseline(data, method);
  out.window = window.samples;
  out.order = window.order;
  return out;
}

int num_impossible_bodies(const PhysicalParameters& eta) {
  int out = 0;
  for (Index body = 0; body < eta.pi.cols(); ++body) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(pseudo_inertia(eta.pi.col(body)),
                                                               Eigen::EigenvaluesOnly);
    if (!(eigen.eigenvalues()[0] > 0)) ++out;
  }
  return out;
}

std::shared_ptr<const DynamicsAt> model_of(const Dynamics& dynamics,
                                           const PhysicalParameters& eta) {
  return at_parameters(dynamics, eta);
}

}  // namespace bayesid
