// SPDX-License-Identifier: BSD-3-Clause
// Residuals of each sensor at nodes and within stages, row by row, and their dependence on noise
// and rows. docs/math/problem.md (8)-(10)
#include "bayesid/stage.hpp"

#include <Eigen/LU>
#include <cmath>

#include "math/blas.hpp"
#include "problem/robot_trajectory.hpp"
#include "stage/semidefinite.hpp"
#include "stage/state_limits.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void RobotTrajectory::add_arrival_cost(Scratch& s, Stage& out) const {
  const int n = 2 * setting_->nv();
  const Noise& std = setting_->noise;
  // No stage asks for a balance from before the log: any prior of what the state carries will do.
  out.Q.diagonal().tail(out.Q.rows() - n).setOnes();
  difference(setting_->robot(), log_.q_mean, s.node.q, s.dq);
  s.position_weight = std.initial_position.cwiseAbs2().cwiseInverse();
  s.velocity_weight = std.initial_velocity.cwiseAbs2().cwiseInverse();
  out.Q.diagonal().head(n) << s.position_weight, s.velocity_weight;
  out.q.head(n) << s.position_weight.cwiseProduct(s.dq),
      s.velocity_weight.cwiseProduct(s.node.v - log_.v_mean);
  if (!setting_->floating()) return;
  // x₀ ⊖ x̄₀ of the base bends: its derivative is that of the logarithm.
  integrate_jacobians(setting_->robot(), s.dq, s.base_q, s.base_u);
  const Matrix6 J = s.base_u.inverse();
  const Eigen::Matrix<double, 6, 1> weight =
      std.initial_position.head<6>().cwiseAbs2().cwiseInverse();
  out.q.head<6>() = J.transpose() * weight.cwiseProduct(s.dq.head<6>());
  out.Q.topLeftCorner<6, 6>() = J.transpose() * weight.asDiagonal() * J;
}

void RobotTrajectory::add_node_cost(int k, const Path& path, Scratch& s, Stage& out) const {
  const int n = 2 * setting_->nv();
  out.Q.setZero();
  out.q.setZero();
  if (k == 0) add_arrival_cost(s, out);
  for (std::size_t i = 0; k > 0 && s.node.sample >= 0 && i < s.residuals.size(); ++i) {
    Residual& residual = s.residuals[i];
    const SensorTrack& track = log_.tracks[i];
    if (track.is_timed()) continue;
    track.sensor->evaluate(s.node, Order::derivatives, residual);
    if (residual.rows == 0) continue;
    const auto J = residual.dr_dx.topRows(residual.rows);
    out.q.head(n).noalias() += J.transpose() * residual.r.head(residual.rows);
    blas::multiply(1.0, J, Op::transposed, J, Op::plain, 1.0, out.Q.topLeftCorner(n, n));
  }
  if (has_inequalities()) add_state_limits(*setting_, k, path, out);
}

bool RobotTrajectory::evaluate_sample(const RobotAt& at, const TimedSample& sample, int k,
                                      const Path& path, Order order, Scratch& s) const {
  const SensorTrack& track = log_.tracks[sample.track];
  const VectorXd& parameters = at.dynamics->eta.sensor;
  const double h = sample.after - (track.delay < 0 ? 0 : parameters[track.delay]);
  return s.timed.evaluate({*track.sensor, sample.sample, h, track.delay >= 0}, plan(k), k, path,
                          parameters, order, s.residuals[sample.track]);
}

void RobotTrajectory::add_timed_rows(const RobotAt& at, int k, const Path& path, Scratch& s,
                                     Stage& out) const {
  const int nv = setting_->nv();
  for (int i = at.schedule->first[k]; i < at.schedule->first[k + 1]; ++i) {
    const TimedSample& sample = at.schedule->samples[i];
    if (!evaluate_sample(at, sample, k, path, Order::derivatives, s)) continue;
    const Residual& residual = s.residuals[sample.track];
    const SensorTrack& track = log_.tracks[sample.track];
    const int n = residual.rows;
    out.r.segment(out.nr, n) = residual.r.head(n);
    out.R_x.block(out.nr, 0, n, 2 * nv) = s.timed.R_x.topRows(n);
    out.R_y.block(out.nr, 0, n, 2 * nv) = s.timed.R_y.topRows(n);
    auto R_zeta = out.R_zeta.middleRows(out.nr, n);
    R_zeta.setZero();
    const std::vector<int>& own = own_parameters_[sample.track];
    for (std::size_t j = 0; j < own.size(); ++j) {
      const int column = setting_->sensor_columns[own[j]];
      if (column >= 0)
        R_zeta.col(column) = residual.dr_dparameters.col(static_cast<Eigen::Index>(j)).head(n);
    }
    if (track.delay >= 0 && setting_->sensor_columns[track.delay] >= 0)
      R_zeta.col(setting_->sensor_columns[track.delay]) = s.timed.R_delay.head(n);
    out.nr += n;
  }
  if (setting_->noise.energy)
    s.energy.add_row(*at.dynamics, energy_log(), k, path, s.transition.dynamics, out);
}

void RobotTrajectory::add_timed_costs(const RobotAt& at, int k, const Path& path, Scratch& s,
                                      Eigen::Ref<VectorXd> parts) const {
  for (int i = at.schedule->first[k]; i < at.schedule->first[k + 1]; ++i) {
    const TimedSample& sample = at.schedule->samples[i];
    if (!evaluate_sample(at, sample, k, path, Order::value, s)) continue;
    const Residual& residual = s.residuals[sample.track];
    parts[sample.track] += 0.5 * residual.r.head(residual.rows).squaredNorm();
  }
  if (setting_->noise.energy)
    parts[parts.size() - 1] +=
        s.energy.cost(*at.dynamics, energy_log(), k, path, s.transition.dynamics);
}

/// Tracks stand first, then the balance of energy, sensors of forces, efforts, commands of rotors.
ChannelName RobotTrajectory::channel_name(const RowName& row) const {
  const Robot& robot = setting_->robot();
  const auto of_sensor = [&](const Sensor& sensor) -> ChannelName {
    const std::string channel = sensor.channel_name(row.channel);
    if (!channel.empty()) return {.sensor = sensor.kind(), .channel = channel};
    return {.sensor = sensor.kind(),
            .channel = robot.joints[row.channel - robot.base_nv()].name,
            .velocity = row.channel};
  };
  if (row.sensor < energy_sensor()) return of_sensor(*log_.tracks[row.sensor].sensor);
  if (row.sensor == energy_sensor()) return {.sensor = "energy", .channel = "balance"};
  if (row.sensor < effort_sensor())
    return of_sensor(*log_.of_forces[row.sensor - energy_sensor() - 1].sensor);
  if (row.channel < setting_->nv())
    return {.sensor = "effort",
            .channel = robot.joints[row.channel - robot.base_nv()].name,
            .velocity = row.channel};
  const int rotor = row.channel - setting_->nv();
  return {.sensor = "thrust", .channel = setting_->dynamics->parameters().rotors()[rotor].name};
}

/// Rows of the sensors that add_node_cost sums up.
void RobotTrajectory::name_node_rows(int k, const Path& path, Scratch& s, SensorRows& rows) const {
  const int nv = setting_->nv();
  read_node(k, path, s);
  if (k == 0 || s.node.sample < 0) return;
  int count = 0;
  for (std::size_t i = 0; i < log_.tracks.size(); ++i) {
    if (log_.tracks[i].is_timed()) continue;
    log_.tracks[i].sensor->evaluate(s.node, Order::derivatives, s.residuals[i]);
    count += s.residuals[i].rows;
  }
  rows.R = MatrixXd::Zero(count, setting_->layout.ndx());
  rows.r.resize(count);
  int first = 0;
  for (std::size_t i = 0; i < log_.tracks.size(); ++i) {
    if (log_.tracks[i].is_timed()) continue;
    const Residual& from = s.residuals[i];
    rows.R.block(first, 0, from.rows, 2 * nv) = from.dr_dx.topRows(from.rows);
    rows.r.segment(first, from.rows) = from.r.head(from.rows);
    for (int j = 0; j < from.rows; ++j) rows.node.push_back({static_cast<int>(i), from.channel[j]});
    first += from.rows;
  }
}

/// Names of the rows of timed sensors and of energy, in the order of add_timed_rows.
void RobotTrajectory::name_stage_rows(const RobotAt& at, int k, const Path& path, Scratch& s,
                                      SensorRows& rows) const {
  for (int i = at.schedule->first[k]; i < at.schedule->first[k + 1]; ++i) {
    const TimedSample& sample = at.schedule->samples[i];
    if (!evaluate_sample(at, sample, k, path, Order::value, s)) continue;
    const Residual& residual = s.residuals[sample.track];
    for (int j = 0; j < residual.rows; ++j)
      rows.stage.push_back({sample.track, residual.channel[j]});
  }
  if (!setting_->noise.energy) return;
  const EnergyWindow& window = log_.windows[k];
  if (window.first >= 0 && window.ends) rows.stage.push_back({energy_sensor(), 0});
}

/// Residuals of force sensors, σ V⁻¹ e = σ L_V⁻ᵀ (whitened rows), and of efforts, as the noise of
/// the transition and the rows of forces determine them.        docs/math/observation.md (9)-(11)
void RobotTrajectory::name_inputs(const DynamicsAt& model, int k, const Stage& stage,
                                  const Transition& s, SensorRows& rows) const {
  const ForceReadings& forces = s.forces;
  const VectorXd& effort_std = setting_->effort_std;  // which of them are noisy
  const bool is_impact = plan(k).impact;
  const int first = static_cast<int>(rows.stage.size()), n = stage.nr - first;  // rows of forces
  MatrixXd to_p = MatrixXd::Identity(n, n);  // p = V⁻¹ e by the whitened rows
  if (n > 0) {
    forces.V.topLeftCorner(n, n).triangularView<Eigen::Lower>().transpose().solveInPlace(to_p);
    for (int i = 0; i < forces.num_sensed; ++i)
      rows.stage.push_back(
          {energy_sensor() + 1 + forces.source[i].sensor, forces.source[i].channel});
  }
  for (int j = 0; j < effort_std.size() && !is_impact; ++j) {
    const bool is_passive = j < setting_->nv() && model.eta.gain[j] == 0;
    if (effort_std[j] > 0 && !is_passive) rows.inputs.push_back({effort_sensor(), j});
  }
  const auto num_rows = static_cast<Eigen::Index>(rows.stage.size());
  const auto count = num_rows + static_cast<Eigen::Index>(rows.inputs.size());
  rows.by_noise = MatrixXd::Zero(count, stage.nw);
  rows.by_rows = MatrixXd::Zero(count, stage.nr);
  rows.by_rows.topLeftCorner(first, first).setIdentity();
  for (Eigen::Index i = first; i < num_rows; ++i)
    rows.by_rows.row(i).tail(n) = to_p.row(i - first) / std::sqrt(forces.weight[i - first]);
  if (rows.inputs.empty()) return;
  // ν = (L⁻¹G)ᵀ(ε + X π) − Λᵀπ, π = Sᵀp
  const Steps steps = setting_->steps(plan(k));
  const int m = s.noise.num_noises;
  MatrixXd G(2 * m, effort_std.size());
  G << steps.c * s.noise.scaled.topRows(m), steps.e * s.noise.scaled.topRows(m);
  for (Eigen::Index j = 0; j < G.cols(); ++j) whiten(s.noise.L(), G.col(j));
  MatrixXd of_rows = MatrixXd::Zero(effort_std.size(), n);
  if (n > 0) {
    const MatrixXd pi = forces.S.topLeftCorner(n, forces.num_numbers).transpose() * to_p;
    of_rows = G.transpose() * (forces.X.topLeftCorner(2 * m, forces.num_numbers) * pi) -
              forces.by_effort.leftCols(forces.num_numbers) * pi;
  }
  for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
    const Eigen::Index row = num_rows + static_cast<Eigen::Index>(i);
    rows.by_noise.row(row) = G.col(rows.inputs[i].channel).transpose();
    rows.by_rows.row(row).tail(n) = of_rows.row(rows.inputs[i].channel);
  }
}

}  // namespace bayesid
