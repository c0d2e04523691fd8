// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "bayesid/excite.hpp"
#include "bayesid/simulate.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double log_det(const MatrixXd& matrix) {
  const Eigen::LDLT<MatrixXd> factor(matrix);
  return factor.vectorD().array().abs().log().sum();
}

/// A log of the motion without noise, and the problem of it linearised once, at the prior.
struct Predicted {
  std::shared_ptr<const RobotProblem> problem;
  Solution solution;
};

Predicted predict_log(const Dynamics& dynamics, const Config& config, const MotionTable& motion,
                      int num_threads) {
  const Robot& robot = dynamics.robot();
  const MotionConstraints constraints = make_constraints(robot, config);
  Config exact = config;
  exact.measurements.effort_exact = true;
  SimulationConfig options = config.simulation;
  options.duration = motion.time[motion.time.size() - 1];
  options.rate = (motion.num_samples() - 1) / options.duration;
  const VectorXd truth = dynamics.parameters().prior();
  const Recording log =
      simulate(dynamics, truth, make_noise(robot, exact, {}), config.solver.integrator, options, {},
               constraints, config.disturbance.projection, &motion)
          .measured;
  const Noise noise = make_noise(robot, config, {log});
  Predicted out;
  out.problem = std::make_shared<const RobotProblem>(
      std::make_shared<const Dynamics>(dynamics), std::vector{log}, noise, config.solver.integrator,
      ProblemOptions{.constraints = constraints,
                     .projection = config.disturbance.projection,
                     .formulation = config.solver.dynamics,
                     .on_constraints = config.initial_state.on_constraints,
                     .initial_mean = {}});
  out.solution = solve(*out.problem, {.max_iterations = 0, .num_threads = num_threads});
  return out;
}

/// Determinants of the information of the log, with the prior and without.
ExcitationForecast gain_of(const Dynamics& dynamics, const Solution& solution,
                           int structural_rank) {
  const ParameterSet& parameters = dynamics.parameters();
  const VectorXd std = parameters.prior_std();
  const MatrixXd prior =
      std.asDiagonal() * parameters.prior_at(parameters.prior()).hessian * std.asDiagonal();
  const MatrixXd data = std.asDiagonal() * solution.data_hessian * std.asDiagonal();
  ExcitationForecast out;
  out.num_parameters = parameters.ntheta();
  out.log_det_gain = log_det(prior + data) - log_det(prior);
  // No motion shows the rest: eigenvalues of round-off.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(data, Eigen::EigenvaluesOnly);
  const VectorXd shown = eigen.eigenvalues().tail(structural_rank);
  out.log_det_data = shown.array().max(1e-300).log().sum();
  return out;
}

}  // namespace

ExcitationForecast forecast(const Dynamics& dynamics, const Config& config,
                            const MotionTable& motion, int num_threads) {
  const Predicted foreseen = predict_log(dynamics, config, motion, num_threads);
  const Identifiability shown = make_identifiability(*foreseen.problem, foreseen.solution);
  ExcitationForecast out = gain_of(dynamics, foreseen.solution, shown.structural_rank);
  out.posterior = make_posterior(dynamics.parameters(), foreseen.solution);
  out.identifiability = shown;
  return out;
}

ExcitationForecast forecast_gain(const Dynamics& dynamics, const Config& config,
                                 const MotionTable& motion, int structural_rank, int num_threads) {
  return gain_of(dynamics, predict_log(dynamics, config, motion, num_threads).solution,
                 structural_rank);
}

}  // namespace bayesid
