// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/sensor.hpp"
#include "bayesid/trajectory.hpp"
#include "stage/stage_setting.hpp"

namespace bayesid {

/// A sample of a sensor h seconds after the start of a stage; `delay` among the sensors'
/// parameters, −1: none.
struct SampleWithin {
  const Sensor& sensor;
  int sample;
  double h;
  bool delayed;
};

/// Residual of a sample within a stage, with its derivatives by both ends and by its delay. With
/// ā = (v' − v)/dt the motion h after the start of the stage is
///   q ⊕ (h v + c ā),   v + h ā,   ā         c as the integrator has it
/// Memory of one thread; nothing allocates after the constructor. docs/math/problem.md (8)-(10)
class TimedRows {
 public:
  TimedRows(const StageSetting& setting, int max_rows, Kinematics& kinematics);

  /// False when it has no rows; the residual is the caller's.
  bool evaluate(const SampleWithin& sample, const StagePlan& plan, int k, const Path& path,
                const Eigen::VectorXd& parameters, Order order, Residual& residual);

  Eigen::MatrixXd R_x, R_y;  // the first rows count
  Eigen::VectorXd R_delay;

 private:
  const StageSetting& setting_;
  Instant instant_;
  Eigen::VectorXd q_, step_, drift_;
  Eigen::Matrix<double, 6, 6> step_q_, step_u_;
};

}  // namespace bayesid
