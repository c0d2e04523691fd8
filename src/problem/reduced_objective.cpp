// SPDX-License-Identifier: BSD-3-Clause
// The reduced objective of a RobotProblem, node by node and stage by stage. docs/math/problem.md
// (7)
#include "bayesid/problem/robot_problem.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr int arrival_part = 0;
constexpr int disturbance_part = 1;
constexpr int first_term_part = 2;

}  // namespace

bool RobotProblem::evaluate(const At& at, int trajectory, int k, const Path& path,
                            Workspace& workspace, Eigen::Ref<VectorXd> parts) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  const Eigen::Index violation = parts.size() - 1;
  const auto num_wrenches = static_cast<Eigen::Index>(trajectories_[trajectory].wrenches.size());
  parts.setZero();
  read(trajectory, k, path, s);
  if (k == 0) {
    difference(dynamics_->robot(), trajectories_[trajectory].q_mean, s.knot.q, s.dq);
    parts[arrival_part] = 0.5 * (s.dq.cwiseQuotient(noise_.initial_position).squaredNorm() +
                                 (s.knot.v - trajectories_[trajectory].v_mean)
                                     .cwiseQuotient(noise_.initial_velocity)
                                     .squaredNorm());
    if (max_rows_ > 0) {
      const ArrivalConstraints constraints = arrival(trajectory, path);
      parts[violation] = constraints.e.lpNorm<1>() / velocity_scale_;
    }
  } else if (s.knot.sample >= 0) {
    for (size_t i = 0; i < s.residuals.size(); ++i) {
      const Sensor& sensor = trajectories_[trajectory].sensors[i];
      if (sensor.is_timed) continue;
      sensor.term->evaluate(s.knot, Order::value, s.residuals[i]);
      parts[first_term_part + static_cast<Eigen::Index>(i)] =
          0.5 * s.residuals[i].r.head(s.residuals[i].rows).squaredNorm();
    }
  }
  if (has_inequalities()) parts[first_wrench_part() + num_wrenches] = state_limit_cost(k, path);
  if (k == path.u.cols()) return parts.allFinite();
  evaluate_rows(at, trajectory, k, path, s,
                parts.segment(first_term_part, static_cast<Eigen::Index>(s.residuals.size()) +
                                                   (noise_.energy ? 1 : 0)));

  // Transition: the noise that closes it at least cost, γ = W⁻¹ defect.
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  const Steps steps = this->steps(plan);
  solve_stage(model, trajectory, k, s);
  transition_defect(steps, path.x.col(k + 1), s);
  noise_basis(plan, mode, s);
  parts[violation] += stiffness(plan, mode, s);
  const bool sees_forces = this->sees_forces(trajectory, k);
  if (s.num_noises == 0 && !sees_forces) return parts.allFinite();
  noise_factor(model.eta, steps, s);
  double beyond = 0;  // of what closes the transition, to explain the forces
  if (sees_forces) {
    const Eigen::Index num_parts = num_wrenches + (has_inequalities() ? 1 : 0);
    beyond = evaluate_forces(model, trajectory, k, path, s,
                             parts.segment(first_wrench_part(), num_parts));
  }
  const int m = s.num_noises;
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  whiten(L, y);
  const double total = 0.5 * y.squaredNorm() + beyond;
  parts[disturbance_part] = total;
  if (noisy_effort() && !plan.impact) {
    if (sees_forces) {
      likeliest_noise(steps, s);
    } else {
      // n = −σ Eᵀ(c γ_q + e γ_v), E what scaled efforts do to the noise's coordinates.
      unwhiten(L, y);
      s.force.head(m) = steps.c * y.head(m) + steps.e * y.tail(m);
      s.n.noalias() = s.scaled.topRows(m).transpose() * s.force.head(m);
    }
    const double effort = 0.5 * s.n.squaredNorm();
    parts[violation - 1] = effort;
    parts[disturbance_part] = total - effort;
  }
  return parts.allFinite();
}

void RobotProblem::restore(const At& at, int trajectory, int k, Workspace& workspace,
                           Path& path) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  const int nv = dynamics_->nv();
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  const Steps steps = this->steps(plan);
  read(trajectory, k, path, s);
  solve_stage(model, trajectory, k, s);
  path.u.col(k).head(nv) = s.stage.a;
  transition_defect(steps, path.x.col(k + 1), s);
  noise_basis(plan, mode, s);
  const bool sees_forces = this->sees_forces(trajectory, k);
  if (s.num_noises == 0 && !sees_forces) return;
  noise_factor(model.eta, steps, s);
  if (sees_forces) {
    read_forces(model, trajectory, k, s);
    weigh_forces(model, trajectory, k, path, s);
  }
  const int m = s.num_noises;
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  // The jump of an impact has its slip in it.
  if (plan.impact) path.u.col(k).head(nv).noalias() -= s.B.leftCols(m) * y.tail(m);
  whiten(L, y);
  unwhiten(L, y);
  if (s.is_projected) {
    // What the multiplier says of directions without noise stays.
    defect_jacobians(s);
    multiplier_coordinates(path.gamma.col(k), s);
    s.y_gamma.head(2 * m) = y - s.y_gamma.head(2 * m);
    s.stiff.head(nv).noalias() = s.C.topRows(m).transpose() * s.y_gamma.head(m);
    s.stiff.tail(nv).noalias() = s.C.topRows(m).transpose() * s.y_gamma.segment(m, m);
    path.gamma.col(k).head(2 * nv) += s.stiff;
  } else {
    path.gamma.col(k).head(2 * nv) = y;
  }
  if (!noisy_effort() || plan.impact) return;
  if (sees_forces) {
    likeliest_noise(steps, s);
    s.n = effort_std_.cwiseProduct(s.n);
  } else {
    s.force.head(m) = steps.c * y.head(m) + steps.e * y.tail(m);
    s.n.noalias() = s.scaled.topRows(m).transpose() * s.force.head(m);
    s.n = -effort_std_.cwiseProduct(s.n);
  }
  path.u.col(k).tail(s.n.size()) = s.n;
  const auto Z = s.stage.response->Z();
  dynamics_->effort_force(model, s.stage.balance, s.n, s.force);
  s.y.head(Z.cols()).noalias() = Z.transpose() * s.force;
  path.u.col(k).head(nv) += Z * s.y.head(Z.cols());
}

}  // namespace bayesid
