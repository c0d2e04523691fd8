// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/problem.hpp"
#include "bayesid/simulate.hpp"

namespace bayesid::test {

/// A simulated identification: truth, and the problem with a prior that is wrong.
struct Identification {
  Eigen::VectorXd truth;                     // θ*
  std::shared_ptr<const Dynamics> dynamics;  // its parameters have the wrong prior
  std::vector<Simulation> simulations;
  std::unique_ptr<RobotProblem> problem;
};

struct IdentificationOptions {
  SimulationConfig simulation;
  Noise noise;               // of both the simulation and the estimator
  bool noise_free = false;   // the log has no noise, whatever the estimator assumes
  double prior_error = 0.7;  // relative, with a random sign for each parameter …
  bool prior_is_drawn =
      false;  // … or the prior's mean is drawn around the truth with the prior's own std
  double prior_std_scale = 1.0;  // weakens the prior
  int num_logs = 1;
};

/// Four seconds of a 7-joint arm, encoders and noisy efforts, prior 70 % wrong.
IdentificationOptions arm_options();

/// Two seconds of the two-joint arm with noise on everything, the prior drawn around the truth: for
/// calibration.
IdentificationOptions two_joint_options();

/// The configuration's priors are the truth; the problem's are `prior_error` away from it.
Identification make_identification(const Config& config, const IdentificationOptions& options,
                                   unsigned seed);

/// One log of the configuration's own motion, with the noise of make_noise and its pose sensors.
Identification make_identification(const Config& config, double prior_error);

/// Two joints, all parameters but the shape of friction; the file stands in data/models.
Config two_joint_config();

/// Slopes of friction known, so that effort is linear in what is left.
void fix_slopes(Config& config);

/// A legged robot that stands or trots for a second, sampled at 400 Hz: its contacts do not drift,
/// and its joints have Coulomb and viscous friction with known slopes.
Config with_gait(Config config, const std::string& gait);

/// The same standard deviation for every joint.
struct NoiseLevels {
  double position = 1e-4, velocity = 1e-2, effort = 0.1;  // effort 0: exact
  double disturbance_position = 1e-6, disturbance_velocity = 1e-4;
};
Noise make_noise(int nv, const NoiseLevels& levels);

/// Where the forces of stage k act when it starts at (q, v): with the midpoint rule, half a step
/// on.
struct ActingState {
  Eigen::VectorXd q, v;
  StepInertia step;  // zero but for the midpoint rule
};
ActingState acting_state(const RobotProblem& problem, const Path& path, int k,
                         const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// The same sensors without an error, and no disturbance: for simulations.
Noise silent(const Noise& noise);

}  // namespace bayesid::test
