// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Which number of which sensor a row is, as the problem counts them.
struct RowName {
  int sensor = 0, channel = 0;
  bool operator==(const RowName&) const = default;
};

/// What sensors say at a node and in the stage behind it, row by row.
///   at the node    r + R δx, whitened: the rows of its Q and q, the prior of the first state aside
///   in the stage   its first rows, one for each of `stage`; rows behind them are of no sensor
/// Residuals of the stage's sensors, in stated standard deviations, are sums of its noise and rows:
///   by_noise ε + by_rows (r + R_x δx + R_y δx')
/// one for each of `stage`, then one for each of `inputs`: sensors whose error moves the state.
struct SensorRows {
  std::vector<RowName> node, stage, inputs;
  Eigen::MatrixXd R;
  Eigen::VectorXd r;
  Eigen::MatrixXd by_noise, by_rows;

  void clear() {
    node.clear();
    stage.clear();
    inputs.clear();
    R.resize(0, 0);
    r.resize(0);
    by_noise.resize(0, 0);
    by_rows.resize(0, 0);
  }
};

}  // namespace bayesid
