// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/math/sensor_rows.hpp"
#include "bayesid/math/stage.hpp"
#include "solver/riccati_sweep.hpp"

namespace bayesid {

/// How the noise ε of a stage answers to its first state and to ζ once all data are known:
///   ε = −K δx + Y δζ + a rest of covariance F⁻¹                    docs/math/riccati.md (32)
struct NoiseAnswer {
  Eigen::MatrixXd K, Y, whitened;  // whitened: L⁻¹ with L Lᵀ = F
  /// `C` and `G` are D K of the stage and G' as it sees it; both empty when ζ is known.
  NoiseAnswer(const RiccatiSweep& sweep, int k, const Stage& stage, const Eigen::MatrixXd& C,
              const Eigen::MatrixXd& G);
};

/// What is expected of the residuals at the solution, in stated standard deviations: their
/// variance, below 1 because the solution follows its data. `P`: covariance of the state for known
/// parameters; `X`: ∂x/∂ζ, `X_next` at the next node, `zeta_cov` of ζ (empty: known).   (33), (34)
Eigen::VectorXd node_residual_variance(const SensorRows& rows, const Eigen::MatrixXd& P,
                                       const Eigen::MatrixXd& X, const Eigen::MatrixXd& zeta_cov);
struct SmoothedEnds {
  const Eigen::MatrixXd &P, &X, &X_next, &zeta_cov;
};
Eigen::VectorXd stage_residual_variance(const Stage& stage, const SensorRows& rows,
                                        const NoiseAnswer& answer, const SmoothedEnds& ends);

}  // namespace bayesid
