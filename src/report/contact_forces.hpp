// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/result.hpp"

namespace bayesid {

/// A sentence for each contact whose estimated normal force, along z of the world, pulls the robot
/// down for more than a little of the time it is closed.
std::vector<std::string> contacts_that_pull(const RobotProblem& problem, const Solution& solution,
                                            const std::vector<PathDetails>& paths);

/// How the forces of each contact that can push stand in its cone.
std::vector<ConeUse> make_cone_uses(const RobotProblem& problem, const Solution& solution,
                                    const std::vector<PathDetails>& paths);

}  // namespace bayesid
