// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

#include <random>

#include "bayesid/error.hpp"
#include "bayesid/simulation/simulate.hpp"
#include "support/scene.hpp"

namespace bayesid::bench {

using Eigen::VectorXd;

namespace {

Config pendulum_config() {
  Config out;
  out.model.urdf = std::string(BAYESID_SOURCE) + "/bench/double_pendulum.urdf";
  out.parameters.inertia.emplace();
  out.parameters.friction.emplace();
  return out;
}

}  // namespace

Scene make_scene(const std::string& name) {
  if (name == "quadruped" || name == "biped") {
    const test::Stance stance =
        name == "quadruped" ? test::quadruped_stance() : test::biped_stance();
    return {name, stance.scene.config, stance.scene.dynamics, stance};
  }
  if (name != "pendulum" && name != "panda") throw InputError("unknown robot " + name);
  const Config config = name == "panda" ? test::panda_config() : pendulum_config();
  const Robot robot = read_robot(config.model);
  return {name, config, std::make_shared<const Dynamics>(robot, ParameterSet(robot, config)), {}};
}

RobotProblem make_problem(const Scene& scene, const ProblemOptions& options) {
  if (scene.stance) {
    return test::standing_problem(*scene.stance, options.num_stages, options.effort_exact,
                                  options.seed);
  }
  const Dynamics& dynamics = *scene.dynamics;
  Noise noise = make_noise(dynamics.robot(), scene.config, {});
  noise.effort = options.effort_exact ? VectorXd() : VectorXd::Constant(dynamics.nv(), 0.05);
  std::mt19937 random(options.seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd theta = dynamics.parameters().prior();
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    theta[i] += options.theta_offset * dynamics.parameters().prior_std()[i] * uniform(random);
  }
  SimulationConfig simulation;
  simulation.duration = options.num_stages / simulation.rate;
  const Integrator integrator = scene.config.solver.integrator;
  const Simulation log = simulate(dynamics, theta, noise, integrator, simulation, options.seed);
  return RobotProblem(scene.dynamics, {log.measured}, noise, integrator);
}

std::string option(int argc, char** argv, const std::string& name, const std::string& otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == "--" + name) return argv[i + 1];
  }
  return otherwise;
}

}  // namespace bayesid::bench
