// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/trajectory.hpp"

namespace bayesid {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// How acceleration and noise of a floating base move its next pose.
struct BaseTurns {
  Matrix6 acceleration_to_q, noise_to_q;
};

/// What a stage keeps between its linearisation and the step. Matrices have the size that the stage
/// needs, which changes with its mode alone: nothing allocates once every stage has been seen.
struct StageRecord {
  Eigen::MatrixXd Z;     // motions that forces and constraints leave free
  Eigen::MatrixXd C;     // left inverse of the noise's basis; empty: noise is not projected
  Eigen::VectorXd a, n;  // inputs at which it was linearised
  // Where the projection of the noise moves with θ: what the constraints take of it; else empty.
  Eigen::VectorXd excess_q, excess_v;
  Eigen::MatrixXd rotor_force;      // columns f_r
  std::unique_ptr<BaseTurns> base;  // null: it is fixed
  Eigen::MatrixXd R_zeta;           // of the rows of the stage
  Eigen::VectorXd open_window;  // what it adds to the open window of energy, by ζ; empty: nothing

  /// Makes room for a floating base and tells where.
  BaseTurns& make_base() {
    if (!base) base = std::make_unique<BaseTurns>();
    return *base;
  }
  bool noise_moves() const { return excess_q.size() > 0; }
  double bytes() const;
};

class StageRecords final : public Trajectory::Records {
 public:
  explicit StageRecords(int num_stages) : stages(num_stages) {}
  double bytes() const override;
  std::vector<StageRecord> stages;
};

}  // namespace bayesid
