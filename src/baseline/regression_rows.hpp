// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "baseline/sampled_motion.hpp"
#include "math/condensed_rows.hpp"

namespace bayesid {

/// Rows [∂r/∂ζ, r] of a regression at one model, condensed: by fold (contiguous parts of the
/// samples), then by group (rows with a noise of their own: joints).
struct RegressionRows {
  std::vector<std::vector<CondensedRows>> folds;

  int num_groups() const { return static_cast<int>(folds[0].size()); }
  /// All folds but one (−1: all), each group divided by its std.
  CondensedRows joined(const Eigen::VectorXd& std, int without = -1) const;
  CondensedRows fold(const Eigen::VectorXd& std, int fold) const;
  /// Root mean square of each group when ζ changes by dζ.
  Eigen::VectorXd rms(const Eigen::VectorXd& dzeta) const;
};

/// What is regressed: samples of all recordings in a motion, and how they are cut and thinned.
struct RegressionData {
  const RobotProblem& problem;
  const std::vector<SampledMotion>& motions;
  int num_folds = 1;
  int stride = 1;  // every so many samples
  int num_threads = 1;
};

/// The balance of forces at each sample, without the forces of constraints.
///                                                                  docs/math/baselines.md (5), (6)
RegressionRows effort_rows(const RegressionData& data, const DynamicsAt& model);

/// Noise of the rows of each group as configured: of the efforts; their root mean square when
/// they are exact.                                                  docs/math/baselines.md (7)
Eigen::VectorXd claimed_effort_std(const RegressionData& data, const DynamicsAt& model);

/// The balance of energy between any two samples `interval` apart.  docs/math/baselines.md (12)
RegressionRows energy_rows(const RegressionData& data, const DynamicsAt& model, int interval);

}  // namespace bayesid
