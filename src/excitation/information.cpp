// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/information.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "posterior/base_parameters.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double least_information = 1e-6;  // of the prior's: keeps the inverse finite
constexpr double structural = 1e-12;        // eigenvalues of what random motions show, of the most

double log_det(const Eigen::LLT<MatrixXd>& chol) {
  return 2 * chol.matrixLLT().diagonal().array().log().sum();
}

MatrixXd inverse_of(const Eigen::LLT<MatrixXd>& chol) {
  return chol.solve(MatrixXd::Identity(chol.rows(), chol.rows()));
}

}  // namespace

InformationCost gained_information(const MatrixXd& prior, const MatrixXd& data) {
  const Eigen::LLT<MatrixXd> before(prior), after(MatrixXd(prior + data));
  return {.value = log_det(before) - log_det(after), .slope = -inverse_of(after)};
}

InformationCost inflated_variance(const MatrixXd& data) {
  const MatrixXd I = data + least_information * MatrixXd::Identity(data.rows(), data.cols());
  const MatrixXd V = inverse_of(Eigen::LLT<MatrixXd>(I));
  const VectorXd inflation = I.diagonal().cwiseProduct(V.diagonal());
  MatrixXd slope = -V * I.diagonal().asDiagonal() * V;
  slope.diagonal() += V.diagonal();
  return {.value = std::log(inflation.mean()), .slope = slope / inflation.sum()};
}

InformationColumns make_columns(const Dynamics& dynamics, const ConstrainedMotion& motion,
                                Criterion criterion) {
  const ParameterSet& parameters = dynamics.parameters();
  const VectorXd theta = parameters.prior(), std = parameters.prior_std();
  InformationColumns out;
  out.columns = dynamics.dzeta_dtheta(theta) * std.asDiagonal();
  out.prior = std.asDiagonal() * parameters.prior_at(theta).hessian * std.asDiagonal();
  if (criterion == Criterion::information) return out;
  const MatrixXd Y = random_regressor(dynamics, theta,
                                      {.modes = {motion.mode()}, .q = motion.q_ini()}, out.columns);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(Y.transpose() * Y));
  const VectorXd& sizes = eigen.eigenvalues();
  Eigen::Index count = 0;
  while (count < sizes.size() && sizes[sizes.size() - 1 - count] > structural * sizes.maxCoeff())
    ++count;
  const MatrixXd basis = eigen.eigenvectors().rightCols(count);
  out.columns = (out.columns * basis).eval();
  out.prior = (basis.transpose() * out.prior * basis).eval();
  return out;
}

MatrixXd balance_noise(const Dynamics& dynamics, const ConstrainedMotion& motion,
                       const Noise& noise, const ExcitationConfig& config) {
  const int nv = dynamics.nv();
  const VectorXd rest = VectorXd::Zero(nv), none = VectorXd::Zero(dynamics.num_inputs());
  const auto at = dynamics.at(dynamics.parameters().prior());
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
  dynamics.balance(*at, motion.q_ini(), rest, rest, none, Order::derivatives, workspace, balance);
  // At frequency ω, an error σ of a position is one of ω² σ of the acceleration.
  const double omega = M_PI * (config.harmonics + 1) / config.duration;
  VectorXd variance(nv);
  for (int i = 0; i < nv; ++i) {
    const double step = noise.disturbance_velocity[i] * config.rate;
    variance[i] = step * step;
    if (i < dynamics.robot().base_nv()) continue;
    const double by_position = std::pow(omega * omega * noise.position[i], 2);
    const double by_velocity = std::pow(omega * noise.velocity[i], 2);
    variance[i] += by_position * by_velocity / (by_position + by_velocity);
  }
  MatrixXd out = balance.mass * variance.asDiagonal() * balance.mass.transpose();
  if (noise.effort.size() > 0)
    out.diagonal() += at->eta.gain.cwiseProduct(noise.effort).cwiseAbs2();
  return out;
}

}  // namespace bayesid
