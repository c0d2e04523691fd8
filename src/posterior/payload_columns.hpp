// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/dynamics.hpp"

namespace bayesid::posterior {

/// Efforts that hold a payload on the last links of a robot. docs/math/model_error.md (6)
class PayloadColumns {
 public:
  explicit PayloadColumns(const Robot& robot);
  /// At a configuration: nv × 4 for each last link, of a unit mass at the origin of its body and of
  /// unit first moments along its axes.
  const Eigen::MatrixXd& at(const Eigen::VectorXd& q);
  /// Columns that joint j carries; empty when more than three last links hang on it.
  std::vector<Eigen::Index> columns_of(Eigen::Index j) const;

 private:
  const Robot& robot_;
  Kinematics kinematics_;
  std::vector<int> bodies_;  // last links
  std::vector<std::vector<bool>> carried_by_;
  Eigen::MatrixXd columns_;
};

}  // namespace bayesid::posterior
