// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/trajectory.hpp"

namespace bayesid {

/// Moves θ from nearby to where the constraints of the parameters hold, by steps that are shortest
/// in the metric (symmetric, positive definite); false when that fails. docs/math/riccati.md (16a)
bool onto_constraints(const ParameterSpace& space, const Eigen::MatrixXd& metric,
                      Eigen::VectorXd& theta);

/// The same from anywhere.
bool find_feasible(const ParameterSpace& space, const Eigen::MatrixXd& metric,
                   Eigen::VectorXd& theta);

}  // namespace bayesid
