// SPDX-License-Identifier: BSD-3-Clause
#include "problem/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::VectorXd;

EnergyBalance::EnergyBalance(const StageSetting& setting)
    : setting_(setting),
      open_(setting.layout.find("energy_window")),
      energy_(setting.nv(), setting.nzeta()),
      energy_next_(energy_),
      dissipation_(setting.nv(), setting.nzeta()),
      rotor_power_(setting.nv(), setting.nzeta()),
      slopes_(setting.nv(), setting.nzeta()),
      slopes_before_(slopes_),
      q_(VectorXd::Zero(setting.nq())),
      v_(VectorXd::Zero(setting.nv())),
      mean_v_(v_),
      presliding_(VectorXd::Zero(setting.dynamics->num_presliding())),
      motor_speed_(v_) {}

/// Work of the motors as measured: dt ½(v̂ + v̂')·(gain τ̂ + offset), v̄ in mean_v_ where it was
/// not measured. Its slopes are taken off.
double EnergyBalance::measured_work(const DynamicsAt& model, const EnergyLog& log, int k,
                                    EnergySlopes* slopes) {
  const Recording& recording = log.recording;
  const Timeline& timeline = log.timeline;
  const Dynamics& dynamics = *setting_.dynamics;
  const PhysicalLayout& layout = dynamics.parameters().layout();
  const std::vector<int>& entries = dynamics.coordinates().entries;
  const int nv = setting_.nv();
  const int from = timeline.nodes[k].sample, to = timeline.nodes[k + 1].sample;
  const auto tau = recording.effort.col(timeline.stages[k].sample);
  const double dt = log.timeline.stages[k].dt;
  double work = 0;
  for (int j = 0; j < nv; ++j) {
    if (model.eta.gain[j] == 0) continue;
    const double effort = model.eta.gain[j] * tau[j] + model.eta.offset[j];
    const double v = from < 0 || to < 0
                         ? std::nan("")
                         : 0.5 * (recording.velocity(j, from) + recording.velocity(j, to));
    const bool is_measured = !std::isnan(v);
    motor_speed_[j] = is_measured ? v : mean_v_[j];
    work += dt * motor_speed_[j] * effort;
    if (!slopes || is_measured) continue;
    slopes->x[nv + j] -= 0.5 * dt * effort;
    slopes->y[nv + j] -= 0.5 * dt * effort;
  }
  if (!slopes) return work;
  for (int i = 0; i < dynamics.nzeta(); ++i) {
    const int gain = entries[i] - layout.gain(0), offset = entries[i] - layout.offset(0);
    if (gain >= 0 && gain < nv) slopes->zeta[i] -= dt * motor_speed_[gain] * tau[gain];
    if (offset >= 0 && offset < nv) slopes->zeta[i] -= dt * motor_speed_[offset];
  }
  return work;
}

/// Work of the rotors: dt times the mean of their power at both ends. Its slopes are taken off.
double EnergyBalance::rotor_work(const DynamicsAt& model, const EnergyLog& log, int k,
                                 const Path& path, Dynamics::Workspace& workspace,
                                 EnergySlopes* slopes) {
  const int nq = setting_.nq(), nv = setting_.nv();
  const StagePlan& plan = log.timeline.stages[k];
  const double half = 0.5 * plan.dt;
  const auto commands = log.recording.thrust.col(plan.sample);
  double work = 0;
  for (const int node : {k, k + 1}) {
    q_ = path.x.col(node).head(nq);
    v_ = path.x.col(node).segment(nq, nv);
    setting_.dynamics->rotor_power(model, q_, v_, commands,
                                   slopes ? Order::derivatives : Order::value, workspace,
                                   rotor_power_);
    work += half * rotor_power_.value;
    if (!slopes) continue;
    VectorXd& slope = node == k ? slopes->x : slopes->y;
    slope.head(nv) -= half * rotor_power_.dP_dq;
    slope.tail(nv) -= half * rotor_power_.dP_dv;
    slopes->zeta -= half * rotor_power_.dP_dzeta;
  }
  return work;
}

/// What leaves the motion in stage k, friction less work, is added to the sum and to the slopes.
void EnergyBalance::add_outflow(const DynamicsAt& model, const EnergyLog& log, int k,
                                const Path& path, Dynamics::Workspace& workspace, double& sum,
                                EnergySlopes* slopes) {
  const int nq = setting_.nq(), nv = setting_.nv();
  const double dt = log.timeline.stages[k].dt;
  mean_v_ = 0.5 * (path.x.col(k).segment(nq, nv) + path.x.col(k + 1).segment(nq, nv));
  if (setting_.dynamics->num_presliding() > 0) {
    const Eigen::MatrixXd& z = log.recording.presliding;
    const Eigen::Index sample = log.timeline.stages[k].sample;
    presliding_ = 0.5 * (z.col(sample) + z.col(std::min(sample + 1, z.cols() - 1)));
  }
  setting_.dynamics->dissipation(model, mean_v_, presliding_,
                                 slopes ? Order::derivatives : Order::value, dissipation_);
  sum += dt * dissipation_.value;
  if (slopes) {
    slopes->x.tail(nv) += 0.5 * dt * dissipation_.dP_dv;
    slopes->y.tail(nv) += 0.5 * dt * dissipation_.dP_dv;
    slopes->zeta += dt * dissipation_.dP_dzeta;
  }
  sum -= measured_work(model, log, k, slopes);
  if (setting_.num_rotors() > 0) sum -= rotor_work(model, log, k, path, workspace, slopes);
}

/// E' − E of the window of stage k, for its last stage; sets the slopes of those ends that are also
/// ends of the stage.
double EnergyBalance::gain(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                           Order order, Dynamics::Workspace& workspace) {
  const EnergyWindow& window = log.windows[k];
  const int nq = setting_.nq(), nv = setting_.nv();
  const bool begins = window.first == k, with_slopes = order == Order::derivatives;
  const auto energy_at = [&](int node, Order needed, Energy& out) {
    q_ = path.x.col(node).head(nq);
    v_ = path.x.col(node).segment(nq, nv);
    setting_.dynamics->energy(model, q_, v_, needed, workspace, out);
  };
  if (with_slopes) slopes_.clear();
  if (begins || window.ends) energy_at(window.first, begins ? order : Order::value, energy_);
  if (begins && with_slopes) {
    slopes_.x << -energy_.dE_dq, -energy_.dE_dv;
    slopes_.zeta = -energy_.dE_dzeta;
  }
  if (!window.ends) return 0;
  energy_at(k + 1, order, energy_next_);
  if (with_slopes) {
    slopes_.y << energy_next_.dE_dq, energy_next_.dE_dv;
    slopes_.zeta += energy_next_.dE_dzeta;
  }
  return energy_next_.value - energy_.value;
}

/// Slopes of what stage k adds to the balance of its window and, where the window ends, the
/// residual of all of it; false when neither is requested. (8)-(10)
bool EnergyBalance::evaluate(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                             Order order, Dynamics::Workspace& workspace) {
  const EnergyWindow& window = log.windows[k];
  const bool with_slopes = order == Order::derivatives;
  if (window.first < 0 || (!with_slopes && !window.ends)) return false;
  double sum = gain(model, log, k, path, order, workspace);
  for (int i = window.ends ? window.first : std::max(window.first, k - 1); i < k; ++i) {
    // The stage before could not tell its slope by the node between.
    const bool is_before = with_slopes && i == k - 1;
    if (is_before) slopes_before_.clear();
    add_outflow(model, log, i, path, workspace, sum, is_before ? &slopes_before_ : nullptr);
    if (is_before) slopes_.x += slopes_before_.y;
  }
  add_outflow(model, log, k, path, workspace, sum, with_slopes ? &slopes_ : nullptr);
  const double weight = 1 / *setting_.noise.energy;
  r_ = weight * sum;
  if (!with_slopes) return true;
  slopes_.x *= weight;
  slopes_.y *= weight;
  slopes_.zeta *= weight;
  return true;
}

void EnergyBalance::add_row(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                            Dynamics::Workspace& workspace, Stage& out) {
  const int n = 2 * setting_.nv();
  // Sensors do not depend on the sum of the window.
  if (open_) out.R_x.col(open_->first_tangent).head(out.nr).setZero();
  if (!evaluate(model, log, k, path, Order::derivatives, workspace)) return;
  if (!log.windows[k].ends) return;
  out.r[out.nr] = r_;
  out.R_x.row(out.nr).head(n) = slopes_.x.transpose();
  out.R_y.row(out.nr).head(n) = slopes_.y.transpose();
  out.R_zeta.row(out.nr) = slopes_.zeta.transpose();
  if (open_) out.R_x(out.nr, open_->first_tangent) = 1;
  ++out.nr;
}

double EnergyBalance::cost(const DynamicsAt& model, const EnergyLog& log, int k, const Path& path,
                           Dynamics::Workspace& workspace) {
  if (!evaluate(model, log, k, path, Order::value, workspace)) return 0;
  return 0.5 * r_ * r_;
}

void EnergyBalance::carry(const EnergyLog& log, int k, Stage& out, StageRecord& kept) const {
  if (!open_) return;
  const int n = open_->first_tangent;
  const EnergyWindow& window = log.windows[k];
  out.A.row(n).setZero();
  const bool adds = window.first >= 0 && !window.ends;
  if (adds) {
    kept.open_window = slopes_.zeta;
  } else {
    kept.open_window.resize(0);
  }
  if (!adds) return;
  out.A.row(n).head(slopes_.x.size()) = slopes_.x.transpose();
  out.A(n, n) = k > window.first ? 1 : 0;
  out.D.col(out.nd).setZero();
  out.D(n, out.nd) = 1;
  out.K.row(out.nd) = slopes_.zeta.transpose();
  ++out.nd;
}

}  // namespace bayesid
