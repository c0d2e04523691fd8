// SPDX-License-Identifier: BSD-3-Clause
// The same log in every parametrisation of inertia.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solve.hpp"
#include "support/identification.hpp"

using namespace bayesid;
using Eigen::VectorXd;

namespace {

/// What is found of a physical value.
struct Found {
  std::string name;
  double truth, value, std;
  bool from_data;  // the prior makes less than 5 % of the variance
};

/// The double pendulum from bodies that are 30 % wrong, with the prior weakened.
std::vector<Found> identified(const std::string& parametrisation, bool is_geometric,
                              double weakened) {
  Config config = test::two_joint_config();
  config.parameters.inertia->parametrisation = parametrisation;
  config.parameters.inertia->is_geometric = is_geometric;
  test::IdentificationOptions options = test::two_joint_options();
  options.prior_is_drawn = false;
  options.prior_error = 0.3;
  options.prior_std_scale = weakened;
  const test::Identification one = test::make_identification(config, options, 3);
  const Solution solution = solve(*one.problem, {});
  BOOST_TEST(solution.converged(), parametrisation);

  const ParameterSet& parameters = one.dynamics->parameters();
  const VectorXd precision = parameters.prior_std().cwiseAbs2().cwiseInverse();
  const std::vector<PhysicalValue> truth = parameters.values(one.truth);
  const std::vector<PhysicalValue> values = parameters.values(solution.point.theta);
  std::vector<Found> out;
  for (size_t i = 0; i < values.size(); ++i) {
    // Σ = Σ D Σ + Σ P Σ: what noise and what the prior contribute.
    const VectorXd spread = solution.theta_cov * values[i].dvalue_dtheta.transpose();
    const double variance = values[i].dvalue_dtheta.dot(spread);
    out.push_back({values[i].name, truth[i].value, values[i].value, std::sqrt(variance),
                   spread.cwiseAbs2().dot(precision) < 0.05 * variance});
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_geometric_prior_has_the_same_posterior_in_every_chart) {
  const auto ee = identified("ee", true, 1), lc = identified("log_cholesky", true, 1);
  BOOST_REQUIRE(ee.size() == lc.size());
  for (size_t i = 0; i < ee.size(); ++i) {
    const Found &a = ee[i], &b = lc[i];
    BOOST_TEST(a.name == b.name);
    BOOST_TEST(std::abs(a.value - b.value) < 1e-2 * a.std + 1e-9,
               a.name << ": " << a.value << " and " << b.value << ", std " << a.std);
  }
}

BOOST_AUTO_TEST_CASE(where_the_data_dominate_every_chart_has_the_same_posterior) {
  const auto ee = identified("ee", false, 3), lc = identified("log_cholesky", false, 3);
  int compared = 0;
  for (size_t i = 0; i < ee.size(); ++i) {
    const Found &a = ee[i], &b = lc[i];
    if (!a.from_data || !b.from_data) continue;
    BOOST_TEST(std::abs(a.value - b.value) < 0.1 * a.std,
               a.name << ": " << a.value << " and " << b.value << ", std " << a.std);
    BOOST_TEST(b.std == a.std, boost::test_tools::tolerance(0.05));
    for (const Found& one : {a, b})
      BOOST_TEST(std::abs(one.value - one.truth) < 4 * one.std, one.name);
    ++compared;
  }
  BOOST_TEST(compared >= 4);
}
