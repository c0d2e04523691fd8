// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/robot/robot.hpp"

namespace bayesid {

/// What sensors see of contact forces in one stage, and what inequalities ask of forces and
/// efforts. Numbers y, linear in the noise of efforts, and rows of least squares, linear in y: the
/// first `num_seen` columns and the first `n` rows count.
/// docs/math/observation.md (7)-(12), docs/math/inequalities.md (5)-(7)
struct ForceRows {
  ForceRows(int most, int nv, int num_efforts)
      : seen(most),
        value(Eigen::VectorXd::Zero(most)),
        mean(value),
        at(value),
        trial(value),
        pi(value),
        pi_trial(value),
        F0(Eigen::MatrixXd::Zero(nv, most)),
        by_effort(Eigen::MatrixXd::Zero(num_efforts, most)),
        X(Eigen::MatrixXd::Zero(2 * nv, most)),
        H(X),
        H_x(X),
        V0(Eigen::MatrixXd::Zero(most, most)),
        S(V0),
        SV0(V0),
        weight(value),
        e_at(value),
        e(value),
        r(value),
        p(value),
        gamma(Eigen::VectorXd::Zero(2 * nv)),
        F(F0),
        MF(F0),
        V(V0),
        RD(Eigen::MatrixXd::Zero(most, 3 * nv)),
        turning(Eigen::MatrixXd::Zero(1, nv)) {}

  /// Where a number comes from.
  struct Seen {
    int sensor = -1, channel = 0;             // of a force sensor; −1: an inequality's
    int limit = 0;                            // of contacts or of efforts
    const FramePlacement* turning = nullptr;  // frame that turns the axes of y with q …
    Eigen::Vector3d turn;                     // … by turn · its angular velocity
  };
  int num_seen = 0, num_sensed = 0;  // the numbers of sensors stand first, those of contacts next
  int num_contact = 0;               // numbers of contacts' cones, three for each
  std::vector<Seen> seen;
  Eigen::VectorXd value;          // y at the measured effort; of sensors less what was measured
  Eigen::VectorXd mean;           // y as the transition tells it
  Eigen::VectorXd at, trial;      // y at the likeliest noise
  Eigen::VectorXd pi, pi_trial;   // y = mean − V₀π
  Eigen::MatrixXd F0, by_effort;  // a force b on the robot adds F₀ᵀ b to y; what stds of efforts do
  Eigen::MatrixXd X, H, H_x;      // L⁻¹ G Λᵀ; Hᵀ by the noise of the transition, and by x'
  Eigen::MatrixXd V0;             // covariance of y, given the transition

  int n = 0;
  Eigen::MatrixXd S, SV0;        // rows by y
  Eigen::VectorXd weight, e_at;  // of the rows: 1/σ², and their values at `at`
  Eigen::VectorXd e, r, p;       // values at the mean; whitened; V⁻¹ e
  Eigen::VectorXd gamma;         // multiplier of the transition, the forces' share included
  Eigen::MatrixXd F, MF;         // F₀ Sᵀ and M F
  Eigen::MatrixXd V, RD;         // lower Cholesky factor of the rows' covariance; R_y D
  Eigen::MatrixXd turning;       // a row by q, of axes that turn
};

}  // namespace bayesid
