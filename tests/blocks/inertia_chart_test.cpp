// SPDX-License-Identifier: BSD-3-Clause
// What every parametrisation of an inertia has to keep.
#define BOOST_TEST_DYN_LINK
#include "blocks/inertia_chart.hpp"

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>
#include <random>

#include "bayesid/error.hpp"
#include "bayesid/parameters.hpp"
#include "blocks/link_features.hpp"
#include "scene.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using namespace bayesid::blocks;
using Eigen::VectorXd;

namespace {

/// Every chart of the table, at points that are not special.
template <class Check>
void for_each_chart(const Check& check) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const NamedChart& one : inertia_charts()) {
    for (const double scale : {0.1, 0.5, 2.0}) {
      const InertiaCoordinates theta =
          scale * InertiaCoordinates::NullaryExpr([&] { return normal(random); });
      const InertialParameters s = InertialParameters::NullaryExpr([&] { return normal(random); });
      BOOST_TEST_CONTEXT(one.name << " " << scale) check(one.chart(), theta, s);
    }
  }
}

/// Std of mass, centre and inertia about it, to first order, of the prior of a link.
VectorXd feature_std(const std::string& chart, const Config& given) {
  Config config = given;
  config.parameters.inertia->parametrisation = chart;
  const ParameterSet set(test::double_pendulum(), config);
  const std::vector<PhysicalValue> values = set.values(set.prior());
  VectorXd out(10);
  for (int i = 0; i < 10; ++i)
    out[i] = values[i].dvalue_dtheta.cwiseProduct(set.prior_std().transpose()).norm();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(jacobian_of_every_chart_agrees_with_central_differences) {
  for_each_chart([](const InertiaChart& chart, const InertiaCoordinates& theta, const auto&) {
    const auto value = [&](const VectorXd& x) -> VectorXd { return chart.inertia(x); };
    const DerivativeCheck check =
        check_derivatives(chart.jacobian(theta), precise_jacobian(value, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  });
}

BOOST_AUTO_TEST_CASE(curvature_of_every_chart_agrees_with_central_differences) {
  for_each_chart([](const InertiaChart& chart, const InertiaCoordinates& theta,
                    const InertialParameters& s) {
    const auto gradient = [&](const VectorXd& x) -> VectorXd {
      return chart.jacobian(x).transpose() * s;
    };
    const Matrix10 curvature = chart.curvature(theta, s);
    const DerivativeCheck check = check_derivatives(curvature, precise_jacobian(gradient, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    BOOST_TEST((curvature - curvature.transpose()).norm() <= 1e-12 * curvature.norm());
  });
}

BOOST_AUTO_TEST_CASE(every_coordinate_is_a_body_that_can_be_and_comes_back) {
  for_each_chart([](const InertiaChart& chart, const InertiaCoordinates& theta, const auto&) {
    const InertialParameters pi = chart.inertia(theta);
    const Eigen::Matrix4d P = pseudo_inertia(pi);
    BOOST_TEST(Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(P).eigenvalues()[0] > 0);
    const auto again = chart.inverse(pi);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST((chart.inertia(*again) - pi).norm() < 1e-9 * pi.norm());
    const double rate = chart.coordinates()[0].rate;
    BOOST_TEST(pi[0] == std::exp(rate * theta[0]), boost::test_tools::tolerance(1e-12));
  });
}

BOOST_AUTO_TEST_CASE(impossible_inertias_have_no_coordinates) {
  InertialParameters flat;  // D_z = D_x + D_y: no thickness
  flat << 1, 0, 0, 0, 1, 0, 1, 0, 0, 2;
  InertialParameters thin = flat;
  thin[9] = 3;
  InertialParameters severity = test::make_link("a", 1, 1).pi;
  severity[0] = -1;
  InertialParameters unknown = test::make_link("a", 1, 1).pi;
  unknown[5] = std::numeric_limits<double>::quiet_NaN();
  for (const NamedChart& one : inertia_charts()) {
    for (const InertialParameters& pi : {flat, thin, severity, unknown})
      BOOST_TEST(!one.chart().inverse(pi), one.name);
  }
}

BOOST_AUTO_TEST_CASE(the_centre_of_mass_moves_without_the_inertia_about_it) {
  for_each_chart([](const InertiaChart& chart, const InertiaCoordinates& theta, const auto&) {
    InertiaCoordinates moved = theta;
    moved.segment<3>(chart.first_of_center()).array() += 0.4;
    const LinkFeatures before = link_features(chart, theta), after = link_features(chart, moved);
    BOOST_TEST(before[0] == after[0]);
    BOOST_TEST((before.tail<6>() - after.tail<6>()).norm() == 0);
    BOOST_TEST((before - after).segment<3>(com_feature).norm() > 1e-6);
    // About the centre of mass, from π alone.
    const InertialParameters pi = after.head<10>();
    const Vector6 central =
        pi.tail<6>() - vech(parallel_axis(pi.segment<3>(1), pi.segment<3>(1)) / pi[0]);
    BOOST_TEST((central - after.tail<6>()).norm() < 1e-9 * (1 + pi.norm()));
  });
}

BOOST_AUTO_TEST_CASE(priors_of_all_charts_agree_in_mass_and_centre) {
  Config config = test::everything();
  config.parameters.inertia->log_mass = 0.1;
  const VectorXd ee = feature_std("ee", config), lc = feature_std("log_cholesky", config);
  for (int i = 0; i < 4; ++i) BOOST_TEST(lc[i] == ee[i], boost::test_tools::tolerance(1e-9));
  // Of the inertia, correlations and what turns of axes do to second order make the difference.
  for (int i = 4; i < 10; ++i) {
    BOOST_TEST(lc[i] < 2 * ee[i], i);
    BOOST_TEST(lc[i] > 0.5 * ee[i], i);
  }
}

BOOST_AUTO_TEST_CASE(geometric_priors_do_not_depend_on_the_chart) {
  Config config = test::everything();
  config.parameters.inertia->is_geometric = true;
  const Robot robot = test::double_pendulum();
  const ParameterSet ee(robot, config);
  config.parameters.inertia->parametrisation = "log_cholesky";
  const ParameterSet lc(robot, config);
  VectorXd at_ee = ee.prior(), at_lc = lc.prior();
  const InertialParameters pi = test::make_link("other", 1, 4).pi;
  at_ee.head<10>() = *inertia_ee().inverse(pi);
  at_lc.head<10>() = *inertia_log_cholesky().inverse(pi);
  BOOST_TEST(ee.prior_at(at_ee).cost > 0.01);
  // All but a millionth of the coordinates' own prior.
  BOOST_TEST(lc.prior_at(at_lc).cost == ee.prior_at(at_ee).cost,
             boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(names_follow_the_chart_and_values_do_not) {
  Config config = test::everything();
  config.parameters.inertia->parametrisation = "log_cholesky";
  const Robot robot = test::double_pendulum();
  const ParameterSet set(robot, config);
  BOOST_TEST(set.names()[0] == "inertia.link1.alpha");
  BOOST_TEST(set.names()[4] == "inertia.link1.s12");
  BOOST_TEST(set.names()[19] == "inertia.link2.t3");
  const ParameterSet ee(robot, test::everything());
  const std::vector<PhysicalValue> here = set.values(set.prior()), there = ee.values(ee.prior());
  BOOST_REQUIRE(here.size() == there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    BOOST_TEST(here[i].name == there[i].name);
    BOOST_TEST(std::abs(here[i].value - there[i].value) < 1e-9);
  }
  config.parameters.inertia->parametrisation = "log_choleski";
  const auto says = [](const InputError& error) {
    return std::string(error.what()).find("did you mean \"log_cholesky\"?") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(ParameterSet(robot, config), InputError, says);
}

BOOST_AUTO_TEST_CASE(a_bound_on_the_mass_is_linear_in_every_chart) {
  for (const NamedChart& one : inertia_charts()) {
    Config config = test::everything();
    config.parameters.inertia->parametrisation = one.name;
    config.constraints.bounds["mass.link1"] = {1e-5, 50};
    const ParameterSet set(test::double_pendulum(), config);
    VectorXd theta = set.prior();
    const double rate = one.chart().coordinates()[0].rate;
    theta[0] = std::log(50) / rate;
    BOOST_TEST(std::abs(set.constraints().inequalities(theta).back().value) < 1e-12);
  }
}
