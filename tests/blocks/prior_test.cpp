// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <random>

#include "bayesid/error.hpp"
#include "bayesid/parameters.hpp"
#include "blocks/inertia_distance.hpp"
#include "scene.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using namespace bayesid::blocks;
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Config geometric() {
  Config config = test::everything();
  config.parameters.inertia->is_geometric = true;
  config.parameters.inertia->distance = 0.5;
  return config;
}

}  // namespace

BOOST_AUTO_TEST_CASE(distance_is_half_the_logarithm_of_the_generalised_eigenvalues) {
  const InertialParameters nominal = test::make_link("a", 1, 1).pi,
                           other = test::make_link("b", 1, 4).pi;
  const Matrix4d P = pseudo_inertia(nominal), Q = pseudo_inertia(other);
  const Matrix4d whiten = P.llt().matrixL().solve(Matrix4d::Identity().eval());
  const InertiaDistance at =
      inertia_distance(inertia_ee(), coordinates_from_inertia(other).value(), whiten);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix4d> eigen(Q, P);
  const double expected = 0.5 * eigen.eigenvalues().array().log().matrix().norm();
  BOOST_TEST(at.r.norm() == expected, boost::test_tools::tolerance(1e-9));
  // Twice as dense is log 2 away, and distances do not depend on the axes.
  const InertiaDistance dense =
      inertia_distance(inertia_ee(), coordinates_from_inertia(2 * nominal).value(), whiten);
  BOOST_TEST(dense.r.norm() == std::log(2), boost::test_tools::tolerance(1e-9));
  const Matrix10 moved = inertia_transform(so3_exp({0.3, -0.8, 0.4}), {0.2, 0.5, -0.3});
  const Matrix4d turned =
      pseudo_inertia(moved * nominal).llt().matrixL().solve(Matrix4d::Identity().eval());
  const InertiaDistance again =
      inertia_distance(inertia_ee(), coordinates_from_inertia(moved * other).value(), turned);
  BOOST_TEST(again.r.norm() == expected, boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_CASE(distance_agrees_with_central_differences) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  const InertiaCoordinates mean = coordinates_from_inertia(test::make_link("a", 1, 1).pi).value();
  const Matrix4d whiten = pseudo_inertia(inertia_from_coordinates(mean))
                              .llt()
                              .matrixL()
                              .solve(Matrix4d::Identity().eval());
  for (int i = 0; i < 10; ++i) {
    const double size = i == 0 ? 0 : 0.3;  // all eigenvalues equal at the mean
    InertiaCoordinates theta = mean;
    for (int k = 0; k < 10; ++k) theta[k] += size * (k > 0 && k < 4 ? 0.1 : 1) * normal(random);
    const auto value = [&](const VectorXd& x) -> VectorXd {
      return inertia_distance(inertia_ee(), x, whiten).r;
    };
    const DerivativeCheck check =
        check_derivatives(inertia_distance(inertia_ee(), theta, whiten).dr_dtheta,
                          numeric_jacobian(value, VectorXd(theta)));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(gradient_of_every_prior_agrees_with_central_differences) {
  for (const Config& config : {test::everything(), geometric()}) {
    const ParameterSet set(test::double_pendulum(), config);
    const VectorXd theta = set.prior() + 0.1 * VectorXd::LinSpaced(set.ntheta(), -1, 1);
    const auto cost = [&](const VectorXd& x) -> VectorXd {
      return VectorXd::Constant(1, set.prior_at(x).cost);
    };
    const DerivativeCheck check =
        check_derivatives(set.prior_at(theta).gradient.transpose(), numeric_jacobian(cost, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    const PriorAt at = set.prior_at(set.prior());
    BOOST_TEST(at.cost < 1e-20);
    BOOST_TEST((at.hessian.llt().info() == Eigen::Success));
  }
}

BOOST_AUTO_TEST_CASE(standard_deviations_of_one_link_take_the_place_of_those_of_all) {
  Config config = test::everything();
  InertiaStdConfig own = *config.parameters.inertia;
  own.log_mass = 0.1;
  config.parameters.inertia_by_link["link2"] = own;
  const ParameterSet set(test::double_pendulum(), config);
  BOOST_TEST(set.all()[0].std == 0.7);
  BOOST_TEST(set.all()[10].std == 0.1);
  config.parameters.inertia_by_link["link3"] = own;
  BOOST_CHECK_THROW(ParameterSet(test::double_pendulum(), config), InputError);
}
