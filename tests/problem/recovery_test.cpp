// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solve.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

/// Largest error of the effort a model predicts along a true motion, as a share of each joint's
/// range.
double held_out_effort_error(const Dynamics& dynamics, const VectorXd& theta,
                             const Simulation& held_out) {
  const auto model = dynamics.at(theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(dynamics.nv(), dynamics.nzeta());
  const VectorXd range =
      held_out.effort.rowwise().maxCoeff() - held_out.effort.rowwise().minCoeff();
  double worst = 0;
  for (Eigen::Index k = 0; k < held_out.effort.cols(); ++k) {
    const VectorXd q = make_configuration(dynamics.robot(), held_out.position.col(k));
    dynamics.balance(*model, q, held_out.velocity.col(k), held_out.acceleration.col(k),
                     held_out.effort.col(k), Order::value, workspace, balance);
    worst = std::max(worst, balance.h.cwiseQuotient(range).lpNorm<Eigen::Infinity>());
  }
  return worst;
}

void check_recovery(const Config& config, const SimulationConfig& motion) {
  test::IdentificationOptions options;
  options.simulation = motion;
  const Robot robot = read_robot(config.model);
  options.noise = test::make_noise(robot.nv(), {.effort = 0.0, .disturbance_velocity = 1e-3});
  options.noise_free = true;
  // Vanishing weight: information of the prior is 1e-12 of that of the data, and still above
  // their round-off.
  options.prior_std_scale = 1e2;
  const test::Identification identification = test::make_identification(config, options, 1);
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());

  // The identifiable combinations, each relative to the largest of its kind that the truth has.
  const Dynamics& dynamics = *identification.dynamics;
  const VectorXd truth = dynamics.zeta(identification.truth),
                 found = dynamics.zeta(solution.point.theta);
  BOOST_TEST((truth - found).lpNorm<Eigen::Infinity>() < 1e-6 * truth.lpNorm<Eigen::Infinity>());
  const Simulation held_out = simulate(dynamics, identification.truth, test::silent(options.noise),
                                       config.solver.integrator, motion, 99);
  const double before =
      held_out_effort_error(dynamics, identification.problem->space().prior_mean(), held_out);
  const double after = held_out_effort_error(dynamics, solution.point.theta, held_out);
  BOOST_TEST_MESSAGE("largest error of held-out efforts: "
                     << before << " of the range before, " << after << " after; "
                     << solution.history.size() << " iterations");
  BOOST_TEST(before > 0.1);
  BOOST_TEST(after < 1e-6);
}

}  // namespace

BOOST_AUTO_TEST_CASE(noise_free_log_of_two_joints_gives_back_the_base_parameters) {
  check_recovery(
      test::two_joint_config(),
      {.duration = 4.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0});
}

BOOST_AUTO_TEST_CASE(noise_free_log_of_an_arm_gives_back_the_base_parameters,
                     *boost::unit_test::label("slow")) {
  Config config = test::panda_config();
  test::fix_slopes(config);
  check_recovery(
      config,
      {.duration = 8.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0});
}

namespace {

/// One time step with constant efforts, integrated in more and more parts: the factor by which half
/// the part reduces the error to the continuous motion.
void check_substeps(Integrator integrator, double halving) {
  const Config config = test::two_joint_config();
  test::IdentificationOptions options;
  options.simulation = {.duration = 0.04, .rate = 50.0, .base_frequency = 1.0, .amplitude = 1.0};
  options.noise = test::make_noise(2, {.effort = 0.0, .disturbance_velocity = 1e-3});
  options.noise_free = true;
  const test::Identification identification = test::make_identification(config, options, 1);
  const auto velocity_after_a_step = [&](int substeps) {
    SimulationConfig motion = options.simulation;
    motion.substeps = substeps;
    return VectorXd(simulate(*identification.dynamics, identification.truth,
                             test::silent(options.noise), integrator, motion, 1)
                        .velocity.col(1));
  };
  const VectorXd limit = velocity_after_a_step(1000);
  const double one = (velocity_after_a_step(1) - limit).norm();
  const double two = (velocity_after_a_step(2) - limit).norm();
  const double four = (velocity_after_a_step(4) - limit).norm();
  BOOST_TEST_MESSAGE("error of one, two, four parts: " << one << ", " << two << ", " << four);
  BOOST_TEST(one > 1e-6);
  BOOST_TEST(one / two > 0.8 * halving);
  BOOST_TEST(one / two < 1.2 * halving);
  BOOST_TEST(two / four > 0.8 * halving);
  BOOST_TEST(two / four < 1.2 * halving);
}

/// Of logs of a robot that moves continuously, in standard deviations: root mean square of what is
/// known well of friction less the truth. (Turns of inertias have side optima.)
double scaled_error(Integrator integrator, unsigned seed) {
  Config config = test::two_joint_config();
  test::fix_slopes(config);
  config.solver.integrator = Integrator::midpoint;
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation = {
      .duration = 4.0, .rate = 250.0, .harmonics = 3, .base_frequency = 0.5, .amplitude = 1.0};
  options.simulation.substeps = 20;
  options.noise = test::make_noise(
      2, {.effort = 0.01, .disturbance_position = 1e-7, .disturbance_velocity = 1e-5});
  const test::Identification log = test::make_identification(config, options, seed);
  const RobotProblem problem(log.dynamics, log.problem->recordings(), log.problem->noise(),
                             integrator);
  const Solution solution = solve(problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const VectorXd std = solution.theta_cov.diagonal().cwiseSqrt();
  double sum = 0;
  int count = 0;
  const std::vector<std::string> names = log.dynamics->parameters().names();
  for (Eigen::Index i = 0; i < std.size(); ++i) {
    if (!names[i].starts_with("friction") || std[i] > 0.1 * problem.space().prior_std()[i])
      continue;
    sum += std::pow((solution.point.theta[i] - log.truth[i]) / std[i], 2);
    ++count;
  }
  BOOST_REQUIRE(count >= 4);
  return std::sqrt(sum / count);
}

}  // namespace

BOOST_AUTO_TEST_CASE(simulated_motion_in_finer_steps_comes_nearer_to_the_continuous_one) {
  check_substeps(Integrator::semi_implicit_euler, 2);
  check_substeps(Integrator::midpoint, 4);
}

/// Rules of first order attribute the error of a step to friction; error bars of the midpoint rule
/// are right.
BOOST_AUTO_TEST_CASE(error_bars_hold_on_logs_of_continuous_motion_with_the_midpoint_rule) {
  double first_order = 0, midpoint = 0;
  constexpr unsigned num_logs = 5;
  for (unsigned seed = 1; seed <= num_logs; ++seed) {
    first_order += scaled_error(Integrator::constant_acceleration, seed) / num_logs;
    midpoint += scaled_error(Integrator::midpoint, seed) / num_logs;
  }
  BOOST_TEST_MESSAGE("error in std: " << first_order << " of first order, " << midpoint
                                      << " of the midpoint rule");
  BOOST_TEST(first_order > 3);
  BOOST_TEST(midpoint < 1.5);
}

/// At the solution the lagged state equals the state.
BOOST_AUTO_TEST_CASE(half_a_step_of_the_solution_is_where_its_forces_act) {
  Config config = test::two_joint_config();
  config.solver.integrator = Integrator::midpoint;
  const test::Identification log = test::make_identification(config, test::two_joint_options(), 1);
  const Solution solution = solve(*log.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  Path path = solution.point.paths[0];
  const auto at = log.problem->at(solution.point.theta);
  for (int k = 0; k < path.u.cols(); ++k)
    log.problem->trajectory(0).lag(*at->trajectories[0], k, path);
  BOOST_TEST((path.lagged - solution.point.paths[0].lagged).norm() < 1e-6 * path.lagged.norm());
  BOOST_TEST(path.lagged.norm() > 1e-3);
  const Solution again = solve(*log.problem, {.num_threads = 2}, &solution.point);
  BOOST_TEST(again.history.size() <= 2u);
}

/// Joints so light beside their friction that half a step of what friction changes is more than the
/// acceleration itself: repetition alone would circle.
BOOST_AUTO_TEST_CASE(midpoint_rule_converges_where_friction_is_steep_beside_the_inertia) {
  Config config = test::two_joint_config();
  config.solver.integrator = Integrator::midpoint;
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation = {
      .duration = 4.0, .rate = 100.0, .harmonics = 5, .base_frequency = 0.5, .amplitude = 1.5};
  options.noise = test::make_noise(
      2, {.effort = 0.01, .disturbance_position = 1e-7, .disturbance_velocity = 1e-5});
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const test::Identification log = test::make_identification(config, options, seed);
    const auto at = log.dynamics->at(log.truth);
    VectorXd slopes(2);
    log.dynamics->friction_slopes(*at, VectorXd::Zero(2), slopes);
    Dynamics::Workspace workspace(*log.dynamics);
    StageDynamics stage(2, log.dynamics->nzeta(), 0);
    const VectorXd rest = VectorXd::Zero(2);
    log.dynamics->solve(*at, {}, rest, rest, rest, workspace, stage);
    BOOST_TEST((0.5 / 100 * slopes.cwiseQuotient(stage.balance.mass.diagonal())).maxCoeff() > 1);
    const Solution solution = solve(*log.problem, {.num_threads = 2});
    BOOST_TEST_MESSAGE(solution.history.size() << " iterations");
    BOOST_TEST(solution.converged());
    BOOST_TEST(solution.history.size() < 12u);  // 13 to 15 by repetition alone
  }
}

}  // namespace bayesid
