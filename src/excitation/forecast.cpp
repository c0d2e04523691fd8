// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "bayesid/excitation/excite.hpp"
#include "bayesid/simulation/simulate.hpp"
#include "bayesid/solver/solve.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The same sensors without an error, and no disturbance.
Noise silent(Noise noise) {
  for (VectorXd* std : {&noise.position, &noise.velocity, &noise.disturbance_position,
                        &noise.disturbance_velocity}) {
    std->setZero();
  }
  noise.effort.resize(0);
  for (auto& [frame, pose] : noise.poses) {
    if (pose.position) pose.position = 0;
    if (pose.orientation) pose.orientation = 0;
  }
  for (auto& [name, imu] : noise.imus) {
    for (auto* std : {&imu.std.acceleration, &imu.std.rate, &imu.std.orientation})
      if (*std) *std = 0;
  }
  for (auto& [name, wrench] : noise.wrenches) {
    for (auto* std : {&wrench.force, &wrench.torque})
      if (*std) *std = 0;
  }
  return noise;
}

double log_det(const MatrixXd& matrix) {
  const Eigen::LDLT<MatrixXd> factor(matrix);
  return factor.vectorD().array().abs().log().sum();
}

}  // namespace

ExcitationForecast forecast(const Dynamics& dynamics, const Config& config,
                            const MotionTable& motion, int num_threads) {
  const Robot& robot = dynamics.robot();
  const MotionConstraints constraints = make_constraints(robot, config);
  Config exact = config;
  exact.measurements.effort_exact = true;
  SimulationConfig options = config.simulation;
  options.duration = motion.time[motion.time.size() - 1];
  options.rate = (motion.num_samples() - 1) / options.duration;
  const VectorXd truth = dynamics.parameters().prior();
  const Recording log =
      simulate(dynamics, truth, silent(make_noise(robot, exact, {})), config.solver.integrator,
               options, 0, constraints, config.disturbance.projection, &motion)
          .measured;
  const Noise noise = make_noise(robot, config, {log});
  const RobotProblem problem(std::make_shared<const Dynamics>(dynamics), {log}, noise,
                             config.solver.integrator,
                             {.constraints = constraints,
                              .projection = config.disturbance.projection,
                              .formulation = config.solver.dynamics,
                              .on_constraints = config.initial_state.on_constraints,
                              .initial_mean = {}});
  const Solution solution = solve(problem, {.max_iterations = 0, .num_threads = num_threads});
  const VectorXd std = dynamics.parameters().prior_std();
  const MatrixXd prior =
      std.asDiagonal() * dynamics.parameters().prior_at(truth).hessian * std.asDiagonal();
  const MatrixXd data = std.asDiagonal() * solution.data_hessian * std.asDiagonal();
  ExcitationForecast out;
  out.num_parameters = dynamics.parameters().ntheta();
  out.log_det_gain = log_det(prior + data) - log_det(prior);
  out.posterior = make_posterior(dynamics.parameters(), solution);
  out.identifiability = make_identifiability(problem, solution);
  // No motion shows the rest: eigenvalues of round-off.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(data, Eigen::EigenvaluesOnly);
  const VectorXd shown = eigen.eigenvalues().tail(out.identifiability.structural_rank);
  out.log_det_data = shown.array().max(1e-300).log().sum();
  return out;
}

}  // namespace bayesid
