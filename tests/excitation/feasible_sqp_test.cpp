// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

#include "excitation/feasible_sqp.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

/// A cost that bends down, within a disc and above a wave: what exciting motions are like.
class Hill final : public NonlinearProgram {
 public:
  Hill() : rows_{{-INFINITY, 1, 0, 2}, {-0.5, INFINITY, 0, 2}} {}
  int num_variables() const override { return 2; }
  const std::vector<Row>& rows() const override { return rows_; }
  bool move_to(const VectorXd& x) override {
    x_ = x;
    if (x.norm() > 3) return false;
    gradient_ = VectorXd::Zero(2);
    gradient_ << -2 * x[0] - 0.1, -1;
    values_ = VectorXd::Zero(2);
    values_ << x.squaredNorm(), x[1] - 0.2 * std::sin(3 * x[0]);
    slopes_ = {2 * x[0], 2 * x[1], -0.6 * std::cos(3 * x[0]), 1};
    return true;
  }
  double value() override { return -x_[0] * x_[0] - 0.1 * x_[0] - x_[1]; }
  const VectorXd& gradient() override { return gradient_; }
  const VectorXd& row_values() override { return values_; }
  const std::vector<double>& row_slopes() override { return slopes_; }

 private:
  std::vector<Row> rows_;
  VectorXd x_, gradient_, values_;
  std::vector<double> slopes_;
};

}  // namespace

// On the disc x = (cos t, sin t) the cost is −cos² t − 0.1 cos t − sin t.
BOOST_AUTO_TEST_CASE(feasible_sqp_finds_the_minimum_of_a_cost_that_bends_down) {
  Hill hill;
  std::vector<double> values;
  const SqpResult result =
      minimise(hill, Eigen::Vector2d(0.1, 0.1),
               {.tolerance = 1e-10, .go_on = [&](int, double value, double violation) {
                  values.push_back(value);
                  BOOST_TEST(violation <= 1e-7);
                  return true;
                }});
  BOOST_TEST(result.converged, result.status);
  double best = INFINITY;
  for (int i = 0; i <= 100000; ++i) {
    const double t = M_PI / 2 * i / 100000;
    best = std::min(best, -std::cos(t) * std::cos(t) - 0.1 * std::cos(t) - std::sin(t));
  }
  BOOST_TEST(std::abs(result.value - best) < 1e-6);
  BOOST_TEST(std::is_sorted(values.rbegin(), values.rend()));  // never uphill
}

BOOST_AUTO_TEST_CASE(feasible_sqp_does_not_begin_outside_limits) {
  Hill hill;
  const SqpResult result = minimise(hill, Eigen::Vector2d(1.2, 0), {});
  BOOST_TEST(!result.converged);
  BOOST_TEST(result.status == "start outside limits");
  const std::optional<VectorXd> inside = restore(hill, Eigen::Vector2d(1.2, -1), 1e-9);
  BOOST_REQUIRE(inside);
  BOOST_REQUIRE(hill.move_to(*inside));
  BOOST_TEST(hill.row_values()[0] <= 1 + 1e-9);
  BOOST_TEST(hill.row_values()[1] >= -0.5 - 1e-9);
}

BOOST_AUTO_TEST_CASE(feasible_sqp_stops_on_request) {
  Hill hill;
  const SqpResult result =
      minimise(hill, Eigen::Vector2d(0.1, 0.1),
               {.go_on = [](int iteration, double, double) { return iteration < 2; }});
  BOOST_TEST(result.interrupted);
  BOOST_TEST(result.iterations == 2);
}

}  // namespace bayesid
