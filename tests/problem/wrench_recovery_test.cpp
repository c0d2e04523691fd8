// SPDX-License-Identifier: BSD-3-Clause
// Whole identifications with sensors of contact forces.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>
#include <algorithm>

#include "bayesid/solve.hpp"
#include "solver/accumulator.hpp"
#include "support/count_allocations.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The link that most of the weight belongs to.
std::string heaviest_link(const Config& config) {
  const Robot robot = read_robot(config.model);
  return std::ranges::max_element(robot.links, {}, [](const Link& link) { return link.pi[0]; })
      ->name;
}

/// ANYmal with a force sensor in each foot; the inertia of its trunk is unknown.
Config sensed_anymal(const std::string& gait) {
  Config config = test::standing_anymal();
  config.parameters.friction.reset();
  config.parameters.inertia->links = {.all = false, .names = {heaviest_link(config)}};
  config.parameters.inertia->log_mass = 0.1;
  config.parameters.inertia->first_moment = 0.1;
  config.parameters.inertia->rotation = 0.1;
  config.parameters.inertia->log_second_moment = 0.1;
  config.parameters.wrench_offset.emplace();
  double offset = 1;
  for (ContactConfig& contact : config.model.contacts) {
    contact.kd = 100;
    config.measurements.wrenches["foot_" + contact.name] = {.contact = contact.name, .force = 0.5};
    for (const char* axis : {"fx", "fy", "fz"}) {
      config.parameters.set["wrench_offset.foot_" + contact.name + "." + axis].prior = offset;
      offset = -1.3 * offset;
    }
  }
  config.simulation.duration = 0.35;
  config.simulation.rate = 200;
  config.simulation.harmonics = 3;
  config.simulation.base_frequency = 1.0;
  config.simulation.gait = GaitConfig{.type = gait, .body_motion = 0.02};
  return config;
}

/// Priors are drawn around the truth.
test::Identification sensed_identification(const Config& config, bool exact, bool noise_free,
                                           unsigned seed) {
  test::IdentificationOptions options;
  const int nv = read_robot(config.model).nv();
  options.simulation = config.simulation;
  options.noise = test::make_noise(nv, {.effort = exact ? 0.0 : 0.5});
  options.noise.poses = config.measurements.poses;
  options.noise.wrenches = config.measurements.wrenches;
  options.noise.initial_position.head<6>().setConstant(1e-2);
  options.noise.initial_velocity.head<6>().setConstant(1.0);
  options.noise_free = noise_free;
  options.prior_is_drawn = true;
  return test::make_identification(config, options, seed);
}

std::vector<Eigen::Index> offsets_of(const Dynamics& dynamics) {
  std::vector<Eigen::Index> out;
  const std::vector<std::string> names = dynamics.parameters().names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].starts_with("wrench_offset.")) out.push_back(static_cast<Eigen::Index>(i));
  }
  return out;
}

double mass_std(const Dynamics& dynamics, const Solution& solution) {
  const std::vector<std::string> names = dynamics.parameters().names();
  const auto at = std::ranges::find_if(
                      names, [](const std::string& name) { return name.ends_with(".log_mass"); }) -
                  names.begin();
  return std::sqrt(solution.theta_cov(at, at));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_without_noise_gives_the_offsets) {
  for (const bool exact : {true, false}) {
    const test::Identification identification =
        sensed_identification(sensed_anymal("trot"), exact, true, 1);
    const Solution solution = solve(*identification.problem, {});
    BOOST_TEST(solution.converged());
    const Violation violation =
        identification.problem->details(solution.point.theta, 0, solution.point.paths[0]).violation;
    BOOST_TEST(violation.gap < 1e-8);
    BOOST_TEST(violation.dynamics < 1e-7);
    double before = 0, after = 0;
    for (const Eigen::Index i : offsets_of(*identification.dynamics)) {
      const double truth = identification.truth[i];
      before = std::max(before, std::abs(identification.problem->space().prior_mean()[i] - truth));
      after = std::max(after, std::abs(solution.point.theta[i] - truth));
    }
    BOOST_TEST_MESSAGE("offsets are off by " << after << " N, before by " << before << " N; "
                                             << solution.history.size() << " iterations");
    BOOST_TEST(before > 5);
    BOOST_TEST(after < 0.05);  // what the prior pulls
  }
}

BOOST_AUTO_TEST_CASE(force_sensors_determine_offsets_and_mass) {
  for (const std::string gait : {"stand", "trot"}) {
    const test::Identification identification =
        sensed_identification(sensed_anymal(gait), false, false, 2);
    const RobotProblem& problem = *identification.problem;
    const Solution solution = solve(problem, {});
    BOOST_TEST(solution.converged());
    for (const Eigen::Index i : offsets_of(*identification.dynamics)) {
      const double std = std::sqrt(solution.theta_cov(i, i));
      const double error = solution.point.theta[i] - identification.truth[i];
      BOOST_TEST(std::abs(error) < 3.5 * std, "off by " << error << " N, std " << std);
      if (gait == "trot") BOOST_TEST(std < 0.5);
    }
    Noise noise = problem.noise();
    noise.wrenches.clear();
    const RobotProblem without(identification.dynamics, problem.recordings(), noise,
                               problem.integrator(), problem.options());
    const Solution other = solve(without, {});
    BOOST_TEST(other.converged());
    const double with_sensors = mass_std(*identification.dynamics, solution),
                 without_sensors = mass_std(*identification.dynamics, other);
    BOOST_TEST_MESSAGE(gait << ": std of the trunk's log mass " << with_sensors << ", "
                            << without_sensors << " without force sensors");
    BOOST_TEST(with_sensors < 0.9 * without_sensors);
  }
}

BOOST_AUTO_TEST_CASE(error_bars_of_offsets_are_right) {
  constexpr int num_seeds = 10;
  Config config = sensed_anymal("trot");
  config.simulation.duration = 0.2;
  double sum = 0;
  Eigen::Index num_offsets = 0;
  for (unsigned seed = 1; seed <= num_seeds; ++seed) {
    const test::Identification identification = sensed_identification(config, false, false, seed);
    const Solution solution = solve(*identification.problem, {});
    BOOST_TEST(solution.converged());
    const std::vector<Eigen::Index> offsets = offsets_of(*identification.dynamics);
    num_offsets = static_cast<Eigen::Index>(offsets.size());
    MatrixXd cov(num_offsets, num_offsets);
    VectorXd error(num_offsets);
    for (Eigen::Index i = 0; i < num_offsets; ++i) {
      error[i] = solution.point.theta[offsets[i]] - identification.truth[offsets[i]];
      for (Eigen::Index j = 0; j < num_offsets; ++j)
        cov(i, j) = solution.theta_cov(offsets[i], offsets[j]);
    }
    sum += error.dot(cov.inverse() * error);
  }
  // χ² with 120 degrees of freedom, four standard deviations.
  const double expected = num_seeds * static_cast<double>(num_offsets);
  BOOST_TEST_MESSAGE("normalised squared error " << sum << ", expected " << expected);
  BOOST_TEST(std::abs(sum - expected) < 4 * std::sqrt(2 * expected));
}

BOOST_AUTO_TEST_CASE(no_stage_with_force_sensors_allocates) {
  const auto allocations = [](double duration) {
    Config config = sensed_anymal("stand");
    config.simulation.duration = duration;
    const test::Identification identification = sensed_identification(config, false, false, 1);
    const RobotProblem& problem = *identification.problem;
    const auto at = problem.at(problem.space().prior_mean());
    const Point point = problem.start();
    Point moved = point;
    Accumulator accumulator(problem, 1);
    VectorXd parts;
    std::string place;
    const VectorXd dzeta = VectorXd::Zero(problem.dynamics().nzeta());
    long before = 0;
    for (const bool count : {false, true}) {
      if (count) before = test::num_allocations();
      const Condensed condensed = accumulator.accumulate(point, *at);
      accumulator.solve_states(point, *at, dzeta);
      accumulator.move(point, *at, 1.0, moved);
      accumulator.evaluate(moved, *at, parts, place);
    }
    return test::num_allocations() - before;
  };
  BOOST_TEST(std::abs(allocations(0.4) - allocations(0.2)) < 20);
  test::stop_counting();
}

}  // namespace bayesid
