// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/report.hpp"
#include "bayesid/simulate.hpp"
#include "bayesid/solve.hpp"
#include "support/exciting.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Dynamics make_dynamics(const Config& config) {
  const Robot robot = read_robot(config.model);
  return {robot, ParameterSet(robot, config)};
}

Excitation found(const Config& config, int num_random = 0, int num_threads = 2) {
  return excite(make_dynamics(config), config,
                {.num_threads = num_threads, .seed = 1, .num_random = num_random});
}

// Searched once, for all tests.
const Excitation& of_arm() {
  static const Excitation out = found(test::exciting_arm(), 3);
  return out;
}

const Excitation& of_four_bar() {
  static const Excitation out = found(test::exciting_four_bar());
  return out;
}

const Excitation& of_quadruped() {
  static const Excitation out = found(test::exciting_anymal());
  return out;
}

std::string complaint(const Config& config) {
  try {
    found(config);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void check_contains(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    BOOST_TEST(text.find(word) != std::string::npos, "\"" << word << "\" is not in: " << text);
}

void check_kept(const Excitation& excitation) {
  BOOST_REQUIRE(excitation.found);
  BOOST_TEST(!excitation.margins.empty());
  for (const LimitMargin& one : excitation.margins) {
    BOOST_TEST(one.allowed >= -1e-5, one.name << " of " << one.of << ": " << one.allowed);
    BOOST_TEST(one.margin >= 0, one.name << " of " << one.of << ": " << one.margin);
  }
  const MotionTable& motion = excitation.motion;
  const Eigen::Index last = motion.num_samples() - 1;
  for (const Eigen::Index end : {Eigen::Index{0}, last}) {
    BOOST_TEST((motion.q.col(end) - motion.q.col(0)).norm() < 1e-9);
    BOOST_TEST(motion.v.col(end).norm() < 1e-9);
    BOOST_TEST(motion.a.col(end).norm() < 1e-8);
  }
}

/// Information of a simulated log of the motion about combinations of parameters.
Identifiability identified(const Config& config, const MotionTable& motion, unsigned seed) {
  const auto dynamics = std::make_shared<const Dynamics>(make_dynamics(config));
  const Noise noise = make_noise(dynamics->robot(), config, {});
  SimulationConfig options = config.simulation;
  options.duration = config.excitation.duration;
  options.rate = config.excitation.rate;
  const MotionConstraints constraints = make_constraints(dynamics->robot(), config);
  const Simulation log =
      simulate(*dynamics, dynamics->parameters().prior(), noise, config.solver.integrator, options,
               seed, constraints, config.disturbance.projection, &motion);
  const RobotProblem problem(dynamics, {log.measured}, noise, config.solver.integrator,
                             {.constraints = constraints, .initial_mean = {}});
  const Solution solution = solve(problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  return make_identifiability(problem, solution);
}

}  // namespace

BOOST_AUTO_TEST_CASE(excite_keeps_the_limits_of_an_arm_on_a_finer_grid) {
  const Excitation& excitation = of_arm();
  check_kept(excitation);
  // A limit is active: the motion is as large as allowed.
  double least = INFINITY;
  for (const LimitMargin& one : excitation.margins) least = std::min(least, one.allowed);
  BOOST_TEST(least < 0.1);
}

BOOST_AUTO_TEST_CASE(excite_keeps_the_limits_and_the_loop_of_a_four_bar) {
  const Excitation& excitation = of_four_bar();
  check_kept(excitation);
  BOOST_TEST(excitation.constraint_error < 1e-11);
}

BOOST_AUTO_TEST_CASE(excite_keeps_the_limits_and_the_feet_of_a_quadruped) {
  const Excitation& excitation = of_quadruped();
  check_kept(excitation);
  BOOST_TEST(excitation.constraint_error < 1e-11);
  const auto is_cone = [](const LimitMargin& one) { return one.name == "friction_cone"; };
  BOOST_TEST(std::ranges::count_if(excitation.margins, is_cone) == 4);
}

// In combinations that data determine: std of logarithms and turns also depend on the estimate.
BOOST_AUTO_TEST_CASE(excite_predicts_the_std_that_identification_finds) {
  Config config = test::exciting_arm();
  config.parameters.inertia->log_mass = config.parameters.inertia->first_moment = 0.2;
  config.parameters.inertia->rotation = config.parameters.inertia->log_second_moment = 0.2;
  const Excitation excitation = found(config);
  BOOST_REQUIRE(excitation.found);
  const Identifiability fitted = identified(config, excitation.motion, 3);
  int compared = 0;
  for (const BaseParameter& predicted : excitation.forecast.identifiability.base_parameters) {
    for (const BaseParameter& one : fitted.base_parameters) {
      if (one.terms[0].name != predicted.terms[0].name) continue;
      ++compared;
      BOOST_TEST(std::abs(one.std / predicted.std - 1) < 0.2,
                 predicted.text << ": " << one.std << " and " << predicted.std);
    }
  }
  BOOST_TEST(compared > 8);
}

BOOST_AUTO_TEST_CASE(excite_finds_more_information_than_random_motions) {
  const Excitation& excitation = of_arm();
  BOOST_TEST(excitation.random.size() == 3U);
  BOOST_TEST(excitation.largest_random.size() == 3U);
  for (size_t i = 0; i < 3; ++i) {
    BOOST_TEST(excitation.random[i].log_det_gain < excitation.largest_random[i].log_det_gain);
  }
  for (const ExcitationForecast& one : excitation.largest_random)
    BOOST_TEST(excitation.forecast.log_det_gain > one.log_det_gain + 1);
  BOOST_TEST(gain_over_random(excitation, excitation.largest_random).with_prior > 1.5);
}

BOOST_AUTO_TEST_CASE(excite_gives_the_same_bits_again_and_with_other_threads) {
  Config config = test::exciting_arm();
  config.excitation.starts = 1;
  const Excitation one = found(config, 0, 1), two = found(config, 0, 2);
  BOOST_TEST((one.motion.q == two.motion.q));
  BOOST_TEST((one.motion.tau == two.motion.tau));
  BOOST_TEST(one.forecast.log_det_gain == two.forecast.log_det_gain);
}

BOOST_AUTO_TEST_CASE(excite_lowers_the_inflation_of_variances_with_criterion_condition) {
  Config config = test::exciting_arm();
  const Excitation& informed = of_arm();
  config.excitation.criterion = Criterion::condition;
  const Excitation conditioned = found(config);
  check_kept(conditioned);
  BOOST_TEST(conditioned.value < 20);  // log of the mean inflation, finite
  BOOST_TEST(conditioned.forecast.log_det_gain < informed.forecast.log_det_gain);
}

BOOST_AUTO_TEST_CASE(excite_reports_the_limit_that_its_start_violates) {
  Config arm = test::exciting_arm();
  arm.excitation.start["q.elbow"] = 2.7;
  check_contains(complaint(arm), {"position of elbow", "2.7 rad", "0.45 rad above"});
  arm.excitation.start = {{"q.ellbow", 0.0}};
  check_contains(complaint(arm), {"no joint ellbow", "did you mean q.elbow"});

  Config weak = test::exciting_arm();
  weak.excitation.effort = 0.02;
  check_contains(complaint(weak), {"effort of", "N·m at rest there"});

  Config slippery = test::exciting_anymal();
  slippery.excitation.mu = 1e-4;
  check_contains(complaint(slippery), {"friction_cone of", "N below"});

  Config unknown = test::exciting_anymal();
  unknown.excitation.contacts = std::vector<std::string>{"LF", "RG"};
  check_contains(complaint(unknown), {"excitation.contacts", "no RG", "did you mean"});

  Config loose = test::exciting_anymal();
  loose.excitation.contacts = std::vector<std::string>{};
  check_contains(complaint(loose), {"floating base", "contacts"});
  loose.excitation.contacts = std::vector<std::string>{"LF"};
  check_contains(complaint(loose), {"the motion of base cannot be chosen"});

  Config passive = test::exciting_arm();
  passive.model.actuated = {.all = false, .names = {"shoulder"}};
  check_contains(complaint(passive), {"the motion of elbow cannot be chosen"});

  Config without_friction = test::exciting_anymal();
  without_friction.excitation.mu.reset();
  check_contains(complaint(without_friction), {"friction coefficient"});
}

BOOST_AUTO_TEST_CASE(motion_csv_is_read_back) {
  for (const Config& config : {test::exciting_arm(), test::exciting_anymal()}) {
    const Dynamics dynamics = make_dynamics(config);
    const Robot& robot = dynamics.robot();
    MotionTable motion;
    motion.time = VectorXd::LinSpaced(5, 0, 1);
    motion.q = MatrixXd(robot.nq(), 5);
    motion.v = motion.a = motion.tau = MatrixXd::Random(robot.nv(), 5);
    for (int k = 0; k < 5; ++k)
      motion.q.col(k) = make_configuration(robot, 0.3 * VectorXd::Random(robot.nv()));
    motion.tau.topRows(robot.base_nv()).setZero();
    if (robot.floating) motion.closed = {{"LF", true}, {"RF", false}};
    test::TempFolder folder;
    const MotionTable back =
        read_motion(robot, folder.temp_file(motion_csv(robot, motion), ".csv"));
    BOOST_TEST((back.q - motion.q).norm() < 1e-12);
    BOOST_TEST((back.v == motion.v));
    BOOST_TEST((back.a == motion.a));
    BOOST_TEST((back.tau == motion.tau));
    BOOST_TEST((back.closed == motion.closed));
  }
}

// A simulated robot without noise follows the motion.
BOOST_AUTO_TEST_CASE(simulate_follows_a_motion) {
  const std::pair<Config, const Excitation&> all[] = {{test::exciting_arm(), of_arm()},
                                                      {test::exciting_four_bar(), of_four_bar()},
                                                      {test::exciting_anymal(), of_quadruped()}};
  for (const auto& [config, excitation] : all) {
    BOOST_REQUIRE(excitation.found);
    const Dynamics dynamics = make_dynamics(config);
    Noise noise = make_noise(dynamics.robot(), config, {});
    noise.disturbance_position.setZero();
    noise.disturbance_velocity.setZero();
    SimulationConfig options = config.simulation;
    options.duration = config.excitation.duration;
    options.rate = config.excitation.rate;
    const Simulation log = simulate(
        dynamics, dynamics.parameters().prior(), noise, Integrator::constant_acceleration, options,
        1, make_constraints(dynamics.robot(), config), Projection::kinematic, &excitation.motion);
    double largest = 0;
    VectorXd error(dynamics.nv());
    for (Eigen::Index k = 0; k < log.configuration.cols(); ++k) {
      difference(dynamics.robot(), VectorXd(excitation.motion.q.col(k)),
                 VectorXd(log.configuration.col(k)), error);
      largest = std::max(largest, error.lpNorm<Eigen::Infinity>());
    }
    // Efforts are constraint_error for steps of 5 to 10 ms while joints turn at up to 7 rad/s.
    BOOST_TEST(largest < 0.2, config.model.urdf << ": " << largest);
  }
}

}  // namespace bayesid
