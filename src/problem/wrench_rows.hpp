// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// What all sensors of contact forces see in one stage; the first n rows (columns) count.
/// docs/math/observation.md (7)-(12)
struct WrenchRows {
  WrenchRows(int max_rows, int nv, int num_efforts)
      : sensor(max_rows),
        channel(max_rows),
        variance(Eigen::VectorXd::Zero(max_rows)),
        e(variance),
        r(variance),
        p(variance),
        gamma(Eigen::VectorXd::Zero(2 * nv)),
        F(Eigen::MatrixXd::Zero(nv, max_rows)),
        MF(F),
        by_effort(Eigen::MatrixXd::Zero(num_efforts, max_rows)),
        X(Eigen::MatrixXd::Zero(2 * nv, max_rows)),
        H(X),
        H_x(X),
        V(Eigen::MatrixXd::Zero(max_rows, max_rows)),
        RD(Eigen::MatrixXd::Zero(max_rows, 3 * nv)) {}

  int n = 0;
  std::vector<int> sensor, channel;  // of each row
  Eigen::VectorXd variance;          // of the sensors
  Eigen::VectorXd e;                 // what is expected of the row less what was measured
  Eigen::VectorXd r;                 // whitened
  Eigen::VectorXd p;                 // V⁻¹ e
  Eigen::VectorXd gamma;             // multiplier of the transition, the forces' share included
  Eigen::MatrixXd F, MF;             // a force b on the robot adds Fᵀ b to the rows; M F
  Eigen::MatrixXd by_effort;         // Λᵀ: what a std of each effort adds
  Eigen::MatrixXd X, H, H_x;         // L⁻¹ G Λᵀ; Hᵀ by the noise of the transition, and by x'
  Eigen::MatrixXd V, RD;             // lower Cholesky factor of the rows' covariance; R_y D
};

}  // namespace bayesid
