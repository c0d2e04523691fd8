// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cstdlib>

#include "solver/accumulator.hpp"
#include "support/count_allocations.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"
#include "support/standing.hpp"

namespace bayesid {
namespace {

/// Calls of malloc in one linearisation, state step, move and evaluation, after a first round.
long allocations(const RobotProblem& problem) {
  Point point = problem.start(), moved = point;
  for (Path& path : point.paths) path.gamma.setConstant(0.1);  // as after a first step
  const auto at = problem.at(point.theta);
  Accumulator accumulator(problem, 2);
  const Eigen::VectorXd dzeta = Eigen::VectorXd::Constant(problem.dynamics().nzeta(), 1e-6);
  Eigen::VectorXd parts;
  std::string place;
  long before = 0;
  for (int round = 0; round < 2; ++round) {
    before = test::num_allocations();
    const Condensed condensed = accumulator.accumulate(point, *at);
    accumulator.solve_states(point, *at, dzeta);
    accumulator.move(point, *at, 1.0, moved);
    accumulator.evaluate(moved, *at, parts, place);
  }
  return test::num_allocations() - before;
}

long arm_allocations(double duration) {
  test::IdentificationOptions options = test::arm_options();
  options.simulation.duration = duration;
  return allocations(*test::make_identification(test::panda_config(), options, 1).problem);
}

long flight_allocations(const test::Scene& scene, double duration, int window) {
  test::IdentificationOptions options;
  options.simulation = {.duration = duration, .rate = 100.0};
  options.noise = test::make_noise(scene.dynamics->nv(), {});
  options.noise.thrust = Eigen::VectorXd::Constant(scene.dynamics->num_rotors(), 0.1);
  options.noise.energy = 0.1;
  options.noise.energy_window = window;
  options.prior_error = 0.1;
  return allocations(*test::make_identification(scene.config, options, 1).problem);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_stage_allocates) {
  const long before = test::num_allocations();
  const Eigen::VectorXd probe(100);
  BOOST_TEST(test::num_allocations() == before + 1);  // the counter sees Eigen
  // What is allocated once for each iteration is the same for a short and a long log.
  const long few = arm_allocations(0.5), many = arm_allocations(4.0);
  BOOST_TEST_MESSAGE(few << " allocations for each iteration");
  BOOST_TEST(many == few);
}

BOOST_AUTO_TEST_CASE(no_stage_with_rotors_and_energy_allocates) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      for (const int window : {1, 4}) {
        const long few = flight_allocations(scene, 0.5, window),
                   many = flight_allocations(scene, 1.0, window);
        BOOST_TEST(std::abs(many - few) < 20);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_stage_of_a_standing_robot_allocates) {
  for (const test::Scene& scene : test::standing_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const long few = allocations(test::standing_problem(scene, 50, false, 1));
      const long many = allocations(test::standing_problem(scene, 100, false, 1));
      // Eliminating the first state takes some, a few more or less with its numbers; 50 stages
      // more take none.
      BOOST_TEST(std::abs(many - few) < 20);
    }
  }
}

}  // namespace bayesid
