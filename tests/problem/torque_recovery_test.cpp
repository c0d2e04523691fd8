// SPDX-License-Identifier: BSD-3-Clause
// Torque sensors behind the gears: what they determine and efforts of motors do not.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/solve.hpp"
#include "support/identification.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

constexpr double torque_std = 0.02;

Config arm_with_armature() {
  Config config = test::two_joint_config();
  config.parameters.armature.emplace();
  config.parameters.effort_offset.emplace();
  return config;
}

test::IdentificationOptions with_torques(double duration) {
  test::IdentificationOptions out = test::two_joint_options();
  out.simulation.duration = duration;
  out.noise.joint_sensors["torque"] = VectorXd::Constant(2, torque_std);
  return out;
}

RobotProblem without_torques(const test::Identification& identification) {
  Noise noise = identification.problem->noise();
  noise.joint_sensors.clear();
  return {identification.dynamics, identification.problem->recordings(), noise,
          identification.problem->integrator()};
}

double std_of(const Solution& solution, const ParameterSet& parameters, const std::string& name) {
  const std::vector<std::string> names = parameters.names();
  const auto i = std::ranges::find(names, name) - names.begin();
  BOOST_REQUIRE(i < std::ssize(names));
  return std::sqrt(solution.theta_cov(i, i));
}

}  // namespace

BOOST_AUTO_TEST_CASE(torques_behind_the_gears_separate_friction_and_armature_from_the_links) {
  int inside = 0, count = 0;
  double squares = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const test::Identification identification =
        test::make_identification(arm_with_armature(), with_torques(2.0), seed);
    const ParameterSet& parameters = identification.dynamics->parameters();
    const Solution with = solve(*identification.problem, {}),
                   without = solve(without_torques(identification), {});
    BOOST_TEST(with.converged());
    BOOST_TEST(without.converged());
    // Efforts alone determine the sum of armature and inertia; the prior separates it.
    for (const char* name : {"armature.shoulder", "armature.elbow"})
      BOOST_TEST(2 * std_of(with, parameters, name) < std_of(without, parameters, name), name);
    const std::vector<std::string> names = parameters.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      // Coordinates of inertias that the data do not determine have no Gaussian error.
      if (names[i].starts_with("inertia.")) continue;
      BOOST_TEST(std_of(with, parameters, names[i]) < 1.05 * std_of(without, parameters, names[i]),
                 names[i]);
      const auto at = static_cast<Eigen::Index>(i);
      const double off =
          (with.point.theta[at] - identification.truth[at]) / std_of(with, parameters, names[i]);
      squares += off * off;
      inside += std::abs(off) < 3 ? 1 : 0;
      ++count;
    }
  }
  BOOST_TEST_MESSAGE(inside << " of " << count << " within 3 std, mean square " << squares / count);
  BOOST_TEST(inside >= count - 1);
  BOOST_TEST(squares / count < 1.5);
}

BOOST_AUTO_TEST_CASE(torque_residuals_are_those_expected) {
  const test::Identification identification =
      test::make_identification(arm_with_armature(), with_torques(4.0), 3);
  const RobotProblem& problem = *identification.problem;
  const Solution solution = solve(problem, {});
  BOOST_REQUIRE(solution.converged());
  double squares = 0, expected = 0;
  int count = 0;
  const std::vector<PathStatistics> statistics = path_statistics(problem, solution, 1);
  for (const SampleStatistics& one : statistics[0].samples) {
    if (problem.channel_name(one.name).sensor != "torque") continue;
    squares += one.residual * one.residual;
    expected += one.residual_std * one.residual_std;
    ++count;
  }
  BOOST_TEST(count == 2 * 800);
  // As free as some 340 numbers: four standard deviations of their mean square.
  BOOST_TEST(std::abs(squares / expected - 1) < 4 * std::sqrt(2 / expected));
}

/// Without friction, armature and offset, the torques of motor and links are equal.
BOOST_AUTO_TEST_CASE(without_losses_a_torque_sensor_is_an_effort_sensor) {
  Config config = test::two_joint_config();
  config.parameters.friction.reset();
  config.parameters.set.clear();
  test::IdentificationOptions options = with_torques(1.0);
  options.prior_is_drawn = false;
  options.prior_error = 0.2;
  const test::Identification identification = test::make_identification(config, options, 5);
  // One sensor of both: the mean of the two readings, weighted.
  Recording merged = identification.problem->recordings()[0];
  Noise noise = identification.problem->noise();
  const Series& torque = merged.series.at("torque");
  const double w_tau = 1 / (noise.effort[0] * noise.effort[0]),
               w_torque = 1 / (torque_std * torque_std);
  for (Eigen::Index k = 0; k < torque.values.cols(); ++k) {
    merged.effort.col(k) =
        (w_tau * merged.effort.col(k) + w_torque * torque.values.col(k)) / (w_tau + w_torque);
  }
  merged.series.erase("torque");
  noise.joint_sensors.clear();
  noise.effort.setConstant(std::sqrt(1 / (w_tau + w_torque)));
  const RobotProblem one(identification.dynamics, {merged}, noise,
                         identification.problem->integrator());
  const Solution both = solve(*identification.problem, {.tolerance = 1e-9}),
                 mean = solve(one, {.tolerance = 1e-9});
  BOOST_TEST(both.converged());
  BOOST_TEST(mean.converged());
  const VectorXd std = mean.theta_cov.diagonal().cwiseSqrt();
  BOOST_TEST((both.point.theta - mean.point.theta).cwiseQuotient(std).lpNorm<Eigen::Infinity>() <
             1e-5);
  BOOST_TEST(
      ((both.theta_cov.diagonal().cwiseSqrt() - std).cwiseQuotient(std)).lpNorm<Eigen::Infinity>() <
      1e-5);
}

}  // namespace bayesid
