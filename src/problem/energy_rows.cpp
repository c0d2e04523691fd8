// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy over windows of stages. docs/math/energy.md (8)-(11)
#include <algorithm>
#include <cmath>

#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::VectorXd;

int RobotProblem::num_energy_rows(int trajectory) const {
  return static_cast<int>(
      std::ranges::count_if(trajectories_[trajectory].windows, &EnergyWindow::ends));
}

/// Work of the motors as measured: dt ½(v̂ + v̂')·(gain τ̂ + offset), v̄ in s.between.v where it was
/// not measured. Its slopes are taken off.
double RobotProblem::measured_work(const DynamicsAt& model, int trajectory, int k, Scratch& s,
                                   EnergySlopes* slopes) const {
  const Recording& recording = recordings_[trajectory];
  const Timeline& timeline = trajectories_[trajectory].timeline;
  const PhysicalLayout& layout = dynamics_->parameters().layout();
  const std::vector<int>& entries = dynamics_->coordinates().entries;
  const int nv = dynamics_->nv();
  const int from = timeline.nodes[k].sample, to = timeline.nodes[k + 1].sample;
  const auto tau = recording.effort.col(plan(trajectory, k).sample);
  const double dt = plan(trajectory, k).dt;
  double work = 0;
  for (int j = 0; j < nv; ++j) {
    if (model.eta.gain[j] == 0) continue;
    const double effort = model.eta.gain[j] * tau[j] + model.eta.offset[j];
    const double v = from < 0 || to < 0
                         ? std::nan("")
                         : 0.5 * (recording.velocity(j, from) + recording.velocity(j, to));
    const bool is_measured = !std::isnan(v);
    s.drift[j] = is_measured ? v : s.between.v[j];
    work += dt * s.drift[j] * effort;
    if (!slopes || is_measured) continue;
    slopes->x[nv + j] -= 0.5 * dt * effort;
    slopes->y[nv + j] -= 0.5 * dt * effort;
  }
  if (!slopes) return work;
  for (int i = 0; i < dynamics_->nzeta(); ++i) {
    const int gain = entries[i] - layout.gain(0), offset = entries[i] - layout.offset(0);
    if (gain >= 0 && gain < nv) slopes->zeta[i] -= dt * s.drift[gain] * tau[gain];
    if (offset >= 0 && offset < nv) slopes->zeta[i] -= dt * s.drift[offset];
  }
  return work;
}

/// Work of the rotors: dt times the mean of their power at both ends. Its slopes are taken off.
double RobotProblem::rotor_work(const DynamicsAt& model, int trajectory, int k, const Path& path,
                                Scratch& s, EnergySlopes* slopes) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  const StagePlan& plan = this->plan(trajectory, k);
  const double half = 0.5 * plan.dt;
  const auto commands = recordings_[trajectory].thrust.col(plan.sample);
  double work = 0;
  for (const int node : {k, k + 1}) {
    s.q = path.x.col(node).head(nq);
    s.v = path.x.col(node).tail(nv);
    dynamics_->rotor_power(model, s.q, s.v, commands, slopes ? Order::derivatives : Order::value,
                           s.dynamics, s.rotor_power);
    work += half * s.rotor_power.value;
    if (!slopes) continue;
    VectorXd& slope = node == k ? slopes->x : slopes->y;
    slope.head(nv) -= half * s.rotor_power.dP_dq;
    slope.tail(nv) -= half * s.rotor_power.dP_dv;
    slopes->zeta -= half * s.rotor_power.dP_dzeta;
  }
  return work;
}

/// What leaves the motion in stage k, friction less work, is added to the sum and to the slopes.
void RobotProblem::add_outflow(const DynamicsAt& model, int trajectory, int k, const Path& path,
                               Scratch& s, double& sum, EnergySlopes* slopes) const {
  const int nv = dynamics_->nv();
  const double dt = plan(trajectory, k).dt;
  s.between.v = 0.5 * (path.x.col(k).tail(nv) + path.x.col(k + 1).tail(nv));
  if (dynamics_->num_presliding() > 0) {
    const Eigen::MatrixXd& z = recordings_[trajectory].presliding;
    const Eigen::Index sample = plan(trajectory, k).sample;
    s.presliding = 0.5 * (z.col(sample) + z.col(std::min(sample + 1, z.cols() - 1)));
  }
  dynamics_->dissipation(model, s.between.v, s.presliding,
                         slopes ? Order::derivatives : Order::value, s.dissipation);
  sum += dt * s.dissipation.value;
  if (slopes) {
    slopes->x.tail(nv) += 0.5 * dt * s.dissipation.dP_dv;
    slopes->y.tail(nv) += 0.5 * dt * s.dissipation.dP_dv;
    slopes->zeta += dt * s.dissipation.dP_dzeta;
  }
  sum -= measured_work(model, trajectory, k, s, slopes);
  if (dynamics_->num_rotors() > 0) sum -= rotor_work(model, trajectory, k, path, s, slopes);
}

/// E' − E of the window of stage k, for its last stage; sets the slopes of those ends that are also
/// ends of the stage.
double RobotProblem::energy_gain(const DynamicsAt& model, int trajectory, int k, const Path& path,
                                 Order order, Scratch& s) const {
  const EnergyWindow& window = trajectories_[trajectory].windows[k];
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  const bool begins = window.first == k, with_slopes = order == Order::derivatives;
  const auto energy_at = [&](int node, Order needed, Energy& out) {
    s.q = path.x.col(node).head(nq);
    s.between.v = path.x.col(node).tail(nv);
    dynamics_->energy(model, s.q, s.between.v, needed, s.dynamics, out);
  };
  if (with_slopes) s.slopes.clear();
  if (begins || window.ends) energy_at(window.first, begins ? order : Order::value, s.energy);
  if (begins && with_slopes) {
    s.slopes.x << -s.energy.dE_dq, -s.energy.dE_dv;
    s.slopes.zeta = -s.energy.dE_dzeta;
  }
  if (!window.ends) return 0;
  energy_at(k + 1, order, s.energy_next);
  if (with_slopes) {
    s.slopes.y << s.energy_next.dE_dq, s.energy_next.dE_dv;
    s.slopes.zeta += s.energy_next.dE_dzeta;
  }
  return s.energy_next.value - s.energy.value;
}

/// Slopes of what stage k adds to the balance of its window and, where the window ends, the
/// residual of all of it; false when neither is asked for. (8)-(10)
bool RobotProblem::look_at_energy(const At& at, int trajectory, int k, const Path& path,
                                  Order order, Scratch& s) const {
  const EnergyWindow& window = trajectories_[trajectory].windows[k];
  const bool with_slopes = order == Order::derivatives;
  if (window.first < 0 || (!with_slopes && !window.ends)) return false;
  const DynamicsAt& model = dynamics_at(at);
  double sum = energy_gain(model, trajectory, k, path, order, s);
  for (int i = window.ends ? window.first : std::max(window.first, k - 1); i < k; ++i) {
    // The stage before could not tell its slope by the node between.
    const bool is_before = with_slopes && i == k - 1;
    if (is_before) s.slopes_before.clear();
    add_outflow(model, trajectory, i, path, s, sum, is_before ? &s.slopes_before : nullptr);
    if (is_before) s.slopes.x += s.slopes_before.y;
  }
  add_outflow(model, trajectory, k, path, s, sum, with_slopes ? &s.slopes : nullptr);
  const double weight = 1 / *noise_.energy;
  s.r_energy = weight * sum;
  if (!with_slopes) return true;
  s.slopes.x *= weight;
  s.slopes.y *= weight;
  s.slopes.zeta *= weight;
  return true;
}

/// The row of a window, at its last stage. (10)
void RobotProblem::energy_row(const At& at, int trajectory, int k, const Path& path, Scratch& s,
                              Stage& out) const {
  const int n = 2 * dynamics_->nv();
  if (carries_energy()) out.R_x.col(n).head(out.nr).setZero();  // sensors do not see it
  if (!look_at_energy(at, trajectory, k, path, Order::derivatives, s)) return;
  if (!trajectories_[trajectory].windows[k].ends) return;
  out.r[out.nr] = s.r_energy;
  out.R_x.row(out.nr).head(n) = s.slopes.x.transpose();
  out.R_y.row(out.nr).head(n) = s.slopes.y.transpose();
  out.R_zeta.row(out.nr) = s.slopes.zeta.transpose();
  if (carries_energy()) out.R_x(out.nr, n) = 1;
  ++out.nr;
}

double RobotProblem::energy_cost(const At& at, int trajectory, int k, const Path& path,
                                 Scratch& s) const {
  if (!look_at_energy(at, trajectory, k, path, Order::value, s)) return 0;
  return 0.5 * s.r_energy * s.r_energy;
}

/// The rest of the window's stages hand on what they add, with the slopes energy_row left. (9)
void RobotProblem::carry_energy(int trajectory, int k, Scratch& s, Stage& out,
                                double* memory) const {
  const int n = 2 * dynamics_->nv();
  const EnergyWindow& window = trajectories_[trajectory].windows[k];
  Eigen::Map<VectorXd> by_zeta(memory, dynamics_->nzeta());
  by_zeta.setZero();
  out.A.row(n).setZero();
  if (window.first < 0 || window.ends) return;
  by_zeta = s.slopes.zeta;
  out.A.row(n).head(n) = s.slopes.x.transpose();
  out.A(n, n) = k > window.first ? 1 : 0;
  out.D.col(out.nd).setZero();
  out.D(n, out.nd) = 1;
  out.K.row(out.nd) = by_zeta.transpose();
  ++out.nd;
}

}  // namespace bayesid
