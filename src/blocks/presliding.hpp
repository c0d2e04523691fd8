// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/parameters.hpp"

namespace bayesid {

/// Where the spring of a presliding friction stands after a way dq: z ∈ [−1, 1], the share of its
/// force that acts.                                             docs/math/parameters.md (13b)
double presliding_step(double z, double dq, double distance);

/// z of each presliding drive along a motion that begins with relaxed springs, a column for each
/// sample. `position` has a row for each velocity; rows of a floating base are not looked at.
Eigen::MatrixXd presliding_along(const ParameterSet& parameters, const Eigen::MatrixXd& position);

/// Means over a window of time around each sample.
Eigen::MatrixXd smoothed_positions(const Eigen::VectorXd& time, const Eigen::MatrixXd& position,
                                   double window);

}  // namespace bayesid
