// SPDX-License-Identifier: BSD-3-Clause
// Robots of example-robot-data that stand, walk or fly: whole identifications.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/posterior.hpp"
#include "bayesid/solve.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The solution, which converged to a motion that obeys forces and constraints. Feet creep with the
/// integrator, as those of the simulation do: contacts hold velocities.
Solution solved(const test::Identification& identification, double largest_creep) {
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const Violation violation =
      identification.problem->details(solution.point.theta, 0, solution.point.paths[0]).violation;
  BOOST_TEST_MESSAGE(solution.history.size()
                     << " iterations; gap " << violation.gap << ", forces " << violation.dynamics
                     << ", constraints " << violation.constraint << ", feet "
                     << violation.position);
  BOOST_TEST(violation.gap < 1e-8);
  BOOST_TEST(violation.dynamics < 1e-8);
  BOOST_TEST(violation.constraint < 1e-8);
  BOOST_TEST(violation.position < largest_creep);
  return solution;
}

/// Largest root mean square error of the efforts predicted for a log, as a share of their range.
double effort_error_share(const RobotProblem& problem, const VectorXd& theta,
                          const Recording& log) {
  const Robot& robot = problem.dynamics().robot();
  const Timeline timeline = make_timeline(log, problem.options().constraints);
  const MotionGuess motion = smooth_motion(robot, log, problem.noise(), timeline);
  const MatrixXd predicted = predict_effort(problem.dynamics(), theta, motion, log, timeline);
  const EffortError error = effort_error(robot, {log}, {predicted});
  return error.rmse.cwiseQuotient(error.range).maxCoeff();
}

/// Centre of mass of a robot of one body, m, and its inertia in units of ixx + iyy + izz.
VectorXd shape(const Dynamics& dynamics, const VectorXd& theta) {
  const std::vector<PhysicalValue> values = dynamics.parameters().values(theta);
  VectorXd out(9);
  for (int i = 0; i < 9; ++i) out[i] = values[i + 1].value;  // behind the mass
  out.tail(6) /= out[3] + out[6] + out[8];
  return out;
}

/// Priors are 70 % off; efforts of another log are then predicted from positions and velocities.
void check_standing(const Config& stance) {
  Config config = test::with_gait(stance, "stand");
  config.simulation.base_frequency = 1.0;
  const test::Identification identification = test::make_identification(config, 0.7);
  const RobotProblem& problem = *identification.problem;
  const Solution solution = solved(identification, 1e-3);
  const Recording held_out =
      simulate(*identification.dynamics, identification.truth, test::silent(problem.noise()),
               config.solver.integrator, config.simulation, 99, problem.options().constraints)
          .measured;
  const double before = effort_error_share(problem, problem.space().prior_mean(), held_out);
  const double after = effort_error_share(problem, solution.point.theta, held_out);
  BOOST_TEST_MESSAGE("error of held-out efforts: "
                     << before << " of the range before, " << after << " after, "
                     << effort_error_share(problem, identification.truth, held_out)
                     << " at the truth");
  BOOST_TEST(after < 0.03);
  BOOST_TEST(before > 3 * after);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_standing_b1_is_identified, *boost::unit_test::label("slow")) {
  check_standing(test::standing_b1());
}

BOOST_AUTO_TEST_CASE(a_standing_b1_with_its_arm_is_identified, *boost::unit_test::label("slow")) {
  check_standing(test::standing_b1_z1());
}

BOOST_AUTO_TEST_CASE(a_standing_talos_is_identified, *boost::unit_test::label("slow")) {
  check_standing(test::standing_talos());
}

/// Free flight determines the distribution of the mass, but not its amount: inertias
/// are compared as shares of their sum.
BOOST_AUTO_TEST_CASE(a_tumbling_quadrotor_is_identified) {
  Config config = test::hector_config();
  config.measurements.poses["base_link"] = {.position = 1e-3, .orientation = 1e-3};
  config.simulation.duration = 1.5;
  config.simulation.rate = 200;
  config.simulation.base_frequency = 0.5;
  config.simulation.gait = GaitConfig{.body_motion = 1.0};  // starts at several rad/s
  const test::Identification identification = test::make_identification(config, 0.7);
  const Solution solution = solved(identification, 1e-12);
  const VectorXd truth = shape(*identification.dynamics, identification.truth);
  const VectorXd before =
      shape(*identification.dynamics, identification.problem->space().prior_mean());
  const VectorXd after = shape(*identification.dynamics, solution.point.theta);
  BOOST_TEST_MESSAGE("truth " << truth.transpose() << "\nprior " << before.transpose() << "\nfound "
                              << after.transpose());
  BOOST_TEST((after - truth).head(3).norm() < 1e-3);  // m
  BOOST_TEST((after - truth).tail(6).norm() < 0.01);
  BOOST_TEST((before - truth).head(3).norm() > 1e-2);
  BOOST_TEST((before - truth).tail(6).norm() > 0.1);
}

BOOST_AUTO_TEST_CASE(a_trotting_quadruped_is_identified, *boost::unit_test::label("slow")) {
  Config config = test::with_gait(test::standing_anymal(), "trot");
  config.simulation.duration = 2.4;
  const test::Identification identification = test::make_identification(config, 0.7);
  const Solution solution = solved(identification, 1e-4);
  // Friction: the truth lies within a few standard deviations. The log ends at a touchdown.
  const std::vector<std::string> names = identification.dynamics->parameters().names();
  int determined = 0, right = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].ends_with(".mu3")) continue;
    const auto j = static_cast<Eigen::Index>(i);
    const double std = std::sqrt(solution.theta_cov(j, j));
    const double error = (solution.point.theta[j] - identification.truth[j]) / std;
    BOOST_TEST_MESSAGE(names[i] << " " << error << " standard deviations of " << std);
    if (std < 0.1) ++determined;
    if (std::abs(error) < 3) ++right;
  }
  BOOST_TEST(determined == 12);
  BOOST_TEST(right == 12);
}

}  // namespace bayesid
