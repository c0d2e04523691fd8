// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/result.hpp"

namespace bayesid {

/// Friction of each drive that has any over the speeds of the logs, before and after the data, with
/// the standard deviation that the parameters' covariance gives it to first order.
std::vector<FrictionCurve> make_friction_curves(const ParameterSet& parameters,
                                                const Eigen::VectorXd& theta,
                                                const Eigen::MatrixXd& theta_cov,
                                                const std::vector<EffortPrediction>& predictions);

/// What was measured of the same: friction of the model plus what it does not explain. Drives of
/// passive joints have none.
std::vector<FrictionCloud> make_friction_clouds(const RobotProblem& problem,
                                                const Eigen::VectorXd& theta,
                                                const std::vector<EffortPrediction>& predictions);

}  // namespace bayesid
