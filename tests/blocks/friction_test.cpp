// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/parameters.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

FrictionParameters random_friction(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.1, 3);
  FrictionParameters gamma;
  for (double& value : gamma) value = uniform(random);
  gamma[1] += gamma[2];
  return gamma;
}

const std::array<double, 7> speeds{-2, -0.3, -1e-3, 0, 1e-3, 0.3, 2};

}  // namespace

BOOST_AUTO_TEST_CASE(friction_opposes_motion_at_every_speed) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    FrictionParameters gamma = random_friction(random);
    if (trial % 2 == 1) gamma[2] = -gamma[2];  // γ1 ≥ γ2 is enough, of either sign
    if (trial % 5 == 0) gamma.tail<3>().setZero();
    for (const double v : {1e-9, 1e-4, 0.01, 0.3, 2.0, 50.0}) {
      BOOST_TEST(friction(v, gamma).tau >= 0);
      BOOST_TEST(friction(-v, gamma).tau == -friction(v, gamma).tau);
    }
  }
}

BOOST_AUTO_TEST_CASE(friction_peaks_before_it_settles) {
  FrictionParameters gamma;
  gamma << 1, 100, 1, 0.5, 100, 0;
  BOOST_TEST(friction(0.1, gamma).tau > 1.3);  // stiction + Coulomb
  BOOST_TEST(std::abs(friction(20, gamma).tau - 0.5) < 1e-12);
}

BOOST_AUTO_TEST_CASE(friction_derivatives_agree_with_central_differences) {
  std::mt19937 random(3);
  for (const double v : speeds) {
    const FrictionParameters gamma = random_friction(random);
    VectorXd x(7);
    x << v, gamma;
    const auto value = [](const VectorXd& at) -> VectorXd {
      return VectorXd::Constant(1, friction(at[0], at.tail<6>()).tau);
    };
    const Friction at = friction(v, gamma);
    MatrixXd analytic(1, 7);
    analytic << at.dtau_dv, at.dtau_dgamma.transpose();
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(value, x));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(friction_curvature_agrees_with_central_differences) {
  std::mt19937 random(4);
  for (const double v : speeds) {
    const FrictionParameters gamma = random_friction(random);
    const auto gradient = [v](const VectorXd& at) -> VectorXd {
      return friction(v, at).dtau_dgamma;
    };
    const FrictionCurvature at = friction_curvature(v, gamma);
    MatrixXd analytic = MatrixXd::Zero(6, 6);
    analytic(0, 1) = analytic(1, 0) = at.d01;
    analytic(0, 2) = analytic(2, 0) = at.d02;
    analytic(1, 1) = at.d11;
    analytic(2, 2) = at.d22;
    analytic(3, 4) = analytic(4, 3) = at.d34;
    analytic(4, 4) = at.d44;
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(gradient, gamma));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(friction_stays_finite_at_extreme_speeds) {
  FrictionParameters gamma;
  gamma << 1, 1e6, 2, 1, 1e6, 0.1;
  for (const double v : {-1e300, -1e6, 1e6, 1e300}) {
    const Friction at = friction(v, gamma);
    BOOST_TEST(std::isfinite(at.tau));
    BOOST_TEST(std::isfinite(at.dtau_dv));
    BOOST_TEST(at.dtau_dgamma.allFinite());
  }
  BOOST_TEST(std::isfinite(friction_curvature(1e6, gamma).d44));
}
