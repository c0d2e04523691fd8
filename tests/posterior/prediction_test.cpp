// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/posterior.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support/scene.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

SimulationConfig motion_options() {
  SimulationConfig out;
  out.duration = 5.0;
  out.rate = 500.0;
  return out;
}

Simulation noise_free(const Dynamics& dynamics) {
  const Noise none = test::uniform_noise(dynamics.nv(), 0, 0, 0, 0);
  return simulate(dynamics, dynamics.parameters().prior(), none, Integrator::semi_implicit_euler,
                  motion_options(), 3);
}

}  // namespace

BOOST_AUTO_TEST_CASE(predict_effort_is_exact_along_the_true_motion) {
  for (const test::Scene& scene : test::scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const Simulation simulation = noise_free(*scene.dynamics);
      const Eigen::Index n = simulation.acceleration.cols();
      const MotionGuess motion{simulation.position.leftCols(n), simulation.velocity.leftCols(n),
                               simulation.acceleration};
      const MatrixXd predicted =
          predict_effort(*scene.dynamics, scene.dynamics->parameters().prior(), motion);
      BOOST_TEST((predicted - simulation.effort).cwiseAbs().maxCoeff() <
                 1e-9 * (1 + simulation.effort.cwiseAbs().maxCoeff()));
    }
  }
}

BOOST_AUTO_TEST_CASE(predict_effort_reproduces_efforts_from_positions_and_velocities_alone) {
  const auto dynamics = test::simulated_problem().dynamics;
  const Recording recording = noise_free(*dynamics).measured;
  const VectorXd position_std = VectorXd::Constant(2, 1e-4),
                 velocity_std = VectorXd::Constant(2, 1e-2);
  const MotionGuess motion = smooth_motion(recording, position_std, velocity_std);
  const EffortError error =
      effort_error(dynamics->robot(), {recording},
                   {predict_effort(*dynamics, dynamics->parameters().prior(), motion)});
  for (int j = 0; j < 2; ++j) {
    // Half a step of delay between the discrete and the continuous model costs less than 1 %.
    BOOST_TEST_MESSAGE("rmse " << error.rmse[j] << " of " << error.range[j]);
    BOOST_TEST(error.rmse[j] < 0.01 * error.range[j]);
  }
}

BOOST_AUTO_TEST_CASE(effort_error_counts_all_samples_of_all_recordings) {
  Robot robot;
  robot.joints.resize(1);
  Recording first, second;
  first.effort = (MatrixXd(1, 2) << 1, 3).finished();
  second.effort = (MatrixXd(1, 2) << -2, std::nan("")).finished();
  const MatrixXd zero = MatrixXd::Zero(1, 2);
  const EffortError error = effort_error(robot, {first, second}, {zero, zero});
  BOOST_TEST(std::abs(error.rmse[0] - std::sqrt(14.0 / 3)) < 1e-12);
  BOOST_TEST(error.range[0] == 5);
}

BOOST_AUTO_TEST_CASE(predict_effort_of_a_passive_joint_is_zero) {
  test::Scene scene = test::scenes()[0];
  scene.config.model.actuated = {.all = false, .names = {scene.dynamics->robot().joints[0].name}};
  scene.config.parameters.effort_gain.reset();
  scene.config.parameters.effort_offset.reset();
  scene.config.parameters.gear_ratio.reset();
  const Dynamics dynamics(scene.dynamics->robot(),
                          ParameterSet(scene.dynamics->robot(), scene.config));
  const MatrixXd ones = MatrixXd::Ones(2, 4);
  const MatrixXd predicted =
      predict_effort(dynamics, dynamics.parameters().prior(), {ones, ones, ones});
  BOOST_TEST(predicted.row(1).cwiseAbs().maxCoeff() == 0);
  BOOST_TEST(predicted.row(0).cwiseAbs().minCoeff() > 0);
}

}  // namespace bayesid
