// SPDX-License-Identifier: BSD-3-Clause
#include "support/simulated_problem.hpp"

#include <map>
#include <random>

#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test {

using Eigen::VectorXd;

Noise uniform_noise(int nv, double position, double velocity, double effort, double disturbance) {
  Noise out;
  out.position = VectorXd::Constant(nv, position);
  out.velocity = VectorXd::Constant(nv, velocity);
  if (effort > 0) out.effort = VectorXd::Constant(nv, effort);
  out.disturbance_position = VectorXd::Constant(nv, 1e-3 * disturbance);
  out.disturbance_velocity = VectorXd::Constant(nv, disturbance);
  out.initial_position = VectorXd::Constant(nv, 1e-2);
  out.initial_velocity = VectorXd::Constant(nv, 1e-1);
  return out;
}

namespace {

std::shared_ptr<const Dynamics> make_dynamics() {
  TempFolder folder;
  Config config;
  config.model.urdf = folder.temp_file(small_urdf, ".urdf");
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace();
  config.parameters.friction->stiction = false;
  config.parameters.armature.emplace();
  config.parameters.set["inertia.hand.hx"].fixed = true;
  const Robot robot = read_robot(config.model);
  return std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
}

SimulatedProblem make_simulated_problem(int num_recordings) {
  SimulatedProblem out;
  out.dynamics = make_dynamics();
  const ParameterSet& parameters = out.dynamics->parameters();
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  out.theta_true = parameters.prior();
  for (Eigen::Index i = 0; i < out.theta_true.size(); ++i) {
    out.theta_true[i] += 0.3 * parameters.prior_std()[i] * normal(random);
  }
  out.noise = uniform_noise(2, 1e-4, 1e-2, 0.05, 1e-4);
  SimulationConfig options;
  options.duration = 4.0;
  options.rate = 100.0;
  options.base_frequency = 0.3;
  for (int i = 0; i < num_recordings; ++i) {
    out.recordings.push_back(simulate(*out.dynamics, out.theta_true, out.noise,
                                      Integrator::semi_implicit_euler, options,
                                      static_cast<unsigned>(11 + i))
                                 .measured);
  }
  out.problem = std::make_shared<const RobotProblem>(out.dynamics, out.recordings, out.noise,
                                                     Integrator::semi_implicit_euler);
  out.solution = solve(*out.problem, {});
  return out;
}

}  // namespace

const SimulatedProblem& simulated_problem(int num_recordings) {
  static std::map<int, SimulatedProblem> made;
  const auto found = made.find(num_recordings);
  if (found != made.end()) return found->second;
  return made.emplace(num_recordings, make_simulated_problem(num_recordings)).first->second;
}

}  // namespace bayesid::test
