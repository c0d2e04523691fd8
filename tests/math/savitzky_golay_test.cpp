// SPDX-License-Identifier: BSD-3-Clause
#include "math/savitzky_golay.hpp"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "math/condensed_rows.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A polynomial of order 4 and its derivatives.
double p(double t, int derivative) {
  const double c[] = {0.3, -1.2, 0.7, 2.1, -0.9};
  double out = 0;
  for (int i = derivative; i < 5; ++i) {
    double factor = c[i];
    for (int k = 0; k < derivative; ++k) factor *= i - k;
    out += factor * std::pow(t, i - derivative);
  }
  return out;
}

/// Times that are not uniform.
VectorXd uneven_times(int count) {
  VectorXd out(count);
  for (int k = 0; k < count; ++k) out[k] = 0.1 * k + 0.03 * std::sin(5.0 * k);
  return out;
}

VectorXd values(const VectorXd& time, int derivative, double shift = 0) {
  return time.unaryExpr([&](double t) { return p(t + shift, derivative); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(local_polynomials_reproduce_polynomials_of_their_order_with_derivatives) {
  const VectorXd time = uneven_times(15);
  VectorXd position = values(time, 0);
  position[3] = position[9] = nan;
  const double shift = -0.02;
  const VectorXd velocity = values(time, 1, shift);
  const LocalPolynomial from_position =
      fit_polynomial(4, {time[0], time[14]}, {{.time = time, .value = position}});
  const LocalPolynomial from_both = fit_polynomial(
      5, {time[0], time[14]},
      {{.time = time, .value = position, .std = 0.1},
       {.time = time, .value = velocity, .std = 2.0, .derivative = 1, .shift = shift}});
  for (const double t : {time[0], 0.41, time[7], time[14]}) {
    for (const int derivative : {0, 1, 2}) {
      // Round-off grows by the derivative and towards the ends.
      BOOST_TEST(std::abs(from_position.at(t, derivative) - p(t, derivative)) < 1e-10);
      BOOST_TEST(std::abs(from_both.at(t, derivative) - p(t, derivative)) < 1e-10);
    }
  }
}

BOOST_AUTO_TEST_CASE(local_polynomials_have_the_weights_of_savitzky_and_golay) {
  const VectorXd time = VectorXd::LinSpaced(5, 1.0, 1.4);
  // Their five-point quadratic: (−3, 12, 17, 12, −3)/35 and (2, −1, −2, −1, 2)/7.
  const double smooth[] = {-3, 12, 17, 12, -3}, second[] = {2, -1, -2, -1, 2};
  for (int i = 0; i < 5; ++i) {
    const VectorXd unit = VectorXd::Unit(5, i);
    const LocalPolynomial fit = fit_polynomial(2, {1.0, 1.4}, {{.time = time, .value = unit}});
    BOOST_TEST(std::abs(fit.at(1.2, 0) - smooth[i] / 35) < 1e-13);
    BOOST_TEST(std::abs(fit.at(1.2, 2) - second[i] / 7 / 0.01) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(local_polynomials_lower_their_order_where_too_little_is_measured) {
  const VectorXd time = VectorXd::LinSpaced(5, 0, 4);
  VectorXd value = VectorXd::Constant(5, nan);
  value[1] = 2;
  value[3] = 6;
  const LocalPolynomial fit = fit_polynomial(4, {0, 4}, {{.time = time, .value = value}});
  BOOST_TEST(std::abs(fit.at(2, 0) - 4) < 1e-12);
  BOOST_TEST(std::abs(fit.at(2, 1) - 2) < 1e-12);
  BOOST_TEST(fit.at(2, 2) == 0);
}

BOOST_AUTO_TEST_CASE(window_around_keeps_its_length_at_the_ends) {
  for (const double t : {0.0, 0.01, 0.5, 0.97, 1.0}) {
    const TimeSpan span = window_around(t, {0, 1}, 0.01, 11);
    BOOST_TEST(std::abs(span.last - span.first - 0.1) < 1e-6);
    BOOST_TEST(span.first > -1e-6);
    BOOST_TEST(span.last < 1 + 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(condensed_rows_have_the_length_of_all_rows) {
  const MatrixXd first = MatrixXd::Random(40, 5), second = MatrixXd::Random(3, 5);
  CondensedRows rows(5), others(5);
  rows.add(first);
  others.add(second);
  rows.add(others, 2);
  const VectorXd x = VectorXd::Random(4);
  VectorXd one(5);
  one << x, 1;
  const double expected = (first * one).squaredNorm() + 4 * (second * one).squaredNorm();
  BOOST_TEST(std::abs(rows.squared_norm(x) / expected - 1) < 1e-13);
  BOOST_TEST(rows.count() == 43);
}

}  // namespace bayesid
