// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bayesid/problem.hpp"
#include "bayesid/solve.hpp"
#include "support/oracle.hpp"

namespace bayesid {
namespace {

/// Solves the problem of a folder and compares with the solution beside it.
void compare(const std::string& name, size_t max_iterations) {
  const std::string folder = test::shared_folder("oracle/" + name);
  const nlohmann::json expected = nlohmann::json::parse(std::ifstream(folder + "/expected.json"));
  const Config config = read_config(folder + "/config.yaml");
  const LoadedProblem loaded = make_problem(config);
  const RobotProblem& problem = *loaded.problem;
  SolverOptions options{.max_iterations = config.solver.max_iterations,
                        .tolerance = config.solver.tolerance};
  options.on_iteration = [](const Iteration& i) {
    BOOST_TEST_MESSAGE(i.number << " cost " << i.cost << " violation " << i.violation << " step "
                                << i.step << " length " << i.length << " damping " << i.damping
                                << (i.curvature ? " curvature" : ""));
  };
  const Solution solution = solve(problem, options);
  BOOST_TEST(solution.converged());
  BOOST_TEST(solution.history.size() < max_iterations);

  for (const double part : solution.cost_parts) BOOST_TEST_MESSAGE("part " << part);
  BOOST_TEST_MESSAGE(expected["cost"].dump());
  const double cost = expected["cost"]["total"];
  BOOST_TEST(std::abs(solution.cost - cost) < 1e-9 * cost);
  const std::vector<std::string> names = problem.dynamics().parameters().names();
  BOOST_TEST(names.size() == expected["parameters"].size());
  double worst_value = 0, worst_std = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto index = static_cast<Eigen::Index>(i);
    const double value = expected["parameters"][names[i]]["value"],
                 std = expected["parameters"][names[i]]["std"];
    worst_value = std::max(worst_value, std::abs(solution.point.theta[index] - value) / std);
    worst_std =
        std::max(worst_std, std::abs(std::sqrt(solution.theta_cov(index, index)) - std) / std);
  }
  BOOST_TEST(worst_value < 1e-6);
  BOOST_TEST(worst_std < 1e-5);
  const Eigen::MatrixXd& x = solution.point.paths[0].x;
  for (int i = 0; i < x.rows(); ++i) {
    BOOST_TEST(std::abs(x(i, 0) - expected["x_first"][i].get<double>()) < 1e-8);
    BOOST_TEST(std::abs(x(i, x.cols() - 1) - expected["x_last"][i].get<double>()) < 1e-8);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(double_pendulum_agrees_with_an_independent_solution,
                     *boost::unit_test::label("needs_oracle") * test::needs_shared("oracle")) {
  compare("double_pendulum", 46);  // what IPOPT took
}

BOOST_AUTO_TEST_CASE(four_bar_agrees_with_an_independent_solution,
                     *boost::unit_test::label("needs_oracle") * test::needs_shared("oracle")) {
  compare("four_bar", 40);
}

}  // namespace bayesid
