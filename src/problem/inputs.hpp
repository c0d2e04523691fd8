// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/dynamics.hpp"
#include "bayesid/problem.hpp"

namespace bayesid {

/// Inputs of Dynamics `after` a sample (s), with the delay of efforts in η taken off; `out` has
/// their size. Without such a delay efforts are held from sample to sample.
/// docs/math/parameters.md (14a)
void read_inputs(const Dynamics& dynamics, const PhysicalParameters& eta,
                 const Recording& recording, Eigen::Index sample, double after,
                 Eigen::VectorXd& out);
/// As recorded.
Eigen::VectorXd inputs_at(const Dynamics& dynamics, const Recording& recording,
                          Eigen::Index sample);
Eigen::VectorXd inputs_at(const Dynamics& dynamics, const PhysicalParameters& eta,
                          const Recording& recording, Eigen::Index sample, double after);

/// Derivatives of the recorded efforts, smoothed, nv × samples.
Eigen::MatrixXd effort_rates(const Recording& recording);

}  // namespace bayesid
