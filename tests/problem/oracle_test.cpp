// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/solver/solve.hpp"
#include "support/oracle.hpp"

namespace bayesid {

BOOST_AUTO_TEST_CASE(double_pendulum_agrees_with_an_independent_solution) {
  const std::string folder = test::shared_folder("oracle/double_pendulum");
  if (folder.empty()) {
    BOOST_TEST_MESSAGE("skipped: no reference problem beside the project");
    return;
  }
  const nlohmann::json expected = nlohmann::json::parse(std::ifstream(folder + "/expected.json"));
  const Config config = read_config(folder + "/config.yaml");
  const Robot robot = read_robot(config.model);
  std::vector<std::string> warnings;
  const std::vector<Recording> recordings =
      make_recordings(robot, read_log(config.logs[0]), config, warnings);
  const auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
  const RobotProblem problem(dynamics, recordings, make_noise(robot, config, recordings),
                             config.solver.integrator, config.initial_state.mean);
  SolverOptions options{.max_iterations = config.solver.max_iterations,
                        .tolerance = config.solver.tolerance};
  options.on_iteration = [](const Iteration& i) {
    BOOST_TEST_MESSAGE(i.number << " cost " << i.cost << " violation " << i.violation << " step "
                                << i.step << " length " << i.length << " damping " << i.damping
                                << (i.curvature ? " curvature" : ""));
  };
  const Solution solution = solve(problem, options);
  BOOST_TEST(solution.converged());
  BOOST_TEST(solution.history.size() < expected["ipopt_iterations"].get<size_t>());

  for (const double part : solution.cost_parts) BOOST_TEST_MESSAGE("part " << part);
  BOOST_TEST_MESSAGE(expected["cost"].dump());
  const double cost = expected["cost"]["total"];
  BOOST_TEST(std::abs(solution.cost - cost) < 1e-9 * cost);
  const std::vector<std::string> names = dynamics->parameters().names();
  BOOST_TEST(names.size() == expected["parameters"].size());
  for (size_t i = 0; i < names.size(); ++i) {
    BOOST_TEST_CONTEXT(names[i]) {
      const auto index = static_cast<Eigen::Index>(i);
      const double value = expected["parameters"][names[i]]["value"],
                   std = expected["parameters"][names[i]]["std"];
      BOOST_TEST(std::abs(solution.point.theta[index] - value) < 1e-6 * std);
      BOOST_TEST(std::abs(std::sqrt(solution.theta_cov(index, index)) - std) < 1e-5 * std);
    }
  }
  for (int i = 0; i < 4; ++i) {
    BOOST_TEST(std::abs(solution.point.paths[0].x(i, 0) - expected["x_first"][i].get<double>()) <
               1e-8);
    BOOST_TEST(std::abs(solution.point.paths[0].x.rightCols(1)(i) -
                        expected["x_last"][i].get<double>()) < 1e-8);
  }
}

}  // namespace bayesid
