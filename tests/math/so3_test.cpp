// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <random>

#include "math/so3.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

/// Rotation vectors of many sizes: zero, tiny, on both sides of the switch to the series at 1, near
/// π.
std::vector<Vector3d> rotation_vectors() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Vector3d> out{Vector3d::Zero()};
  for (const double angle : {1e-12, 1e-8, 1e-4, 0.1, 0.99, 1 - 1e-9, 1 + 1e-9, 1.01, 2.0, 3.14}) {
    const Vector3d axis(normal(random), normal(random), normal(random));
    out.push_back(angle * axis.normalized());
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exp_is_the_rotation_of_eigen) {
  for (const Vector3d& omega : rotation_vectors()) {
    const double angle = omega.norm();
    const Vector3d axis = angle > 0 ? Vector3d(omega / angle) : Vector3d::UnitX();
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    BOOST_TEST((so3_exp(omega) - expected).norm() < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(log_undoes_exp) {
  for (const Vector3d& omega : rotation_vectors()) {
    BOOST_TEST((so3_log(so3_exp(omega)) - omega).norm() < 1e-12);
  }
  const Vector3d half_turn(0, M_PI, 0);
  BOOST_TEST(std::abs(so3_log(so3_exp(half_turn)).y()) == M_PI,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(right_jacobian_gives_the_derivative_of_exp) {
  for (const Vector3d& omega : rotation_vectors()) {
    const auto rotation = [](const VectorXd& x) -> VectorXd {
      return so3_exp(Vector3d(x)).reshaped();
    };
    MatrixXd analytic(9, 3);
    for (int i = 0; i < 3; ++i) {
      analytic.col(i) = (so3_exp(omega) * skew(so3_right_jacobian(omega).col(i))).reshaped();
    }
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(rotation, omega));
    BOOST_TEST(check.max_error < 1e-8, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(derivative_of_the_right_jacobian_agrees_with_central_differences) {
  for (const Vector3d& omega : rotation_vectors()) {
    const auto jacobian = [](const VectorXd& x) -> VectorXd {
      return so3_right_jacobian(Vector3d(x)).reshaped();
    };
    MatrixXd analytic(9, 3);
    for (int j = 0; j < 3; ++j) {
      analytic.col(j) = so3_right_jacobian_derivative(omega)[j].reshaped();
    }
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(jacobian, omega));
    BOOST_TEST(check.max_error < 1e-8, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(the_left_jacobian_in_the_place_of_the_right_one_is_wrong) {
  const Vector3d omega(0.3, -0.5, 0.2);
  const auto rotation = [](const VectorXd& x) -> VectorXd {
    return so3_exp(Vector3d(x)).reshaped();
  };
  const Matrix3d J_l = so3_right_jacobian(-omega);
  MatrixXd printed(9, 3);
  for (int i = 0; i < 3; ++i) printed.col(i) = (so3_exp(omega) * skew(J_l.col(i))).reshaped();
  BOOST_TEST(check_derivatives(printed, numeric_jacobian(rotation, omega)).max_error > 0.1);
}
