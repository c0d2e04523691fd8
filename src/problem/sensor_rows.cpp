// SPDX-License-Identifier: BSD-3-Clause
// What each sensor says in a stage, row by row, and how its residual hangs on noise and rows.
#include "bayesid/math/sensor_rows.hpp"

#include <Eigen/LU>

#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Terms stand first, then the balance of energy, sensors of forces, efforts, commands of rotors.
ChannelName RobotProblem::channel_name(const RowName& row) const {
  const Trajectory& first = trajectories_[0];
  const Robot& robot = dynamics_->robot();
  const auto joint = [&](int velocity) { return robot.joints[velocity - robot.base_nv()].name; };
  if (row.sensor < energy_sensor()) {
    const Term& term = *first.sensors[row.sensor].term;
    const std::string channel = term.channel_name(row.channel);
    if (!channel.empty()) return {.sensor = term.kind(), .channel = channel};
    return {.sensor = term.kind(), .channel = joint(row.channel), .velocity = row.channel};
  }
  if (row.sensor == energy_sensor()) return {.sensor = "energy", .channel = "balance"};
  if (row.sensor < effort_sensor())
    return {.sensor = first.wrenches[row.sensor - energy_sensor() - 1].kind(),
            .channel = wrench_axes[row.channel]};
  if (row.channel < dynamics_->nv())
    return {.sensor = "effort", .channel = joint(row.channel), .velocity = row.channel};
  const int rotor = row.channel - dynamics_->nv();
  return {.sensor = "thrust", .channel = dynamics_->parameters().rotors()[rotor].name};
}

int RobotProblem::energy_sensor() const {
  return static_cast<int>(trajectories_[0].sensors.size());
}

int RobotProblem::effort_sensor() const {
  return energy_sensor() + 1 + static_cast<int>(trajectories_[0].wrenches.size());
}

/// Rows of the sensors that node_cost sums up.
void RobotProblem::name_node_rows(int trajectory, int k, const Path& path, Scratch& s,
                                  SensorRows& rows) const {
  const int nv = dynamics_->nv();
  read(trajectory, k, path, s);
  if (k == 0 || s.knot.sample < 0) return;
  const std::vector<Sensor>& sensors = trajectories_[trajectory].sensors;
  int count = 0;
  for (size_t i = 0; i < sensors.size(); ++i) {
    if (sensors[i].is_timed) continue;
    sensors[i].term->evaluate(s.knot, Order::derivatives, s.residuals[i]);
    count += s.residuals[i].rows;
  }
  rows.R = MatrixXd::Zero(count, nx());
  rows.r.resize(count);
  int first = 0;
  for (size_t i = 0; i < sensors.size(); ++i) {
    if (sensors[i].is_timed) continue;
    const Residual& from = s.residuals[i];
    rows.R.block(first, 0, from.rows, 2 * nv) = from.dr_dx.topRows(from.rows);
    rows.r.segment(first, from.rows) = from.r.head(from.rows);
    for (int j = 0; j < from.rows; ++j) rows.node.push_back({static_cast<int>(i), from.channel[j]});
    first += from.rows;
  }
}

/// Names of the rows of timed sensors and of energy, in the order of stage_rows.
void RobotProblem::name_stage_rows(const At& at, int trajectory, int k, const Path& path,
                                   Scratch& s, SensorRows& rows) const {
  const Schedule& schedule = this->schedule(at, trajectory);
  for (int i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
    const Seen& seen = schedule.seen[i];
    if (!look(at, trajectory, k, path, seen, Order::value, s)) continue;
    const Residual& residual = s.residuals[seen.sensor];
    for (int j = 0; j < residual.rows; ++j)
      rows.stage.push_back({seen.sensor, residual.channel[j]});
  }
  if (!noise_.energy) return;
  const EnergyWindow& window = trajectories_[trajectory].windows[k];
  if (window.first >= 0 && window.ends) rows.stage.push_back({energy_sensor(), 0});
}

/// Residuals of force sensors, σ V⁻¹ e = σ L_V⁻ᵀ (whitened rows), and of efforts, as the noise of
/// the transition and the rows of forces tell them.        docs/math/observation.md (9)-(11)
void RobotProblem::weigh_inputs(const DynamicsAt& model, int trajectory, int k, const Stage& stage,
                                const Scratch& s, SensorRows& rows) const {
  const ForceRows& forces = s.forces;
  const bool is_impact = plan(trajectory, k).impact;
  const int first = static_cast<int>(rows.stage.size()), n = stage.nr - first;  // rows of forces
  MatrixXd to_p = MatrixXd::Identity(n, n);  // p = V⁻¹ e by the whitened rows
  if (n > 0) {
    forces.V.topLeftCorner(n, n).triangularView<Eigen::Lower>().transpose().solveInPlace(to_p);
    for (int i = 0; i < forces.num_sensed; ++i)
      rows.stage.push_back({energy_sensor() + 1 + forces.seen[i].sensor, forces.seen[i].channel});
  }
  for (int j = 0; j < effort_std_.size() && !is_impact; ++j) {
    const bool is_passive = j < dynamics_->nv() && model.eta.gain[j] == 0;
    if (effort_std_[j] > 0 && !is_passive) rows.inputs.push_back({effort_sensor(), j});
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
  const Steps steps = this->steps(plan(trajectory, k));
  const int m = s.num_noises;
  MatrixXd G(2 * m, effort_std_.size());
  G << steps.c * s.scaled.topRows(m), steps.e * s.scaled.topRows(m);
  for (Eigen::Index j = 0; j < G.cols(); ++j)
    whiten(s.factor.topLeftCorner(2 * m, 2 * m), G.col(j));
  MatrixXd of_rows = MatrixXd::Zero(effort_std_.size(), n);
  if (n > 0) {
    const MatrixXd pi = forces.S.topLeftCorner(n, forces.num_seen).transpose() * to_p;
    of_rows = G.transpose() * (forces.X.topLeftCorner(2 * m, forces.num_seen) * pi) -
              forces.by_effort.leftCols(forces.num_seen) * pi;
  }
  for (size_t i = 0; i < rows.inputs.size(); ++i) {
    const Eigen::Index row = num_rows + static_cast<Eigen::Index>(i);
    rows.by_noise.row(row) = G.col(rows.inputs[i].channel).transpose();
    rows.by_rows.row(row).tail(n) = of_rows.row(rows.inputs[i].channel);
  }
}

void RobotProblem::linearise_rows(const At& at, int trajectory, int k, const Path& path,
                                  Workspace& workspace, Stage& out, double* memory,
                                  SensorRows& rows) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  rows.clear();
  // What comes last leaves its forces and its noise in the workspace.
  name_node_rows(trajectory, k, path, s, rows);
  if (k < path.u.cols()) name_stage_rows(at, trajectory, k, path, s, rows);
  linearise(at, trajectory, k, path, workspace, out, memory);
  if (k < path.u.cols()) weigh_inputs(dynamics_at(at), trajectory, k, out, s, rows);
}

}  // namespace bayesid
