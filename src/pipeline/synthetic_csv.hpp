// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/config.hpp"
#include "bayesid/parameters.hpp"
#include "bayesid/simulate.hpp"

namespace bayesid::pipeline {

/// time, q.<joint>, v.<joint>, tau.<joint>, thrust.<rotor>, pose.<frame>, contact.<name>: what the
/// sensors say.
std::string log_csv(const Robot& robot, const ModelConfig& model, const Simulation& simulation);

/// time, q, v, a, tau of each joint, thrust of each rotor: what was true.
std::string truth_csv(const Robot& robot, const ModelConfig& model, const Simulation& simulation);

/// Parameters in estimation coordinates and in physical units.
std::string truth_json(const ParameterSet& parameters, const Eigen::VectorXd& theta, unsigned seed);

}  // namespace bayesid::pipeline
