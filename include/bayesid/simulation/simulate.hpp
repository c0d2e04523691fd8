// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/problem/robot_problem.hpp"

namespace bayesid {

/// A synthetic log and the truth behind it.
struct Simulation {
  Recording measured;
  Eigen::MatrixXd position, velocity;    // nv × samples, true
  Eigen::MatrixXd acceleration, effort;  // nv × (samples − 1), true
};

/// The robot follows a sum of sines under a computed-torque controller; the discrete dynamics are
/// those the estimator assumes, x' = Ψ(x, a) ⊕ w, with the balance of forces exact at θ. Noise as
/// given; the same seed gives the same log.
Simulation simulate(const Dynamics& dynamics, const Eigen::VectorXd& theta, const Noise& noise,
                    Integrator integrator, const SimulationConfig& options, unsigned seed);

}  // namespace bayesid
