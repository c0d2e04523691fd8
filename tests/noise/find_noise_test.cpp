// SPDX-License-Identifier: BSD-3-Clause
#include "noise/find_noise.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "blocks/choice.hpp"
#include "noise/standard_deviations.hpp"
#include "noise/standstill.hpp"
#include "noise/variance_components.hpp"
#include "problem/noise_numbers.hpp"
#include "support/identification.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

/// Two joints for ten seconds, with noise that differs from joint to joint.
test::Identification arm() {
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 10;
  options.simulation.rate = 250;
  options.simulation.substeps = 1;
  options.noise = test::make_noise(2, {.position = 2e-4, .velocity = 2e-2, .effort = 0.05});
  options.noise.position[1] = 5e-4;
  options.noise.velocity[1] = 6e-3;
  options.noise.effort[1] = 0.02;
  options.noise.disturbance_velocity.setConstant(1e-5);
  return test::make_identification(test::two_joint_config(), options, 3);
}

/// All of them unknown, and so far from the truth.
std::shared_ptr<const RobotProblem> forgotten(const RobotProblem& problem, double factor) {
  Noise noise = problem.noise();
  for (const NoiseNumber& number : noise_numbers(problem.dynamics().robot(), {}, noise)) {
    noise.automatic.insert(number.name());
    *number.std *= factor;
  }
  return std::make_shared<const RobotProblem>(problem.with_noise(noise));
}

BOOST_AUTO_TEST_SUITE(find_noise_suite)

BOOST_AUTO_TEST_CASE(without_a_prior_squares_become_what_is_expected) {
  const double out = updated_std(0.2, {.squares = 900, .expected = 100}, {.std = 1, .samples = 0});
  BOOST_TEST(out == 0.6, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_number_that_nothing_tells_is_its_prior) {
  BOOST_TEST(updated_std(0.2, {.squares = 0, .expected = 0}, {.std = 0.7}) == 0.7,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(residuals_of_nothing_leave_a_hundredth) {
  BOOST_TEST(updated_std(0.2, {.squares = 0, .expected = 9999}, {.std = 0.7}) == 0.007,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(residuals_of_the_true_noise_are_expected) {
  const test::Identification made = arm();
  const RobotProblem& problem = *made.problem;
  const Solution solution = solve(problem, {.keep_sweeps = true});
  BOOST_TEST_REQUIRE(solution.converged());
  Noise noise = problem.noise();
  const std::vector<NoiseNumber> numbers = noise_numbers(problem.dynamics().robot(), {}, noise);
  const std::vector<VarianceComponent> components =
      variance_components(problem, numbers, path_statistics(problem, solution, 1));
  BOOST_TEST(components.size() == 6u);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& [squares, expected] = components[i];
    BOOST_TEST_CONTEXT(numbers[i].name() << ": " << squares << " of " << expected)
    BOOST_TEST(std::abs(squares / expected - 1) < 5 * std::sqrt(2 / expected));
  }
}

BOOST_AUTO_TEST_CASE(the_noise_of_a_simulation_is_found_from_afar) {
  const test::Identification made = arm();
  const Noise& truth = made.problem->noise();
  for (const double factor : {1.0, 10.0, 0.1}) {
    const TunedProblem found = find_noise(forgotten(*made.problem, factor), SolverConfig{}, {});
    const Noise& noise = found.problem->noise();
    BOOST_TEST(noise.is_found);
    BOOST_TEST(found.start.has_value());
    for (int j = 0; j < 2; ++j) {
      BOOST_TEST_CONTEXT("joint " << j << " from " << factor << " times its noise") {
        BOOST_TEST(noise.position[j] == truth.position[j], boost::test_tools::tolerance(0.08));
        BOOST_TEST(noise.velocity[j] == truth.velocity[j], boost::test_tools::tolerance(0.08));
        BOOST_TEST(noise.effort[j] == truth.effort[j], boost::test_tools::tolerance(0.15));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_stated_stays) {
  const test::Identification made = arm();
  Noise noise = made.problem->noise();
  noise.automatic = {"position." + made.problem->dynamics().robot().joints[0].name};
  const VectorXd before = standard_deviations(*made.problem);
  const auto problem = std::make_shared<const RobotProblem>(made.problem->with_noise(noise));
  const VectorXd after = standard_deviations(*find_noise(problem, SolverConfig{}, {}).problem);
  int changed = 0;
  for (Eigen::Index i = 0; i < before.size(); ++i) changed += before[i] != after[i];
  BOOST_TEST(changed <= 1);
}

BOOST_AUTO_TEST_CASE(efforts_near_standstill_count_less_where_nobody_has_stated_their_noise) {
  const test::Identification made = arm();
  const RobotProblem& problem = *made.problem;
  const VectorXd theta = problem.space().prior_mean();
  Noise noise = problem.noise();
  const Standstill standstill(problem);
  standstill.set(problem, theta, noise);
  BOOST_TEST(!noise.standstill);
  noise.automatic = {"effort." + problem.dynamics().robot().joints[0].name};
  standstill.set(problem, theta, noise);
  BOOST_TEST_REQUIRE(noise.standstill != nullptr);
  const Eigen::MatrixXd& std = noise.standstill->at(0);
  const Recording& recording = problem.recordings()[0];
  BOOST_TEST(std.cols() == recording.num_samples());
  const PhysicalParameters eta = problem.dynamics().parameters().physical(theta);
  const double friction = eta.gamma(0, 0) + eta.gamma(3, 0);
  Eigen::Index slowest = 0, fastest = 0;
  std.row(0).maxCoeff(&slowest);
  std.row(0).minCoeff(&fastest);
  BOOST_TEST(std(0, slowest) > 0.5 * friction);
  BOOST_TEST(std(0, slowest) < 1.0001 * friction);
  BOOST_TEST(std(0, fastest) < 1e-6 * friction);
  BOOST_TEST(std::abs(recording.velocity(0, slowest)) < 0.3);
  BOOST_TEST(std::abs(recording.velocity(0, fastest)) > 0.3);
  BOOST_TEST(std.row(1).isZero(0));
}

BOOST_AUTO_TEST_CASE(numbers_of_a_problem_bring_its_noise_near_standstill_with_them) {
  const test::Identification made = arm();
  Noise noise = made.problem->noise();
  for (const Joint& joint : made.problem->dynamics().robot().joints)
    noise.automatic.insert("effort." + joint.name);
  const auto problem = std::make_shared<const RobotProblem>(made.problem->with_noise(noise));
  const auto found = find_noise(problem, SolverConfig{}, {}).problem;
  BOOST_TEST_REQUIRE(found->noise().standstill != nullptr);
  const auto again = with_standard_deviations(*problem, standard_deviations(*found), true);
  BOOST_TEST_REQUIRE(again->noise().standstill != nullptr);
  BOOST_TEST((found->noise().standstill->at(0) == again->noise().standstill->at(0)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace bayesid
