// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "bayesid/stage.hpp"

namespace bayesid {

/// What rows say before they and all later ones are known.
struct Innovations {
  Eigen::VectorXd value, std;  // of the whitened residual
};

/// Forward filter over the stages of one trajectory, parameters known, with the covariance of the
/// state as P = S Sᵀ: nothing is ever taken off a covariance, and directions without variance are
/// columns of zeros. Rows are taken in one by one; each has its innovation given all before it, so
/// that innovations over their std are independent, of unit variance.   docs/math/riccati.md
/// (28)-(31)
class InnovationFilter {
 public:
  /// The prior of the first state, ½ δxᵀQ δx + qᵀδx of its node under E δx + e = 0.
  InnovationFilter(const Stage& first, const ArrivalConstraints& arrival);

  /// Rows of the node that was reached.
  Innovations observe(const SensorRows& rows);
  /// On to the next node, with the rows of sensors within the stage.
  Innovations step(const Stage& stage, const SensorRows& rows);

  const Eigen::VectorXd& mean() const { return mean_; }
  Eigen::MatrixXd covariance() const { return root_ * root_.transpose(); }

 private:
  Innovations take_in(Eigen::MatrixXd& rows, Eigen::VectorXd& expected);

  Eigen::VectorXd mean_;
  Eigen::MatrixXd root_;  // S
};

}  // namespace bayesid
