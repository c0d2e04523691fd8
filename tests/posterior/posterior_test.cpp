// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/posterior.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support/simulated_problem.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

BOOST_AUTO_TEST_CASE(make_posterior_holds_the_truth_within_its_error_bars) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const ParameterSet& parameters = scene.dynamics->parameters();
  BOOST_TEST(scene.solution.converged());
  const Posterior posterior = make_posterior(parameters, scene.solution);
  BOOST_TEST(posterior.parameters.size() == parameters.all().size());
  BOOST_TEST(posterior.names == parameters.names());
  const VectorXd truth = parameters.all_values(scene.theta_true);
  for (size_t i = 0; i < posterior.parameters.size(); ++i) {
    const Estimate& estimate = posterior.parameters[i];
    BOOST_TEST_CONTEXT(estimate.name) {
      BOOST_TEST(std::abs(estimate.value - truth[static_cast<Eigen::Index>(i)]) <=
                 5 * estimate.std);
      BOOST_TEST(estimate.determined >= 0);
      BOOST_TEST(estimate.determined <= 1);
      BOOST_TEST(estimate.std <= estimate.prior_std * (1 + 1e-9));
    }
  }
  // The data determine some parameters and not all.
  BOOST_TEST(posterior.rank > 2);
  BOOST_TEST(posterior.rank < parameters.ntheta());
}

BOOST_AUTO_TEST_CASE(make_posterior_gives_fixed_parameters_no_error_bar) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const Posterior posterior = make_posterior(scene.dynamics->parameters(), scene.solution);
  int fixed = 0;
  for (const Estimate& estimate : posterior.parameters) {
    if (estimate.name != "inertia.hand.hx") continue;
    ++fixed;
    BOOST_TEST(estimate.value == estimate.prior);
    BOOST_TEST(estimate.prior_std == 0);
    BOOST_TEST(estimate.std == 0);
    BOOST_TEST(estimate.determined == 0);
  }
  BOOST_TEST(fixed == 1);
}

BOOST_AUTO_TEST_CASE(make_posterior_propagates_error_bars_to_physical_values) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const ParameterSet& parameters = scene.dynamics->parameters();
  const Posterior posterior = make_posterior(parameters, scene.solution);
  const VectorXd& theta = scene.solution.point.theta;
  const size_t num_values = posterior.physical.size();
  MatrixXd jacobian(static_cast<Eigen::Index>(num_values), theta.size());
  constexpr double h = 1e-6;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    VectorXd high = theta, low = theta;
    high[i] += h;
    low[i] -= h;
    const std::vector<PhysicalValue> above = parameters.values(high),
                                     below = parameters.values(low);
    for (size_t r = 0; r < num_values; ++r) {
      jacobian(static_cast<Eigen::Index>(r), i) = (above[r].value - below[r].value) / (2 * h);
    }
  }
  for (size_t r = 0; r < num_values; ++r) {
    const Estimate& estimate = posterior.physical[r];
    BOOST_TEST_CONTEXT(estimate.name) {
      const RowVectorXd row = jacobian.row(static_cast<Eigen::Index>(r));
      const double expected = std::sqrt(row.dot(row * scene.solution.theta_cov));
      BOOST_TEST(std::abs(estimate.std - expected) <= 1e-5 * (expected + 1e-9));
      BOOST_TEST(estimate.determined >= 0);
      BOOST_TEST(estimate.determined <= 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(make_posterior_without_a_covariance_repeats_the_prior) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  const ParameterSet& parameters = scene.dynamics->parameters();
  Solution nothing;
  nothing.point.theta = parameters.prior();
  const Posterior posterior = make_posterior(parameters, nothing);
  BOOST_TEST(posterior.rank == 0);
  for (const Estimate& estimate : posterior.parameters) {
    BOOST_TEST(std::abs(estimate.std - estimate.prior_std) <= 1e-12 * estimate.prior_std);
    BOOST_TEST(estimate.determined == 0, boost::test_tools::tolerance(1e-12));
  }
}

}  // namespace bayesid
