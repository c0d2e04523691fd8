// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/result.hpp"

namespace bayesid {

/// Work of motors (as measured) and rotors, change of kinetic and potential energy, and losses in
/// friction and impacts of the model θ along a path.                 docs/math/energy.md (1)-(8)
EnergyFlow make_energy_flow(const RobotProblem& problem, const Eigen::VectorXd& theta,
                            int trajectory, const Path& path);

}  // namespace bayesid
