// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/posterior.hpp"
#include "bayesid/solve.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two joints whose springs are as strong as their Coulomb friction.
Config sticky_config(double smoothing) {
  Config config = test::two_joint_config();
  config.parameters.friction->presliding = true;
  config.parameters.friction->presliding_smoothing = smoothing;
  config.parameters.friction->presliding_distance.all = 2e-3;
  return config;
}

const SimulationConfig motion{
    .duration = 4.0, .rate = 500.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0};

}  // namespace

BOOST_AUTO_TEST_CASE(noise_free_log_gives_back_the_springs_of_presliding) {
  const Config config = sticky_config(0);
  test::IdentificationOptions options;
  options.simulation = motion;
  options.noise = test::make_noise(2, {.effort = 0.0, .disturbance_velocity = 1e-3});
  options.noise_free = true;
  options.prior_std_scale = 1e2;
  const test::Identification identification = test::make_identification(config, options, 1);
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const Dynamics& dynamics = *identification.dynamics;
  const VectorXd truth = dynamics.zeta(identification.truth),
                 found = dynamics.zeta(solution.point.theta);
  BOOST_TEST((truth - found).lpNorm<Eigen::Infinity>() < 1e-6 * truth.lpNorm<Eigen::Infinity>());
  // Efforts of the same motion: with the springs and without.
  const Simulation& source = identification.simulations[0];
  const MotionGuess moved{source.position, source.velocity,
                          MatrixXd::Zero(2, source.position.cols())};
  MotionGuess along = moved;
  along.acceleration.leftCols(source.acceleration.cols()) = source.acceleration;
  const MatrixXd predicted = predict_effort(dynamics, solution.point.theta, along);
  const Eigen::Index count = source.effort.cols();
  BOOST_TEST((predicted.leftCols(count) - source.effort).cwiseAbs().maxCoeff() <
             1e-5 * source.effort.cwiseAbs().maxCoeff());
}

BOOST_AUTO_TEST_CASE(noisy_log_gives_back_the_springs_of_presliding_within_their_error_bars) {
  const Config config = sticky_config(0.01);
  test::IdentificationOptions options;
  options.simulation = motion;
  options.noise = test::make_noise(
      2, {.position = 1e-4, .velocity = 1e-2, .effort = 0.02, .disturbance_velocity = 1e-4});
  const test::Identification identification = test::make_identification(config, options, 3);
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const ParameterSet& parameters = identification.dynamics->parameters();
  const std::vector<std::string> names = parameters.names();
  const MatrixXd covariance = make_posterior(parameters, solution).theta_cov;
  int count = 0;
  for (Eigen::Index i = 0; i < parameters.ntheta(); ++i) {
    if (!names[i].ends_with(".mu6")) continue;
    ++count;
    const double std = std::sqrt(covariance(i, i)),
                 error = solution.point.theta[i] - identification.truth[i];
    BOOST_TEST_MESSAGE(names[i] << ": " << error << " ± " << std);
    BOOST_TEST(std < 0.1, names[i]);
    BOOST_TEST(std::abs(error) < 4 * std, names[i]);
  }
  BOOST_TEST(count == 2);
}

}  // namespace bayesid
