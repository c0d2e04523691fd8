// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "support/dense_kkt.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;

double largest_difference(const LqSolution& a, const LqSolution& b) {
  double worst = a.theta.size() > 0 ? (a.theta - b.theta).lpNorm<Eigen::Infinity>() : 0.0;
  double scale = 1.0;
  for (size_t t = 0; t < b.x.size(); ++t) {
    for (size_t k = 0; k < b.x[t].size(); ++k) {
      worst = std::max(worst, (a.x[t][k] - b.x[t][k]).lpNorm<Eigen::Infinity>());
      scale = std::max(scale, b.x[t][k].lpNorm<Eigen::Infinity>());
      if (k < b.u[t].size() && b.u[t][k].size() > 0) {
        worst = std::max(worst, (a.u[t][k] - b.u[t][k]).lpNorm<Eigen::Infinity>());
        scale = std::max(scale, b.u[t][k].lpNorm<Eigen::Infinity>());
      }
    }
  }
  return worst / scale;
}

struct Case {
  const char* name;
  test::RandomLq options;
};

const Case cases[] = {
    {"no stage equalities", {}},
    {"stage equalities", {.stage_equalities = 2}},
    {"stage equalities that fix every input", {.stage_equalities = 3}},
    {"rank-deficient h_u: a row repeated", {.stage_equalities = 2, .dependent_equalities = true}},
    {"rank-deficient h_u: a constraint on the state",
     {.stage_equalities = 1, .state_equalities = true}},
    {"several trajectories", {.num_trajectories = 3, .stage_equalities = 1}},
    {"missing observations", {.num_stages = 8, .missing_observations = true}},
    {"parameter equalities", {.stage_equalities = 1, .parameter_equalities = 2}},
    {"parameter inequalities", {.stage_equalities = 1, .parameter_inequalities = 4}},
    {"both", {.num_trajectories = 2, .parameter_equalities = 1, .parameter_inequalities = 4}},
    {"N = 0", {.num_stages = 0}},
    {"N = 1", {.num_stages = 1, .stage_equalities = 1}},
    {"no parameters", {.nzeta = 0, .ntheta = 0, .stage_equalities = 1}},
    {"no parameters, N = 0", {.nzeta = 0, .ntheta = 0, .num_stages = 0}},
};

}  // namespace

BOOST_AUTO_TEST_CASE(general_recursion_equals_dense_kkt) {
  for (const Case& test_case : cases) {
    int active = 0;
    for (int seed = 0; seed < 10; ++seed) {
      BOOST_TEST_CONTEXT(test_case.name << ", seed " << seed) {
        const LqProblem problem = test::random_lq_problem(test_case.options, seed);
        const LqSolution dense = test::solve_dense(problem), ours = solve_general(problem);
        BOOST_REQUIRE_EQUAL(ours.solved, dense.solved);
        if (!dense.solved) continue;  // no point satisfies the random constraints
        BOOST_TEST(largest_difference(ours, dense) < 1e-9);
        const Eigen::VectorXd slack = problem.constraints.G * dense.theta + problem.constraints.g;
        active += static_cast<int>((slack.array().abs() < 1e-9).count());
      }
    }
    if (test_case.options.parameter_inequalities > 0) BOOST_TEST(active > 5);
  }
}

BOOST_AUTO_TEST_CASE(another_log_lowers_every_variance_and_logs_in_sequence_are_a_batch) {
  for (int seed = 1; seed <= 10; ++seed) {
    const LqProblem all = test::random_lq_problem({.num_trajectories = 3}, seed);
    LqProblem batch = all, sequence = all;
    MatrixXd cov_before;
    for (size_t n = 1; n <= all.trajectories.size(); ++n) {
      batch.trajectories.assign(all.trajectories.begin(),
                                all.trajectories.begin() + static_cast<std::ptrdiff_t>(n));
      sequence.trajectories = {all.trajectories[n - 1]};
      const LqSolution together = solve_general(batch), last = solve_general(sequence);
      BOOST_REQUIRE(together.solved);
      BOOST_REQUIRE(last.solved);
      // What is left of the uncertainty is no more than before, in any direction.
      if (n > 1) {
        const Eigen::SelfAdjointEigenSolver<MatrixXd> gain(cov_before - together.theta_cov);
        BOOST_TEST(gain.eigenvalues()[0] > -1e-12 * cov_before.norm());
        BOOST_TEST((cov_before - together.theta_cov).diagonal().minCoeff() > 0);
      }
      cov_before = together.theta_cov;
      const double scale = 1 + together.theta.norm();
      BOOST_TEST((last.theta - together.theta).norm() < 1e-8 * scale);
      BOOST_TEST((last.theta_cov - together.theta_cov).norm() < 1e-8 * together.theta_cov.norm());
      // The solution and its covariance are the prior of the next log.
      sequence.prior_hessian = last.theta_cov.inverse();
      sequence.prior_gradient = -(sequence.prior_hessian * last.theta);
    }
  }
}

}  // namespace bayesid
