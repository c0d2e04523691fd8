// SPDX-License-Identifier: BSD-3-Clause
// Information of trajectories, added up on any thread.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <random>
#include <stdexcept>

#include "bayesid/solve.hpp"
#include "solver/accumulator.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

/// Three logs of one arm, off their start.
struct Logs {
  test::Identification first =
      test::make_identification(test::two_joint_config(), test::two_joint_options(), 1);
  std::shared_ptr<const RobotProblem> problem;
  Point point;

  Logs() {
    std::vector<Recording> recordings;
    for (const int num_samples : {40, 25, 60}) {
      Recording one = first.problem->recordings()[0];
      const auto cut = [&](Eigen::MatrixXd& values) {
        values = Eigen::MatrixXd(values.leftCols(num_samples));
      };
      one.time = Eigen::VectorXd(one.time.head(num_samples));
      cut(one.position);
      cut(one.velocity);
      cut(one.effort);
      one.thrust = Eigen::MatrixXd(0, num_samples);
      recordings.push_back(one);
    }
    problem = std::make_shared<const RobotProblem>(
        first.dynamics, recordings, first.problem->noise(), first.problem->integrator());
    point = problem->start();
    for (Path& path : point.paths) path.gamma.setConstant(0.3);
  }
};

void check_equal(const Condensed& a, const Condensed& b) {
  BOOST_TEST((a.hessian.array() == b.hessian.array()).all());
  BOOST_TEST((a.gradient.array() == b.gradient.array()).all());
  BOOST_TEST((a.multiplier_gradient.array() == b.multiplier_gradient.array()).all());
  BOOST_TEST((a.curvature.array() == b.curvature.array()).all());
  BOOST_TEST((a.cost_parts.array() == b.cost_parts.array()).all());
  BOOST_TEST(a.closing_cost == b.closing_cost);
  BOOST_TEST(a.stiff_work == b.stiff_work);
  BOOST_TEST(a.infeasibility == b.infeasibility);
  BOOST_TEST(a.largest_defect == b.largest_defect);
  BOOST_TEST(a.num_stages == b.num_stages);
  BOOST_TEST(a.num_trajectories == b.num_trajectories);
}

}  // namespace

BOOST_AUTO_TEST_CASE(logs_apart_add_up_to_logs_together_through_bytes) {
  const Logs logs;
  const auto at = logs.problem->at(logs.point.theta);
  const Condensed whole = accumulate(*logs.problem, logs.point, 2);
  BOOST_TEST(whole.num_trajectories == 3);
  BOOST_TEST(whole.num_stages == 39 + 24 + 59);
  Condensed sum;
  for (int t = 0; t < 3; ++t) {
    const Condensed one = accumulate({logs.problem->trajectories()[t]}, {logs.point.paths[t]},
                                     {at->trajectories[t]}, logs.problem->space().ncurvature());
    check_equal(Condensed::from_bytes(one.to_bytes()), one);
    sum += Condensed::from_bytes(one.to_bytes());
  }
  const auto close = [](const auto& a, const auto& b) {
    return (a - b).norm() <= 1e-13 * (1 + b.norm());
  };
  BOOST_TEST(close(sum.hessian, whole.hessian));
  BOOST_TEST(close(sum.gradient, whole.gradient));
  BOOST_TEST(close(sum.cost_parts, whole.cost_parts));
  BOOST_TEST(close(sum.curvature, whole.curvature));
  BOOST_TEST(sum.num_stages == whole.num_stages);
  BOOST_TEST(sum.largest_defect == whole.largest_defect);
}

/// A log means the same beside others as in a problem of its own.
BOOST_AUTO_TEST_CASE(a_trajectory_is_independent_of_the_other_logs) {
  const Logs logs;
  const auto at = logs.problem->at(logs.point.theta);
  for (int t = 0; t < 3; ++t) {
    const RobotProblem alone(logs.first.dynamics, {logs.problem->recordings()[t]},
                             logs.problem->noise(), logs.problem->integrator());
    const Condensed own = accumulate(alone, {logs.point.theta, {logs.point.paths[t]}});
    check_equal(accumulate({logs.problem->trajectories()[t]}, {logs.point.paths[t]},
                           {at->trajectories[t]}, alone.space().ncurvature()),
                own);
  }
}

BOOST_AUTO_TEST_CASE(the_cost_is_that_of_the_search) {
  const Logs logs;
  const Solution solution = solve(*logs.problem, {});
  const Condensed at = accumulate(*logs.problem, solution.point);
  const double prior = logs.problem->space().prior(solution.point.theta).cost;
  BOOST_TEST(at.cost() + prior == solution.cost, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_sum_are_refused) {
  const Logs logs;
  const std::string bytes = accumulate(*logs.problem, logs.point).to_bytes();
  BOOST_CHECK_THROW(Condensed::from_bytes(""), std::invalid_argument);
  BOOST_CHECK_THROW(Condensed::from_bytes(bytes + "x"), std::invalid_argument);
  BOOST_CHECK_THROW(Condensed::from_bytes("x" + bytes), std::invalid_argument);
  for (std::size_t length = 0; length < bytes.size(); length += 37)
    BOOST_CHECK_THROW(Condensed::from_bytes(bytes.substr(0, length)), std::invalid_argument);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {  // no size in them makes it reach out
    std::string other = bytes;
    other[random() % std::min<std::size_t>(other.size(), 400)] = static_cast<char>(random());
    try {
      Condensed::from_bytes(other);
    } catch (const std::invalid_argument&) {
    }
  }
}

}  // namespace bayesid
