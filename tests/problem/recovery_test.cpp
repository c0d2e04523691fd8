// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solver/solve.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

/// Largest error of the effort a model predicts along a true motion, as a share of each joint's
/// range.
double unseen_effort_error(const Dynamics& dynamics, const VectorXd& theta,
                           const Simulation& unseen) {
  const auto model = dynamics.at(theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(dynamics.nv(), dynamics.nzeta());
  const VectorXd range = unseen.effort.rowwise().maxCoeff() - unseen.effort.rowwise().minCoeff();
  double worst = 0;
  for (Eigen::Index k = 0; k < unseen.effort.cols(); ++k) {
    const VectorXd q = make_configuration(dynamics.robot(), unseen.position.col(k));
    dynamics.balance(*model, q, unseen.velocity.col(k), unseen.acceleration.col(k),
                     unseen.effort.col(k), Order::value, workspace, balance);
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
  // Vanishing weight: information of the prior is 1e-12 of what the data give, and still above
  // their round-off.
  options.prior_std_scale = 1e2;
  const test::Identification identification = test::make_identification(config, options, 1);
  const Solution solution = solve(*identification.problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());

  // The combinations the stages see, each relative to the largest of its kind that the truth has.
  const Dynamics& dynamics = *identification.dynamics;
  const VectorXd truth = dynamics.zeta(identification.truth),
                 found = dynamics.zeta(solution.point.theta);
  BOOST_TEST((truth - found).lpNorm<Eigen::Infinity>() < 1e-6 * truth.lpNorm<Eigen::Infinity>());
  const Simulation unseen = simulate(dynamics, identification.truth, test::silent(options.noise),
                                     config.solver.integrator, motion, 99);
  const double before = unseen_effort_error(dynamics, identification.problem->prior_mean(), unseen);
  const double after = unseen_effort_error(dynamics, solution.point.theta, unseen);
  BOOST_TEST_MESSAGE("largest error of unseen efforts: "
                     << before << " of the range before, " << after << " after; "
                     << solution.history.size() << " iterations");
  BOOST_TEST(before > 0.1);
  BOOST_TEST(after < 1e-6);
}

}  // namespace

BOOST_AUTO_TEST_CASE(noise_free_log_of_two_joints_gives_back_what_can_be_seen) {
  check_recovery(
      test::two_joint_config(),
      {.duration = 4.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0});
}

BOOST_AUTO_TEST_CASE(noise_free_log_of_an_arm_gives_back_what_can_be_seen,
                     *boost::unit_test::label("slow")) {
  Config config = test::panda_config();
  test::fix_slopes(config);
  check_recovery(
      config,
      {.duration = 8.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0});
}

/// One step with held efforts in more and more parts: what is left of the error falls like the
/// part.
BOOST_AUTO_TEST_CASE(simulated_motion_in_finer_steps_comes_nearer_to_the_continuous_one) {
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
                             test::silent(options.noise), config.solver.integrator, motion, 1)
                        .velocity.col(1));
  };
  const VectorXd limit = velocity_after_a_step(1000);
  const double one = (velocity_after_a_step(1) - limit).norm();
  const double two = (velocity_after_a_step(2) - limit).norm();
  const double four = (velocity_after_a_step(4) - limit).norm();
  BOOST_TEST_MESSAGE("error of one, two, four parts: " << one << ", " << two << ", " << four);
  BOOST_TEST(one > 1e-6);
  BOOST_TEST(one / two > 1.6);
  BOOST_TEST(one / two < 2.4);
  BOOST_TEST(two / four > 1.6);
  BOOST_TEST(two / four < 2.4);
}

}  // namespace bayesid
