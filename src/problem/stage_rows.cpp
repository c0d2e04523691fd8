// SPDX-License-Identifier: BSD-3-Clause
// What sensors see within a stage: samples at their own times, accelerations, biases, delays.
// docs/math/problem.md (8)-(10)
#include <cmath>

#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Schedule& RobotProblem::schedule(const At& at, int trajectory) const {
  const std::vector<Schedule>& own = static_cast<const RobotAt&>(at).schedules;
  return own.empty() ? *trajectories_[trajectory].schedule : own[trajectory];
}

/// Residual of a sample in s.residuals, its derivatives in R_x, R_y and R_delay; false when it has
/// no rows. With ā = (v' − v)/dt the motion h after the start of the stage is
///   q ⊕ (h v + c ā),   v + h ā,   ā         c = h dt or ½h², as the integrator has it
bool RobotProblem::look(const At& at, int trajectory, int k, const Path& path, const Seen& seen,
                        Order order, Scratch& s) const {
  const Robot& robot = dynamics_->robot();
  const int nq = robot.nq(), nv = robot.nv();
  const double dt = plan(trajectory, k).dt;
  const Sensor& sensor = trajectories_[trajectory].sensors[seen.sensor];
  Residual& residual = s.residuals[seen.sensor];
  Knot& knot = s.between;
  knot.sensor = dynamics_at(at).eta.sensor;
  knot.sample = seen.sample;
  const double h = seen.after - (sensor.delay < 0 ? 0 : knot.sensor[sensor.delay]);
  const bool euler = integrator_ == Integrator::semi_implicit_euler;
  const double c = euler ? h * dt : 0.5 * h * h, dc_dh = euler ? dt : h;
  const auto v = path.x.col(k).tail(nv);
  knot.a = (path.x.col(k + 1).tail(nv) - v) / dt;
  s.between_step = h * v + c * knot.a;
  s.q = path.x.col(k).head(nq);
  integrate(robot, s.q, s.between_step, knot.q);
  knot.v = v + h * knot.a;
  sensor.term->evaluate(knot, order, residual);
  const int n = residual.rows;
  if (n == 0 || order == Order::value) return n > 0;

  auto R_x = s.R_x.topRows(n), R_y = s.R_y.topRows(n);
  const auto dr_dv = residual.dr_dx.block(0, nv, n, nv), dr_da = residual.dr_da.topRows(n);
  auto dr_dq = residual.dr_dx.block(0, 0, n, nv);  // by the step from here on
  R_x.leftCols(nv) = dr_dq;
  if (robot.floating) {
    integrate_jacobians(robot, s.between_step, s.step_q, s.step_u);
    R_x.leftCols<6>() = dr_dq.leftCols<6>().lazyProduct(s.step_q);
    for (int i = 0; i < n; ++i) {
      const Eigen::Matrix<double, 1, 6> row = dr_dq.row(i).head<6>();
      dr_dq.row(i).head<6>().noalias() = row * s.step_u;
    }
  }
  R_y.leftCols(nv).setZero();
  R_y.rightCols(nv) = (c / dt) * dr_dq + (h / dt) * dr_dv + dr_da / dt;
  R_x.rightCols(nv) = h * dr_dq + dr_dv - R_y.rightCols(nv);
  if (sensor.delay < 0) return true;
  s.drift = v + dc_dh * knot.a;
  auto R_delay = s.R_delay.head(n);
  R_delay.noalias() = dr_dq * s.drift;
  R_delay.noalias() += dr_dv * knot.a;
  R_delay = -R_delay;
  return true;
}

void RobotProblem::stage_rows(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                              Stage& out) const {
  const int nv = dynamics_->nv();
  const Schedule& schedule = this->schedule(at, trajectory);
  for (int i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
    const Seen& seen = schedule.seen[i];
    if (!look(at, trajectory, k, path, seen, Order::derivatives, s)) continue;
    const Residual& residual = s.residuals[seen.sensor];
    const Sensor& sensor = trajectories_[trajectory].sensors[seen.sensor];
    const int n = residual.rows;
    out.r.segment(out.nr, n) = residual.r.head(n);
    out.R_x.block(out.nr, 0, n, 2 * nv) = s.R_x.topRows(n);
    out.R_y.block(out.nr, 0, n, 2 * nv) = s.R_y.topRows(n);
    auto R_zeta = out.R_zeta.middleRows(out.nr, n);
    R_zeta.setZero();
    const std::vector<int>& own = own_parameters_[seen.sensor];
    for (size_t j = 0; j < own.size(); ++j) {
      const int column = sensor_columns_[own[j]];
      if (column >= 0)
        R_zeta.col(column) = residual.dr_dsensor.col(static_cast<Eigen::Index>(j)).head(n);
    }
    if (sensor.delay >= 0 && sensor_columns_[sensor.delay] >= 0)
      R_zeta.col(sensor_columns_[sensor.delay]) = s.R_delay.head(n);
    out.nr += n;
  }
  if (noise_.energy) energy_row(at, trajectory, k, path, s, out);
}

void RobotProblem::evaluate_rows(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                                 Eigen::Ref<VectorXd> parts) const {
  const Schedule& schedule = this->schedule(at, trajectory);
  for (int i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
    const Seen& seen = schedule.seen[i];
    if (!look(at, trajectory, k, path, seen, Order::value, s)) continue;
    const Residual& residual = s.residuals[seen.sensor];
    parts[seen.sensor] += 0.5 * residual.r.head(residual.rows).squaredNorm();
  }
  if (noise_.energy) parts[parts.size() - 1] += energy_cost(at, trajectory, k, path, s);
}

}  // namespace bayesid
