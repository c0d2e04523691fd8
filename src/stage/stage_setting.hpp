// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/constraint.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/integrator.hpp"
#include "bayesid/sensor.hpp"
#include "bayesid/stage.hpp"
#include "state/state_layout.hpp"

namespace bayesid {

/// What all stages of a problem share.
struct StageSetting {
  std::shared_ptr<const Dynamics> dynamics;
  Noise noise;
  Eigen::VectorXd effort_std;  // of efforts, then rotor commands; empty: all are exact
  const IntegratorRule* integrator;
  Projection projection;
  Formulation formulation;
  StageLimits limits;
  StateLayout layout;
  // Sizes that serve every stage of every trajectory.
  int max_rows = 0, max_slips = 0;  // over all modes
  int max_timed_rows = 0;           // of sensors within a stage
  int max_force_numbers = 0;        // of sensors of forces and of limits
  std::vector<int> sensor_columns;  // of ζ, for each of the sensors' parameters; −1: fixed
  int first_row_column = 0;         // of ζ that rows of stages see: the sensors' stand last
  double position_scale = 1, velocity_scale = 1;  // of the disturbance

  const Robot& robot() const { return dynamics->robot(); }
  bool floating() const { return robot().floating; }
  int nq() const { return layout.nq(); }
  int nv() const { return layout.nv(); }
  int nzeta() const { return dynamics->nzeta(); }
  int num_rotors() const { return dynamics->num_rotors(); }
  bool noisy_effort() const { return effort_std.size() > 0; }
  bool has_inequalities() const { return !limits.empty(); }
  int num_row_columns() const { return nzeta() - first_row_column; }

  Steps steps(const StagePlan& plan) const {
    return plan.impact ? Steps{0, 0, 1} : integrator->step(plan.dt);
  }
  bool is_projected(const StagePlan& plan, const Mode& mode) const {
    return !plan.impact && projection != Projection::none && mode.num_rows() > 0;
  }
};

/// rows = turn · rows for the six rows of a floating base, column by column: no temporary matrix.
template <typename Rows>
void turn_base(const Eigen::Matrix<double, 6, 6>& turn, Rows&& rows) {
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    const Eigen::Matrix<double, 6, 1> column = rows.col(j);
    rows.col(j).noalias() = turn * column;
  }
}

}  // namespace bayesid
