// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/block.hpp"
#include "bayesid/config.hpp"

namespace bayesid::blocks {

/// Means and std of `parameters.prior_from` for the parameters it knows.
void take_earlier_result(const Config& config, ParameterList& list);

/// Writes the inverse of its covariance into the precision of θ; false when it knows nothing of θ.
/// Parameters with a prior of their own in `parameters.set` are independent of the earlier result.
///                                                                  docs/math/parameters.md (20)
bool set_earlier_precision(const Config& config, const ParameterList& list,
                           Eigen::MatrixXd& precision);

}  // namespace bayesid::blocks
