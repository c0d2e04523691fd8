// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <optional>

#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/problem/recording.hpp"
#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/simulation/motion_table.hpp"

namespace bayesid {

/// A synthetic log and the truth behind it.
struct Simulation {
  Recording measured;
  Eigen::MatrixXd configuration;         // nq × samples, true
  Eigen::MatrixXd position, velocity;    // nv × samples, true; numbers as make_configuration's
  Eigen::MatrixXd acceleration, effort;  // nv × (samples − 1), true
  Eigen::MatrixXd thrust;                // rotors × (samples − 1), true
  Eigen::MatrixXd closed;                // contacts × samples: 1 from a touchdown to the lift-off
  double drift = 0;                      // largest distance of loops from closed, m or rad
};

/// The robot follows a sum of sines or a given motion, walks, or flies on its rotors, under a
/// computed-torque controller; the discrete dynamics are those the estimator assumes, x' = Ψ(x, a)
/// ⊕ P w, with forces and constraints exact at θ, and touchdowns as inelastic impacts. Noise as
/// given; the same seed gives the same log, and without one nothing has an error.
Simulation simulate(const Dynamics& dynamics, const Eigen::VectorXd& theta, const Noise& noise,
                    Integrator integrator, const SimulationConfig& options,
                    std::optional<unsigned> seed, const MotionConstraints& constraints = {},
                    Projection projection = Projection::kinematic,
                    const MotionTable* motion = nullptr);

}  // namespace bayesid
