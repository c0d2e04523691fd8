// SPDX-License-Identifier: BSD-3-Clause
#include "support/energy.hpp"

#include <random>

#include "support/legged.hpp"
#include "support/scene.hpp"

namespace bayesid::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::pair<std::string, Config>> energy_configs() {
  Config leg = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
  leg.logs.clear();
  Config iris = iris_config();
  iris.parameters.rotor.emplace();
  iris.measurements.poses["iris__base_link"] = {.position = 1e-3, .orientation = 1e-3};
  std::vector<std::pair<std::string, Config>> out{
      {"two joints", two_joint_config()},
      {"Panda", panda_config()},
      {"ANYmal", standing_anymal()},
      {"four-bar leg", leg},
      {"Iris", iris},
      {"Panda with rotors", rotor_scenes().back().config}};
  for (auto& [name, config] : out) {
    config.simulation.duration = 0.1;
    config.simulation.rate = 200;
  }
  return out;
}

RobotProblem with_energy(const Identification& identification, int window) {
  const RobotProblem& given = *identification.problem;
  Noise noise = given.noise();
  if (window > 0) noise.energy = 0.01;
  noise.energy_window = std::max(1, window);
  return {identification.dynamics, given.recordings(), noise, given.integrator(), given.options()};
}

Stage linearised(const RobotProblem& problem, const Point& point, int k) {
  const auto workspace = problem.trajectory(0).make_workspace();
  Stage out(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  problem.trajectory(0).linearise(*problem.at(point.theta)->trajectories[0], k, point.paths[0],
                                  *workspace, out, records.get());
  return out;
}

Point off_start(const RobotProblem& problem, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int nv = problem.dynamics().nv();
  Point out = problem.start();
  for (Path& path : out.paths) {
    path.x.bottomRows(nv) +=
        MatrixXd::NullaryExpr(nv, path.x.cols(), [&] { return 0.01 * normal(random); });
    path.gamma = MatrixXd::NullaryExpr(path.gamma.rows(), path.gamma.cols(),
                                       [&] { return 0.1 * normal(random); });
  }
  for (Eigen::Index i = 0; i < out.theta.size(); ++i)
    out.theta[i] += 0.03 * problem.space().prior_std()[i] * normal(random);
  return out;
}

Point moved(const RobotProblem& problem, const Point& point, int first, const VectorXd& change) {
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv(), nq = robot.nq();
  Point out = point;
  out.theta += change.tail(point.theta.size());
  const auto num_nodes = static_cast<int>(change.size() - point.theta.size()) / (2 * nv);
  for (int i = 0; i < num_nodes; ++i) {
    auto x = out.paths[0].x.col(first + i);
    const VectorXd q = x.head(nq);
    x.head(nq) = moved(robot, q, change.segment(2 * nv * i, nv));
    x.tail(nv) += change.segment(2 * nv * i + nv, nv);
  }
  return out;
}

}  // namespace bayesid::test
