// SPDX-License-Identifier: BSD-3-Clause
// The reduced objective of a trajectory, node by node and stage by stage. docs/math/problem.md (7)
#include "problem/robot_trajectory.hpp"
#include "stage/semidefinite.hpp"
#include "stage/state_limits.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr int arrival_part = 0;
constexpr int disturbance_part = 1;
constexpr int first_track_part = 2;

}  // namespace

bool RobotTrajectory::evaluate(const At& at, int k, const Path& path, Workspace& workspace,
                               Eigen::Ref<VectorXd> parts) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const auto& robot_at = static_cast<const RobotAt&>(at);
  const DynamicsAt& model = *robot_at.dynamics;
  const Noise& std = setting_->noise;
  const Eigen::Index infeasibility = parts.size() - 1;
  const auto num_tracks = static_cast<Eigen::Index>(log_.tracks.size()) + (std.energy ? 1 : 0);
  const auto num_of_forces = static_cast<Eigen::Index>(log_.of_forces.size());
  const Eigen::Index first_force_part = first_track_part + num_tracks;
  parts.setZero();
  read(k, path, s);
  if (k == 0) {
    difference(setting_->robot(), log_.q_mean, s.node.q, s.dq);
    parts[arrival_part] =
        0.5 * (s.dq.cwiseQuotient(std.initial_position).squaredNorm() +
               (s.node.v - log_.v_mean).cwiseQuotient(std.initial_velocity).squaredNorm());
    if (setting_->max_rows > 0) {
      const ArrivalConstraints constraints = arrival(path);
      parts[infeasibility] = constraints.e.lpNorm<1>() / setting_->velocity_scale;
    }
  } else if (s.node.sample >= 0) {
    for (std::size_t i = 0; i < log_.tracks.size(); ++i) {
      const SensorTrack& track = log_.tracks[i];
      if (track.is_timed()) continue;
      Residual& residual = s.residuals[i];
      track.sensor->evaluate(s.node, Order::value, residual);
      parts[first_track_part + static_cast<Eigen::Index>(i)] =
          0.5 * residual.r.head(residual.rows).squaredNorm();
    }
  }
  if (has_inequalities())
    parts[first_force_part + num_of_forces] = state_limit_cost(*setting_, k, path);
  if (k == path.u.cols()) return parts.allFinite();
  add_timed_costs(robot_at, k, path, s, parts.segment(first_track_part, num_tracks));

  // Transition: the noise that closes it at least cost, γ = W⁻¹ defect.
  const StagePlan& plan = this->plan(k);
  const Steps steps = setting_->steps(plan);
  close_transition(model, k, path, s);
  parts[infeasibility] += s.noise.infeasibility(plan, mode(k), s.motion, s.stage);
  const bool reads_forces = this->reads_forces(model, k, path);
  if (s.noise.num_noises == 0 && !reads_forces) return parts.allFinite();
  double beyond = 0;  // of what closes the transition, to explain the forces
  if (reads_forces) {
    beyond = s.forces.cost(
        force_stage(model, k, path),
        parts.segment(first_force_part, num_of_forces + (has_inequalities() ? 1 : 0)));
  }
  s.noise.coordinates(s.motion.defect);
  auto y = s.noise.y.head(2 * s.noise.num_noises);
  whiten(s.noise.L(), y);
  const double total = 0.5 * y.squaredNorm() + beyond;
  parts[disturbance_part] = total;
  if (!setting_->noisy_effort() || plan.impact) return parts.allFinite();
  if (reads_forces) {
    s.forces.likeliest_noise(steps, s.motion, s.noise, s.motion.n);
  } else {
    // n = −σ Eᵀ(c γ_q + e γ_v), E what scaled efforts do to the noise's coordinates.
    unwhiten(s.noise.L(), y);
    s.noise.effort_noise(steps, s.motion.n);
  }
  const double effort = 0.5 * s.motion.n.squaredNorm();
  parts[infeasibility - 1] = effort;
  parts[disturbance_part] = total - effort;
  return parts.allFinite();
}

void RobotTrajectory::restore(const At& at, int k, Workspace& workspace, Path& path) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = *static_cast<const RobotAt&>(at).dynamics;
  const int nv = setting_->nv();
  const StagePlan& plan = this->plan(k);
  const Steps steps = setting_->steps(plan);
  read(k, path, s);
  close_transition(model, k, path, s);
  path.u.col(k).head(nv) = s.stage.a;
  const bool reads_forces = this->reads_forces(model, k, path);
  if (s.noise.num_noises == 0 && !reads_forces) return;
  const int m = s.noise.num_noises;
  s.noise.coordinates(s.motion.defect);
  auto y = s.noise.y.head(2 * m);
  // The jump of an impact has its slip in it.
  if (plan.impact) path.u.col(k).head(nv).noalias() -= s.noise.B.leftCols(m) * y.tail(m);
  whiten(s.noise.L(), y);
  unwhiten(s.noise.L(), y);
  if (s.noise.is_projected) {
    // What the multiplier says of directions without noise stays.
    s.motion.find_defect_jacobians();
    s.noise.multiplier_coordinates(path.gamma.col(k), s.motion);
    s.noise.y_gamma.head(2 * m) = y - s.noise.y_gamma.head(2 * m);
    const auto C = s.noise.C.topRows(m);
    s.noise.stiff.head(nv).noalias() = C.transpose() * s.noise.y_gamma.head(m);
    s.noise.stiff.tail(nv).noalias() = C.transpose() * s.noise.y_gamma.segment(m, m);
    path.gamma.col(k).head(2 * nv) += s.noise.stiff;
  } else {
    path.gamma.col(k).head(2 * nv) = y;
  }
  if (!setting_->noisy_effort() || plan.impact) return;
  if (reads_forces) {
    s.forces.likeliest_noise(steps, s.motion, s.noise, s.motion.n);
    s.motion.n = setting_->effort_std.cwiseProduct(s.motion.n);
  } else {
    s.noise.effort_noise(steps, s.motion.n);
    s.motion.n = -setting_->effort_std.cwiseProduct(s.motion.n);
  }
  path.u.col(k).tail(s.motion.n.size()) = s.motion.n;
  const auto Z = s.stage.response->Z();
  setting_->dynamics->effort_force(model, s.stage.balance, s.motion.n, s.force);
  s.y.head(Z.cols()).noalias() = Z.transpose() * s.force;
  path.u.col(k).head(nv) += Z * s.y.head(Z.cols());
}

}  // namespace bayesid
