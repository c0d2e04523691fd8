// SPDX-License-Identifier: BSD-3-Clause
// Efforts that act at another time than they are stamped. docs/math/parameters.md (14a)
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "bayesid/posterior.hpp"
#include "bayesid/solve.hpp"
#include "problem/inputs.hpp"
#include "support/identification.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Config config_with_delay(double prior) {
  Config config = test::two_joint_config();
  config.parameters.delay["effort"] = {.prior = prior, .std = 0.01};
  return config;
}

Recording sines(Eigen::Index samples, double dt) {
  Recording out;
  out.time = VectorXd::LinSpaced(samples, 0, dt * static_cast<double>(samples - 1));
  out.effort.resize(2, samples);
  out.effort << (3 * out.time.array()).sin().transpose(), (5 * out.time.array()).cos().transpose();
  return out;
}

BOOST_AUTO_TEST_SUITE(effort_delay)

BOOST_AUTO_TEST_CASE(rates_of_smooth_efforts_are_their_derivatives) {
  const Recording recording = sines(300, 0.005);
  const MatrixXd rates = effort_rates(recording);
  for (Eigen::Index k = 0; k < 300; ++k) {
    const double t = recording.time[k];
    BOOST_TEST(std::abs(rates(0, k) - 3 * std::cos(3 * t)) < 2e-3);
    BOOST_TEST(std::abs(rates(1, k) + 5 * std::sin(5 * t)) < 1e-2);
  }
}

BOOST_AUTO_TEST_CASE(the_balance_moves_with_the_delay_as_its_column_says) {
  const Config config = config_with_delay(0);
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  Recording recording = sines(100, 0.01);
  recording.effort_rate = effort_rates(recording);
  const int delay = dynamics.parameters().list().find("delay.effort");
  const int theta_index = dynamics.parameters().theta_index(delay);
  BOOST_TEST_REQUIRE(theta_index >= 0);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Constant(2, 0.7),
                 a = VectorXd::Constant(2, -1.0);
  Dynamics::Workspace workspace(dynamics);
  const auto balance_at = [&](double value, Order order) {
    VectorXd theta = dynamics.parameters().prior();
    theta[theta_index] = value;
    const auto at = dynamics.at(theta);
    ForceBalance out(2, dynamics.nzeta());
    dynamics.balance(*at, q, v, a, inputs_at(dynamics, at->eta, recording, 40, 0.002), order,
                     workspace, out);
    return out;
  };
  const VectorXd column = balance_at(0.003, Order::derivatives).dh_dzeta *
                          dynamics.dzeta_dtheta(dynamics.parameters().prior()).col(theta_index);
  const VectorXd numeric =
      (balance_at(0.004, Order::value).h - balance_at(0.002, Order::value).h) / 0.002;
  BOOST_TEST((column - numeric).norm() < 1e-9 * numeric.norm());
  BOOST_TEST(numeric.norm() > 1.0);
}

BOOST_AUTO_TEST_CASE(late_efforts_are_found) {
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 8;
  options.simulation.rate = 500;
  options.simulation.substeps = 10;
  const test::Identification made = test::make_identification(test::two_joint_config(), options, 5);
  // Stamped two samples late: what acts from one sample on is found two samples later.
  Recording recording = made.problem->recordings()[0];
  const Eigen::Index n = recording.num_samples();
  const MatrixXd effort = recording.effort;
  recording.effort.rightCols(n - 2) = effort.leftCols(n - 2);
  const Config config = config_with_delay(0);
  const Robot robot = read_robot(config.model);
  const auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
  const RobotProblem problem(dynamics, {recording}, made.problem->noise(), Integrator::midpoint);
  const Solution solution = solve(problem, {});
  BOOST_TEST_REQUIRE(solution.converged());
  const Posterior posterior = make_posterior(dynamics->parameters(), solution);
  const auto found =
      std::ranges::find(posterior.parameters, std::string("delay.effort"), &Estimate::name);
  // Held efforts act half a sample later than they are stamped.
  const double late = 0.004 - 0.001;
  BOOST_TEST_CONTEXT(found->value << " ± " << found->std) {
    BOOST_TEST(std::abs(found->value - late) < 4 * found->std + 2e-5);
    BOOST_TEST(found->std < 1e-3);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace bayesid
