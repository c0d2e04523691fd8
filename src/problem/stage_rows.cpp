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
  const Schedule& schedule = this->schedule(at, trajectory);
  for (int i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
    const Seen& seen = schedule.seen[i];
    if (!look(at, trajectory, k, path, seen, Order::derivatives, s)) continue;
    const Residual& residual = s.residuals[seen.sensor];
    const Sensor& sensor = trajectories_[trajectory].sensors[seen.sensor];
    const int n = residual.rows;
    out.r.segment(out.nr, n) = residual.r.head(n);
    out.R_x.middleRows(out.nr, n) = s.R_x.topRows(n);
    out.R_y.middleRows(out.nr, n) = s.R_y.topRows(n);
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
  if (noise_.energy && look_at_energy(at, trajectory, k, path, Order::derivatives, s)) {
    out.r[out.nr] = s.r_energy;
    out.R_x.row(out.nr) = s.R_x.row(0);
    out.R_y.row(out.nr) = s.R_y.row(0);
    out.R_zeta.row(out.nr) = s.R_energy.transpose();
    ++out.nr;
  }
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
  if (noise_.energy && look_at_energy(at, trajectory, k, path, Order::value, s))
    parts[parts.size() - 1] += 0.5 * s.r_energy * s.r_energy;
}

/// Work of the motors as measured: dt ½(v̂ + v̂')·(gain τ̂ + offset), v̂ the estimate where it was
/// not measured. Derivatives are taken off R_x, R_y (its first row) and R_energy.
double RobotProblem::measured_work(const DynamicsAt& model, int trajectory, int k, Order order,
                                   Scratch& s) const {
  const Recording& recording = recordings_[trajectory];
  const Timeline& timeline = trajectories_[trajectory].timeline;
  const PhysicalLayout& layout = dynamics_->parameters().layout();
  const std::vector<int>& entries = dynamics_->coordinates().entries;
  const int nv = dynamics_->nv();
  const int from = timeline.nodes[k].sample, to = timeline.nodes[k + 1].sample;
  const double dt = plan(trajectory, k).dt;
  double work = 0;
  for (int j = 0; j < nv; ++j) {
    if (model.eta.gain[j] == 0) continue;
    const double effort = model.eta.gain[j] * s.tau[j] + model.eta.offset[j];
    const double v = from < 0 || to < 0
                         ? std::nan("")
                         : 0.5 * (recording.velocity(j, from) + recording.velocity(j, to));
    const bool is_measured = !std::isnan(v);
    s.drift[j] = is_measured ? v : s.between.v[j];
    work += dt * s.drift[j] * effort;
    if (order == Order::value || is_measured) continue;
    s.R_x(0, nv + j) -= 0.5 * dt * effort;
    s.R_y(0, nv + j) -= 0.5 * dt * effort;
  }
  if (order == Order::value) return work;
  for (int i = 0; i < dynamics_->nzeta(); ++i) {
    const int gain = entries[i] - layout.gain(0), offset = entries[i] - layout.offset(0);
    if (gain >= 0 && gain < nv) s.R_energy[i] -= dt * s.drift[gain] * s.tau[gain];
    if (offset >= 0 && offset < nv) s.R_energy[i] -= dt * s.drift[offset];
  }
  return work;
}

/// r = (E(x') − E(x) + dt v̄·τ_f(v̄) − work)/σ with v̄ = ½(v + v'). docs/math/energy.md (6)
bool RobotProblem::look_at_energy(const At& at, int trajectory, int k, const Path& path,
                                  Order order, Scratch& s) const {
  const StagePlan& plan = this->plan(trajectory, k);
  if (plan.impact) return false;
  const DynamicsAt& model = dynamics_at(at);
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  const double weight = 1 / *noise_.energy;
  s.q = path.x.col(k).head(nq);
  s.between.v = path.x.col(k).tail(nv);
  dynamics_->energy(model, s.q, s.between.v, order, s.dynamics, s.energy);
  s.q = path.x.col(k + 1).head(nq);
  s.between.v = path.x.col(k + 1).tail(nv);
  dynamics_->energy(model, s.q, s.between.v, order, s.dynamics, s.energy_next);
  s.between.v = 0.5 * (path.x.col(k).tail(nv) + path.x.col(k + 1).tail(nv));
  dynamics_->dissipation(model, s.between.v, order, s.dissipation);
  if (order == Order::derivatives) {
    s.R_x.row(0).head(nv) = -s.energy.dE_dq.transpose();
    s.R_x.row(0).tail(nv) = (0.5 * plan.dt * s.dissipation.dP_dv - s.energy.dE_dv).transpose();
    s.R_y.row(0).head(nv) = s.energy_next.dE_dq.transpose();
    s.R_y.row(0).tail(nv) = (0.5 * plan.dt * s.dissipation.dP_dv + s.energy_next.dE_dv).transpose();
    s.R_energy = s.energy_next.dE_dzeta - s.energy.dE_dzeta + plan.dt * s.dissipation.dP_dzeta;
  }
  const double work = measured_work(model, trajectory, k, order, s);
  s.r_energy =
      weight * (s.energy_next.value - s.energy.value + plan.dt * s.dissipation.value - work);
  if (order == Order::derivatives) {
    s.R_x.row(0) *= weight;
    s.R_y.row(0) *= weight;
    s.R_energy *= weight;
  }
  return true;
}

}  // namespace bayesid
