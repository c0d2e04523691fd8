// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/posterior.hpp"
#include "bayesid/solve.hpp"
#include "support/identification.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Mean over the parameters of the ratio of two variances.
double mean_ratio(const MatrixXd& a, const MatrixXd& b) {
  return (a.diagonal().array() / b.diagonal().array()).mean();
}

BOOST_AUTO_TEST_SUITE(robust_covariance_suite)

BOOST_AUTO_TEST_CASE(scores_and_the_gradient_of_the_prior_sum_up_to_nothing) {
  const test::SimulatedProblem& made = test::simulated_problem(2);
  BOOST_TEST_REQUIRE(made.solution.converged());
  const std::vector<PathStatistics> statistics = path_statistics(*made.problem, made.solution, 1);
  const VectorXd& theta = made.solution.point.theta;
  VectorXd sum = VectorXd::Zero(statistics[0].scores.rows());
  for (const PathStatistics& one : statistics) sum += one.scores.rowwise().sum();
  const VectorXd prior = made.problem->space().prior(theta).gradient;
  const VectorXd all = made.problem->space().dzeta_dtheta(theta).transpose() * sum + prior;
  // In posterior standard deviations.
  const VectorXd length = made.solution.theta_cov.diagonal().cwiseSqrt().cwiseProduct(all);
  BOOST_TEST(length.cwiseAbs().maxCoeff() < 1e-4);
  BOOST_TEST(made.solution.theta_cov.diagonal().cwiseSqrt().cwiseProduct(prior).norm() > 1e-2);
}

BOOST_AUTO_TEST_CASE(white_noise_as_stated_leaves_error_bars_as_they_are) {
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 20;
  double sum = 0;
  constexpr int count = 5;
  for (unsigned seed = 1; seed <= count; ++seed) {
    const test::Identification made =
        test::make_identification(test::two_joint_config(), options, seed);
    const Solution solution = solve(*made.problem, {});
    BOOST_TEST_REQUIRE(solution.converged());
    const MatrixXd robust =
        robust_covariance(*made.problem, solution, path_statistics(*made.problem, solution, 1));
    sum += mean_ratio(robust, solution.theta_cov);
  }
  BOOST_TEST_CONTEXT(sum / count)
  BOOST_TEST(std::abs(sum / count - 1) < 0.3);
}

BOOST_AUTO_TEST_CASE(errors_of_efforts_that_last_widen_them) {
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 20;
  const test::Identification made = test::make_identification(test::two_joint_config(), options, 2);
  Recording recording = made.problem->recordings()[0];
  for (int j = 0; j < 2; ++j) {
    const double size = 3 * made.problem->noise().effort[j];
    recording.effort.row(j) += (size * (9.0 * recording.position.row(j).array()).sin()).matrix();
  }
  const RobotProblem problem(made.dynamics, {recording}, made.problem->noise(),
                             made.problem->integrator());
  const Solution solution = solve(problem, {});
  BOOST_TEST_REQUIRE(solution.converged());
  const MatrixXd robust =
      robust_covariance(problem, solution, path_statistics(problem, solution, 1));
  BOOST_TEST(mean_ratio(robust, solution.theta_cov) > 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace bayesid
