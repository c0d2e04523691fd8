// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/posterior.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

/// 1 − σ²/σ̄², where rounding cannot leave 0…1.                             docs/math/prediction.md
/// (9)
double share_determined(double variance, double prior_variance) {
  if (!(prior_variance > 0)) return 0;
  return std::clamp(1 - variance / prior_variance, 0.0, 1.0);
}

double variance_along(const RowVectorXd& gradient, const MatrixXd& cov) {
  return std::max(0.0, gradient.dot(gradient * cov));
}

/// Combinations of parameters that the data determine better than the prior.
/// docs/math/prediction.md (10)
int informed_rank(const MatrixXd& data_hessian, const VectorXd& prior_std) {
  if (prior_std.size() == 0 || data_hessian.rows() != prior_std.size() || !data_hessian.allFinite())
    return 0;
  const MatrixXd whitened = prior_std.asDiagonal() * data_hessian * prior_std.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(whitened, Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array() > 1.0).count());
}

/// At its mean.
MatrixXd prior_covariance(const ParameterSet& parameters) {
  const MatrixXd precision = parameters.prior_at(parameters.prior()).hessian;
  if (precision.isDiagonal(0)) return parameters.prior_std().cwiseAbs2().asDiagonal();
  return precision.llt().solve(MatrixXd::Identity(precision.rows(), precision.cols()));
}

std::vector<Estimate> coordinates(const ParameterSet& parameters, const VectorXd& theta,
                                  const MatrixXd& cov, const MatrixXd& prior_cov) {
  const VectorXd values = parameters.all_values(theta);
  std::vector<Estimate> out;
  for (size_t i = 0; i < parameters.all().size(); ++i) {
    const Parameter& parameter = parameters.all()[i];
    Estimate& estimate = out.emplace_back();
    estimate.name = parameter.name;
    estimate.prior = parameter.prior;
    estimate.value = values[static_cast<Eigen::Index>(i)];
    const int at = parameters.theta_index(static_cast<int>(i));
    if (at < 0) continue;
    estimate.prior_std = std::sqrt(prior_cov(at, at));
    estimate.std = std::sqrt(std::max(0.0, cov(at, at)));
    estimate.determined = share_determined(cov(at, at), prior_cov(at, at));
  }
  return out;
}

/// First-order propagation of the covariance to what people read. docs/math/prediction.md (8)
std::vector<Estimate> physical_values(const ParameterSet& parameters, const VectorXd& theta,
                                      const MatrixXd& cov, const MatrixXd& prior_cov) {
  const std::vector<PhysicalValue> before = parameters.values(parameters.prior());
  const std::vector<PhysicalValue> after = parameters.values(theta);
  std::vector<Estimate> out;
  for (size_t i = 0; i < after.size(); ++i) {
    const RowVectorXd& gradient = after[i].dvalue_dtheta;
    const double variance = variance_along(gradient, cov);
    out.push_back({.name = after[i].name,
                   .prior = before[i].value,
                   .prior_std = std::sqrt(variance_along(before[i].dvalue_dtheta, prior_cov)),
                   .value = after[i].value,
                   .std = std::sqrt(variance),
                   .determined = share_determined(variance, variance_along(gradient, prior_cov))});
  }
  return out;
}

}  // namespace

std::vector<std::string> names_not_determined(const std::vector<Estimate>& estimates) {
  std::vector<std::string> out;
  for (const Estimate& one : estimates) {
    if (one.prior_std > 0 && one.determined < least_determined) out.push_back(one.name);
  }
  return out;
}

Posterior make_posterior(const ParameterSet& parameters, const Solution& solution) {
  const MatrixXd prior_cov = prior_covariance(parameters);
  const VectorXd prior_std = prior_cov.diagonal().cwiseSqrt();
  Posterior out;
  out.names = parameters.names();
  // A solver that stopped before its first covariance has learnt nothing.
  const bool has_cov = solution.theta_cov.rows() == parameters.ntheta();
  out.theta_cov = has_cov ? solution.theta_cov : prior_cov;
  out.parameters = coordinates(parameters, solution.point.theta, out.theta_cov, prior_cov);
  out.physical = physical_values(parameters, solution.point.theta, out.theta_cov, prior_cov);
  out.rank = informed_rank(solution.data_hessian, prior_std);
  return out;
}

void set_error_bars(const ParameterSet& parameters, const VectorXd& theta, const MatrixXd& cov,
                    Posterior& out) {
  const MatrixXd prior_cov = prior_covariance(parameters);
  const auto widened = [](const std::vector<Estimate>& before, std::vector<Estimate> after) {
    for (std::size_t i = 0; i < after.size(); ++i) after[i].std_white = before[i].std;
    return after;
  };
  out.parameters = widened(out.parameters, coordinates(parameters, theta, cov, prior_cov));
  out.physical = widened(out.physical, physical_values(parameters, theta, cov, prior_cov));
  out.theta_cov = cov;
}

}  // namespace bayesid
