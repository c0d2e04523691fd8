// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
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
  // Along no direction is it less.
  const MatrixXd whitened = solution.theta_cov.llt().matrixL().solve(
      solution.theta_cov.llt().matrixL().solve(robust).transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(whitened);
  BOOST_TEST(eigen.eigenvalues().minCoeff() > 1 - 1e-6);
  BOOST_TEST(eigen.eigenvalues().maxCoeff() > 3);
}

BOOST_AUTO_TEST_CASE(error_bars_of_another_covariance_keep_the_white_ones) {
  const test::SimulatedProblem& made = test::simulated_problem(2);
  const ParameterSet& parameters = made.problem->dynamics().parameters();
  const Posterior before = make_posterior(parameters, made.solution);
  Posterior after = before;
  set_error_bars(parameters, made.solution.point.theta, 4 * made.solution.theta_cov, after);
  BOOST_TEST((after.theta_cov - 4 * before.theta_cov).norm() == 0);
  for (std::size_t i = 0; i < before.physical.size(); ++i) {
    BOOST_TEST(after.physical[i].std_white == before.physical[i].std);
    BOOST_TEST(after.physical[i].value == before.physical[i].value);
    BOOST_TEST(after.physical[i].std == 2 * before.physical[i].std,
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(after.physical[i].determined <= before.physical[i].determined);
  }
  for (std::size_t i = 0; i < before.parameters.size(); ++i)
    BOOST_TEST(after.parameters[i].std_white == before.parameters[i].std);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace bayesid
