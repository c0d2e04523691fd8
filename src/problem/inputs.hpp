// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/dynamics.hpp"
#include "bayesid/problem.hpp"

namespace bayesid {

/// Inputs of Dynamics at a sample: efforts, commands of rotors, presliding. `out` has their size.
void read_inputs(const Dynamics& dynamics, const Recording& recording, Eigen::Index sample,
                 Eigen::VectorXd& out);
Eigen::VectorXd inputs_at(const Dynamics& dynamics, const Recording& recording,
                          Eigen::Index sample);

}  // namespace bayesid
