// SPDX-License-Identifier: BSD-3-Clause
// The double pendulum's problem as JSON, and bayesid's solution, for bench/casadi_ipopt.py.
//
//   bench_export_problem --stages 200 [--repeats 20] > problem.json
#include <algorithm>
#include <ctime>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "bayesid/solve.hpp"
#include "scene.hpp"

namespace bayesid {
namespace {

std::vector<double> numbers(const Eigen::MatrixXd& values) {
  return {values.data(), values.data() + values.size()};
}

int run(int argc, char** argv) {
  const bench::Scene scene = bench::make_scene("pendulum");
  const int num_stages = std::stoi(bench::option(argc, argv, "stages", "200"));
  const RobotProblem problem =
      bench::make_problem(scene, {.num_stages = num_stages, .effort_exact = true});
  const Recording& log = problem.recordings()[0];
  const Noise& noise = problem.noise();
  const Point start = problem.start();
  Solution solution;
  double cpu_seconds = std::numeric_limits<double>::infinity();
  for (int i = std::stoi(bench::option(argc, argv, "repeats", "20")); i > 0; --i) {
    const std::clock_t begin = std::clock();
    solution = solve(problem, {.tolerance = 1e-8});
    cpu_seconds = std::min(cpu_seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  nlohmann::json out;
  out["num_stages"] = num_stages;
  out["time"] = numbers(log.time);
  out["position"] = numbers(log.position);  // sample by sample
  out["velocity"] = numbers(log.velocity);
  out["effort"] = numbers(log.effort);
  out["acceleration"] = numbers(start.paths[0].u.topRows(2));
  out["position_std"] = numbers(noise.position);
  out["velocity_std"] = numbers(noise.velocity);
  out["disturbance_std"] = {noise.disturbance_position[0], noise.disturbance_position[1],
                            noise.disturbance_velocity[0], noise.disturbance_velocity[1]};
  out["initial_std"] = {noise.initial_position[0], noise.initial_position[1],
                        noise.initial_velocity[0], noise.initial_velocity[1]};
  out["names"] = scene.dynamics->parameters().names();
  out["prior"] = numbers(problem.space().prior_mean());
  out["prior_std"] = numbers(problem.space().prior_std());
  out["status"] = to_string(solution.status);
  out["cost"] = solution.cost;
  out["theta"] = numbers(solution.point.theta);
  out["theta_std"] = numbers(solution.theta_cov.diagonal().cwiseSqrt());
  out["iterations"] = solution.history.size();
  out["seconds"] = cpu_seconds;
  std::cout << out.dump() << "\n";
  return 0;
}

}  // namespace
}  // namespace bayesid

int main(int argc, char** argv) {
  return bayesid::run(argc, argv);
}
