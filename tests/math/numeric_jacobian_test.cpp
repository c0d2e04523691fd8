// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd example(const VectorXd& x) {
  return Eigen::Vector3d(std::sin(x[0]) * x[1], x[0] * x[0], std::exp(x[1]));
}

MatrixXd example_jacobian(const VectorXd& x) {
  MatrixXd out(3, 2);
  out << std::cos(x[0]) * x[1], std::sin(x[0]), 2 * x[0], 0, 0, std::exp(x[1]);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(central_differences_are_right_on_a_known_function) {
  const VectorXd x = Eigen::Vector2d(0.7, -1.2);
  const DerivativeCheck check =
      check_derivatives(example_jacobian(x), numeric_jacobian(example, x));
  BOOST_TEST(check.max_error < 1e-9, check.worst_entry);
}

BOOST_AUTO_TEST_CASE(steps_can_be_given_for_each_coordinate) {
  const VectorXd x = Eigen::Vector2d(0.7, -1.2);
  const MatrixXd numeric = numeric_jacobian(example, x, Eigen::Vector2d(1e-4, 1e-6));
  BOOST_TEST(check_derivatives(example_jacobian(x), numeric).max_error < 1e-7);
}

BOOST_AUTO_TEST_CASE(one_flipped_sign_is_found_and_named) {
  const VectorXd x = Eigen::Vector2d(0.7, -1.2);
  MatrixXd wrong = example_jacobian(x);
  wrong(2, 1) *= -1;
  const DerivativeCheck check = check_derivatives(wrong, numeric_jacobian(example, x));
  BOOST_TEST(check.max_error > 0.5);
  BOOST_TEST(check.worst_entry.starts_with("(2, 1): analytic -0.30"), check.worst_entry);
}

BOOST_AUTO_TEST_CASE(a_number_that_is_not_one_never_passes) {
  MatrixXd wrong = MatrixXd::Identity(2, 2);
  wrong(1, 0) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(!(check_derivatives(wrong, MatrixXd::Identity(2, 2)).max_error < 1e-6));
  BOOST_TEST(!(check_derivatives(MatrixXd::Zero(2, 3), MatrixXd::Zero(2, 2)).max_error < 1e-6));
}
