// SPDX-License-Identifier: BSD-3-Clause
// The reduced objective of a trajectory, node by node and stage by stage. docs/math/problem.md (7)
#include "problem/robot_trajectory.hpp"
#include "stage/state_limits.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr int arrival_part = 0;
constexpr int disturbance_part = 1;
constexpr int first_track_part = 2;

}  // namespace

/// Arrival prior, or sensors of the state.
void RobotTrajectory::add_node_parts(int k, const Path& path, Scratch& s,
                                     Eigen::Ref<VectorXd> parts) const {
  const Noise& std = setting_->noise;
  if (k == 0) {
    difference(setting_->robot(), log_.q_mean, s.node.q, s.dq);
    parts[arrival_part] =
        0.5 * (s.dq.cwiseQuotient(std.initial_position).squaredNorm() +
               (s.node.v - log_.v_mean).cwiseQuotient(std.initial_velocity).squaredNorm());
    if (setting_->max_rows == 0) return;
    const ArrivalConstraints constraints = arrival(path);
    parts[parts.size() - 1] = constraints.e.lpNorm<1>() / setting_->velocity_scale;
    return;
  }
  if (s.node.sample < 0) return;
  for (std::size_t i = 0; i < log_.tracks.size(); ++i) {
    const SensorTrack& track = log_.tracks[i];
    if (track.is_timed()) continue;
    Residual& residual = s.residuals[i];
    track.sensor->evaluate(s.node, Order::value, residual);
    parts[first_track_part + static_cast<Eigen::Index>(i)] =
        0.5 * residual.r.head(residual.rows).squaredNorm();
  }
}

bool RobotTrajectory::evaluate(const At& at, int k, const Path& path, Workspace& workspace,
                               Eigen::Ref<VectorXd> parts) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const Eigen::Index infeasibility = parts.size() - 1;
  const auto num_tracks =
      static_cast<Eigen::Index>(log_.tracks.size()) + (setting_->noise.energy ? 1 : 0);
  const auto num_of_forces = static_cast<Eigen::Index>(log_.of_forces.size());
  const Eigen::Index first_force_part = first_track_part + num_tracks;
  const bool has_limits = has_inequalities();
  parts.setZero();
  read_node(k, path, s);
  add_node_parts(k, path, s, parts);
  if (has_limits) parts[first_force_part + num_of_forces] = state_limit_cost(*setting_, k, path);
  if (k == path.u.cols()) return parts.allFinite();
  add_timed_costs(static_cast<const RobotAt&>(at), k, path, s,
                  parts.segment(first_track_part, num_tracks));
  const TransitionCost cost = s.transition.evaluate(
      view(at, k, path, s), parts.segment(first_force_part, num_of_forces + (has_limits ? 1 : 0)));
  parts[disturbance_part] = cost.disturbance;
  if (setting_->noisy_effort()) parts[infeasibility - 1] = cost.effort;
  parts[infeasibility] += cost.infeasibility;
  return parts.allFinite();
}

void RobotTrajectory::restore(const At& at, int k, Workspace& workspace, Path& path) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  s.transition.restore(view(at, k, path, s), path);
}

}  // namespace bayesid
