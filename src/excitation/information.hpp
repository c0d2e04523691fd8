// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/config.hpp"
#include "bayesid/problem.hpp"
#include "excitation/constrained_motion.hpp"

namespace bayesid {

/// What is made of the information of a motion about some columns: a cost, and its derivative in
/// the information matrix.                                        docs/math/excitation.md (14)-(15)
struct InformationCost {
  double value = 0;
  Eigen::MatrixXd slope;  // symmetric
};

/// −log det(prior + I) + log det prior: minus the information gained, in nats.
InformationCost gained_information(const Eigen::MatrixXd& prior, const Eigen::MatrixXd& data);

/// log of the mean variance inflation Σ_i I_ii (I⁻¹)_ii / n: 0 for orthogonal columns, and it grows
/// with the condition number of the regressor with columns of equal length.
InformationCost inflated_variance(const Eigen::MatrixXd& data);

/// Directions of ζ that the cost looks at, and their prior.
struct InformationColumns {
  Eigen::MatrixXd columns;  // nζ × columns
  Eigen::MatrixXd prior;    // precision
};

/// θ in units of its prior std; for the condition, an orthonormal basis of what motions can show.
InformationColumns make_columns(const Dynamics& dynamics, const ConstrainedMotion& motion,
                                Criterion criterion);

/// Covariance of the balance of forces: of the efforts, and of the acceleration that is not known
/// because of disturbances and encoders, at the start.             docs/math/excitation.md (7)
Eigen::MatrixXd balance_noise(const Dynamics& dynamics, const ConstrainedMotion& motion,
                              const Noise& noise, const ExcitationConfig& config);

}  // namespace bayesid
