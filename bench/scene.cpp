// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

#include <random>

#include "bayesid/error.hpp"
#include "bayesid/simulate.hpp"

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
  if (name == "quadruped") return test::make_scene(name, test::standing_anymal());
  if (name == "biped") return test::make_scene(name, test::standing_talos());
  if (name == "panda") return test::make_scene(name, test::panda_config());
  if (name == "pendulum") return test::make_scene(name, pendulum_config());
  throw InputError("unknown robot " + name);
}

RobotProblem make_problem(const Scene& scene, const ProblemOptions& options) {
  if (!scene.config.model.contacts.empty()) {
    return test::standing_problem(scene, options.num_stages, options.effort_exact, options.seed);
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
  // As in earlier tables; the midpoint rule evaluates the cost once more in each iteration.
  const Integrator integrator = Integrator::semi_implicit_euler;
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
