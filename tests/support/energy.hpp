// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/identification.hpp"

namespace bayesid::test {

/// Robots on a fixed and on a floating base, in contact, with a loop, and with rotors; a tenth of a
/// second, sampled at 200 Hz.
std::vector<std::pair<std::string, Config>> energy_configs();

/// The problem of a simulated log with the balance of energy over windows of stages; 0: without.
RobotProblem with_energy(const Identification& identification, int window);

/// Stage k of the first trajectory.
Stage linearised(const RobotProblem& problem, const Point& point, int k);

/// The start with velocities, multipliers and parameters of its own.
Point off_start(const RobotProblem& problem, unsigned seed);

/// Nodes `first`, first + 1, … of the first trajectory moved by 2 nv numbers each, then θ.
Point moved(const RobotProblem& problem, const Point& point, int first,
            const Eigen::VectorXd& change);

}  // namespace bayesid::test
