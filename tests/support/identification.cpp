// SPDX-License-Identifier: BSD-3-Clause
#include "support/identification.hpp"

#include <cmath>
#include <random>

#include "blocks/inertia_block.hpp"

namespace bayesid::test {

using Eigen::VectorXd;

namespace {

std::string last_word(const Parameter& parameter) {
  return parameter.name.substr(parameter.name.rfind('.') + 1);
}

/// Where friction bends.
bool is_slope(const Parameter& parameter) {
  const std::string last = last_word(parameter);
  return last == "mu1" || last == "mu2" || last == "mu4";
}

/// Priors of all parameters moved away from the truth: logarithms of positive quantities by log(1 ±
/// e), first moments by ± e of their size, axes turned by e rad, the shape of friction by one
/// standard deviation.
Config with_wrong_prior(const Config& config, const ParameterSet& truth,
                        const IdentificationOptions& options, std::mt19937_64& random) {
  Config out = config;
  std::bernoulli_distribution coin;
  std::normal_distribution<double> normal;
  for (const Parameter& parameter : truth.all()) {
    if (parameter.fixed) continue;
    const double sign = coin(random) ? 1.0 : -1.0, error = options.prior_error;
    const std::string last = last_word(parameter);
    double shift = std::log1p(sign * error);
    if (last[0] == 'h')
      shift = sign * error * std::max(std::abs(parameter.prior), 0.3 * parameter.std);
    if (last[0] == 'w') shift = sign * error / std::sqrt(3.0);
    if (is_slope(parameter)) shift = sign * parameter.std * error;
    if (last == "moment") shift = sign * error * std::abs(parameter.prior);
    if (options.prior_is_drawn) shift = parameter.std * normal(random);
    out.parameters.set[parameter.name] = {.prior = parameter.prior + shift,
                                          .std = parameter.std * options.prior_std_scale};
  }
  return out;
}

/// The same wrong bodies, drawn in the exponential–eigenvalue coordinates and written in the chart
/// of the configuration; their std are those of the chart.
Config with_wrong_bodies(const Config& config, const Robot& robot, const ParameterSet& truth,
                         const IdentificationOptions& options, std::mt19937_64& random) {
  Config plain = config;
  plain.parameters.inertia->parametrisation = "ee";
  Config out = with_wrong_prior(plain, ParameterSet(robot, plain), options, random);
  const ParameterSet wrong(robot, out);
  out.parameters.inertia->parametrisation = config.parameters.inertia->parametrisation;
  std::erase_if(out.parameters.set,
                [](const auto& one) { return one.first.starts_with("inertia."); });
  const auto links = blocks::estimated_links(truth.list());
  const auto bodies = wrong.link_inertias(wrong.prior());
  for (size_t i = 0; i < links.size(); ++i) {
    const auto theta = links[i].inertia->chart().inverse(bodies[i].second).value();
    for (int k = 0; k < 10; ++k) {
      const Parameter& parameter = truth.all()[links[i].first + k];
      out.parameters.set[parameter.name] = {.prior = theta[k],
                                            .std = parameter.std * options.prior_std_scale};
    }
  }
  return out;
}

}  // namespace

void fix_slopes(Config& config) {
  const Robot robot = read_robot(config.model);
  const ParameterSet parameters(robot, config);
  for (const Parameter& parameter : parameters.all()) {
    if (is_slope(parameter)) config.parameters.set[parameter.name].fixed = true;
  }
}

Config with_gait(Config config, const std::string& gait) {
  for (ContactConfig& contact : config.model.contacts) contact.kd = 100;
  config.parameters.friction->stiction = false;
  config.parameters.friction->prior = {{"coulomb", 0.3}, {"viscous", 0.1}, {"coulomb_slope", 20.0}};
  fix_slopes(config);
  config.simulation.duration = 1.0;
  config.simulation.rate = 400;
  config.simulation.harmonics = 3;
  config.simulation.base_frequency = 0.5;
  config.simulation.gait = GaitConfig{.type = gait, .body_motion = gait == "trot" ? 0.01 : 0.03};
  return config;
}

Config two_joint_config() {
  Config config;
  config.solver.integrator = Integrator::semi_implicit_euler;
  config.model.urdf = std::string(BAYESID_SOURCE) + "/data/models/two_joint_arm.urdf";
  config.parameters.inertia.emplace();
  config.parameters.friction.emplace();
  config.parameters.friction->stiction = false;
  config.parameters.friction->prior = {{"coulomb_slope", 20.0}};
  fix_slopes(config);
  return config;
}

IdentificationOptions arm_options() {
  IdentificationOptions out;
  out.simulation = {
      .duration = 4.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0};
  out.noise = make_noise(7, {});
  return out;
}

IdentificationOptions two_joint_options() {
  IdentificationOptions out;
  out.simulation = {
      .duration = 2.0, .rate = 200.0, .harmonics = 5, .base_frequency = 0.5, .amplitude = 1.2};
  out.noise = make_noise(2, {.position = 2e-4,
                             .velocity = 5e-3,
                             .effort = 0.1,
                             .disturbance_position = 1e-5,
                             .disturbance_velocity = 1e-3});
  out.prior_is_drawn = true;
  return out;
}

Noise make_noise(int nv, const NoiseLevels& levels) {
  const auto all = [&](double value) { return VectorXd(VectorXd::Constant(nv, value)); };
  Noise out;
  out.position = all(levels.position);
  out.velocity = all(levels.velocity);
  if (levels.effort > 0) out.effort = all(levels.effort);
  out.disturbance_position = all(levels.disturbance_position);
  out.disturbance_velocity = all(levels.disturbance_velocity);
  out.initial_position = out.position;
  out.initial_velocity = out.velocity;
  return out;
}

Noise silent(const Noise& noise) {
  Noise out = noise;
  for (VectorXd* std : {&out.position, &out.velocity, &out.effort, &out.thrust,
                        &out.disturbance_position, &out.disturbance_velocity})
    std->setZero();
  for (auto& [frame, pose] : out.poses) pose = {.position = 0.0, .orientation = 0.0};
  for (auto& [name, wrench] : out.wrenches) {
    for (std::optional<double>* std : {&wrench.force, &wrench.torque}) {
      if (*std) *std = 0.0;
    }
  }
  return out;
}

Identification make_identification(const Config& config, const IdentificationOptions& options,
                                   unsigned seed) {
  std::mt19937_64 random(seed);
  const Robot robot = read_robot(config.model);
  const ParameterSet truth(robot, config);
  Identification out;
  out.truth = truth.prior();
  const Dynamics true_dynamics(robot, truth);
  const bool is_ee =
      !config.parameters.inertia || config.parameters.inertia->parametrisation == "ee";
  const Config wrong = is_ee || options.prior_is_drawn
                           ? with_wrong_prior(config, truth, options, random)
                           : with_wrong_bodies(config, robot, truth, options, random);
  out.dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, wrong));
  const Noise noise = options.noise_free ? silent(options.noise) : options.noise;
  const MotionConstraints constraints = make_constraints(robot, config);
  std::vector<Recording> recordings;
  for (int i = 0; i < options.num_logs; ++i) {
    out.simulations.push_back(simulate(true_dynamics, out.truth, noise, config.solver.integrator,
                                       options.simulation, seed * 1000 + static_cast<unsigned>(i),
                                       constraints, config.disturbance.projection));
    recordings.push_back(out.simulations.back().measured);
  }
  out.problem = std::make_unique<RobotProblem>(
      out.dynamics, recordings, options.noise, config.solver.integrator,
      ProblemOptions{.constraints = constraints,
                     .projection = config.disturbance.projection,
                     .formulation = config.solver.dynamics});
  return out;
}

ActingState acting_state(const RobotProblem& problem, const Path& path, int k, const VectorXd& q,
                         const VectorXd& v) {
  const bool is_impact = problem.timeline(0).stages[k].impact;
  const auto num_drives = std::ssize(problem.dynamics().parameters().drives());
  const Eigen::Index nv = v.size();
  if (problem.integrator() != Integrator::midpoint || is_impact)
    return {q, v, {VectorXd::Zero(num_drives), VectorXd::Zero(nv)}};
  const auto lagged = path.lagged.col(k);
  const double half = 0.5 * problem.timeline(0).stages[k].dt;
  ActingState out{VectorXd(q.size()),
                  v + lagged.segment(nv, nv),
                  {lagged.tail(num_drives), lagged.segment(nv, nv) / half}};
  integrate(problem.dynamics().robot(), q, lagged.head(nv), out.q);
  return out;
}

Identification make_identification(const Config& config, double prior_error) {
  IdentificationOptions options;
  options.simulation = config.simulation;
  const Robot robot = read_robot(config.model);
  options.noise = make_noise(robot.nv(), {});
  options.noise.poses = config.measurements.poses;
  // Of the base, its first pose and the difference of the first two are known.
  options.noise.initial_position.head(robot.base_nv()).setConstant(1e-2);
  options.noise.initial_velocity.head(robot.base_nv()).setConstant(1.0);
  options.prior_error = prior_error;
  return make_identification(config, options, 1);
}

}  // namespace bayesid::test
