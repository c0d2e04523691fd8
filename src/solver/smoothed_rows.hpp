// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/stage.hpp"
#include "solver/riccati_sweep.hpp"

namespace bayesid {

/// The noise ε of a stage by its first state and ζ, given all data:
///   ε = −K δx + Y δζ + a rest of covariance F⁻¹                    docs/math/riccati.md (32)
struct NoiseSolution {
  Eigen::MatrixXd K, Y, whitened;  // whitened: L⁻¹ with L Lᵀ = F
  /// `C` and `G` are D K of the stage and G'; both empty when ζ is known.
  NoiseSolution(const RiccatiSweep& sweep, int k, const Stage& stage, const Eigen::MatrixXd& C,
                const Eigen::MatrixXd& G);
};

/// What is expected of the residuals at the solution, in configured standard deviations: their
/// variance, below 1 because the solution follows its data. `P`: covariance of the state for known
/// parameters; `X`: ∂x/∂ζ, `X_next` at the next node, `zeta_cov` of ζ (empty: known).   (33), (34)
Eigen::VectorXd node_residual_variance(const SensorRows& rows, const Eigen::MatrixXd& P,
                                       const Eigen::MatrixXd& X, const Eigen::MatrixXd& zeta_cov);
struct SmoothedEnds {
  const Eigen::MatrixXd &P, &X, &X_next, &zeta_cov;
};
Eigen::VectorXd stage_residual_variance(const Stage& stage, const SensorRows& rows,
                                        const NoiseSolution& noise_solution,
                                        const SmoothedEnds& ends);

}  // namespace bayesid
