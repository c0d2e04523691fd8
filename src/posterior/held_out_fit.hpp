// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid::posterior {

inline constexpr int num_folds = 5;

/// Numbers to explain, in the order of time, with weights.
struct Target {
  Eigen::VectorXd y, weight;

  Eigen::Index size() const { return y.size(); }
  double mean_square() const { return weight.dot(y.cwiseAbs2()) / weight.sum(); }
  /// Blocks of neighbours: enough for a standard error, long enough to be independent.
  int num_blocks() const;
  int block_of(Eigen::Index sample) const;
  /// Blocks in turn: each fold has seen the whole log.
  int fold_of(Eigen::Index sample) const { return block_of(sample) % num_folds; }
};

/// What features explain of samples that were not fitted.
struct HeldOutGain {
  double share = 0;         // of the mean square of y
  double significance = 0;  // gain of all blocks over what chance does
};

/// Of `added` beyond `base`; `added` has one matrix, or one for each fold.
/// docs/math/model_error.md (1)-(3)
HeldOutGain held_out_gain(const Target& target, const Eigen::MatrixXd& base,
                          const std::vector<Eigen::MatrixXd>& added);

/// Weighted least squares of all samples, with the same small ridge.
Eigen::VectorXd fit_features(const Target& target, const Eigen::MatrixXd& features);

}  // namespace bayesid::posterior
