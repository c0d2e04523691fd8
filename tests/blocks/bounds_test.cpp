// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bayesid/parameters.hpp"
#include "scene.hpp"
#include "support/input_error.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Inequalities that come from bounds.
std::vector<ParameterConstraintAt> bounds_of(const ParameterSet& set, const VectorXd& theta) {
  std::vector<ParameterConstraintAt> out = set.constraints().inequalities(theta);
  std::erase_if(out, [](const ParameterConstraintAt& g) { return g.name.ends_with("stribeck2"); });
  return out;
}

Config with_bound(const std::string& name, double lower, double upper) {
  Config config = test::everything();
  config.constraints.bounds[name] = {lower, upper};
  return config;
}

std::string message_of(const Config& config) {
  return test::input_error([&] { const ParameterSet set(test::double_pendulum(), config); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(inequalities_agree_with_central_differences) {
  Config config = with_bound("friction.joint1.viscous", 0.01, 5);
  config.constraints.bounds["inertia.link1.hx"] = {-1, 1};
  config.parameters.set["friction.joint2.mu1"].fixed = true;
  const ParameterSet set(test::double_pendulum(), config);
  const VectorXd theta = set.prior() + 0.3 * VectorXd::LinSpaced(set.ntheta(), -1, 1);
  const std::vector<ParameterConstraintAt> at = set.constraints().inequalities(theta);
  BOOST_TEST(at.size() == 3 + 4);
  const auto values = [&](const VectorXd& x) {
    VectorXd out(at.size());
    const std::vector<ParameterConstraintAt> moved = set.constraints().inequalities(x);
    for (std::size_t i = 0; i < moved.size(); ++i) out[i] = moved[i].value;
    return out;
  };
  MatrixXd analytic(at.size(), set.ntheta());
  for (std::size_t i = 0; i < at.size(); ++i) analytic.row(i) = at[i].dvalue_dtheta;
  const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(values, theta));
  BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
}

BOOST_AUTO_TEST_CASE(stribeck_slopes_are_ordered_unless_both_are_fixed) {
  Config config = test::everything();
  const ParameterSet free(test::double_pendulum(), config);
  const std::vector<ParameterConstraintAt> at = free.constraints().inequalities(free.prior());
  BOOST_REQUIRE(at.size() == 3);
  BOOST_TEST(at[0].name == "friction.joint1.stribeck1 >= stribeck2");
  BOOST_TEST(at[0].value == 8, boost::test_tools::tolerance(1e-12));
  config.parameters.set["friction.joint1.mu1"].fixed = true;
  config.parameters.set["friction.joint1.mu2"].fixed = true;
  const ParameterSet fixed(test::double_pendulum(), config);
  BOOST_TEST(fixed.constraints().inequalities(fixed.prior()).size() == 2);
}

BOOST_AUTO_TEST_CASE(bounds_of_physical_values_are_linear_in_the_logarithm) {
  for (const char* name : {"friction.joint1.viscous", "mass.link1", "armature.joint1"}) {
    const ParameterSet set(test::double_pendulum(), with_bound(name, 1e-5, 50));
    const std::vector<ParameterConstraintAt> at = bounds_of(set, set.prior());
    BOOST_REQUIRE(at.size() == 2);
    BOOST_TEST(at[0].dvalue_dtheta.sum() == 1);
    BOOST_TEST(at[1].dvalue_dtheta.sum() == -1);
    BOOST_TEST(at[0].value + at[1].value == std::log(50 / 1e-5),
               boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(a_lower_bound_of_zero_on_a_positive_value_is_void) {
  const ParameterSet set(test::double_pendulum(), with_bound("friction.joint1.viscous", 0, 5));
  BOOST_TEST(bounds_of(set, set.prior()).size() == 1);
}

BOOST_AUTO_TEST_CASE(a_prior_outside_its_bound_stays_with_a_warning) {
  const double viscous = 0.1;  // the default prior
  for (const double upper : {1.0, viscous, 0.05}) {
    const Config config = with_bound("friction.joint1.viscous", 0.01, upper);
    const ParameterSet set(test::double_pendulum(), config);
    BOOST_TEST(set.prior() == ParameterSet(test::double_pendulum(), test::everything()).prior());
    const std::vector<ParameterConstraintAt> at = bounds_of(set, set.prior());
    BOOST_TEST(at[1].value == std::log(upper / viscous), boost::test_tools::tolerance(1e-12));
    if (upper >= viscous) {
      BOOST_TEST(set.warnings().empty());
      continue;
    }
    BOOST_REQUIRE(set.warnings().size() == 1);
    BOOST_TEST(set.warnings()[0] ==
               "friction.joint1.mu5: the prior -2.30259 is outside of the bounds of "
               "friction.joint1.viscous; the prior is kept, the search starts at the bound");
  }
}

BOOST_AUTO_TEST_CASE(bounds_on_fixed_parameters_give_no_inequality) {
  Config config = with_bound("friction.joint1.viscous", 0.01, 1);
  config.parameters.set["friction.joint1.mu5"].fixed = true;
  const ParameterSet set(test::double_pendulum(), config);
  BOOST_TEST(bounds_of(set, set.prior()).empty());
  config.constraints.bounds["friction.joint1.viscous"] = {1, 2};
  BOOST_TEST(message_of(config).find("all parameters in it are fixed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(impossible_bounds_are_errors) {
  const auto has = [](const Config& config, const std::string& part) {
    const std::string message = message_of(config);
    BOOST_TEST(message.find(part) != std::string::npos, message);
  };
  has(with_bound("friction.joint1.viscos", 0, 1), "did you mean \"friction.joint1.viscous\"?");
  has(with_bound("com.link1.w", 0, 1), "did you mean \"com.link1.");
  has(with_bound("mass.link1", -2, -1), "the value is positive");
  has(with_bound("mass.link1", 2, 1), "lower < upper");
}

BOOST_AUTO_TEST_CASE(a_prior_whose_friction_drives_the_joint_is_warned_about) {
  Config config = test::everything();
  config.parameters.set["friction.joint2.mu2"].prior = 30;
  const ParameterSet set(test::double_pendulum(), config);
  BOOST_REQUIRE(set.warnings().size() == 1);
  BOOST_TEST(set.warnings()[0].starts_with("friction.joint2: the prior has stribeck1 10 below"));
}
