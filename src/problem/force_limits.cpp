// SPDX-License-Identifier: BSD-3-Clause
// Inequalities of states, forces and efforts by an augmented Lagrangian. docs/math/inequalities.md
#include <algorithm>
#include <cmath>

#include "bayesid/problem/robot_problem.hpp"
#include "math/blas.hpp"
#include "problem/force_rows.hpp"
#include "problem/limit_rows.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

double penalty_of(double std, double penalty) {
  return penalty / (std * std);
}

/// u − P(u) of one number, u = y − κ/ρ. (2)
double off_range(const JointLimit& limit, double y, double kappa, double rho) {
  const double u = y - kappa / rho;
  return u - std::clamp(u, limit.lower, limit.upper);
}

/// κ of the next round; the gap grows to how far y is from P(u). (3)
double next_multiplier(const JointLimit& limit, double y, double kappa, double rho, double& gap) {
  const double off = off_range(limit, y, kappa, rho);
  gap = std::max(gap, std::abs(off + kappa / rho));
  return -rho * off;
}

}  // namespace

/// Calls task(limit, value, place of its multiplier) for positions, then velocities of a state.
template <typename Task>
void RobotProblem::for_each_state_limit(const Eigen::Ref<const VectorXd>& x,
                                        const Task& task) const {
  const int nq = dynamics_->robot().nq();
  int place = 0;
  for (const JointLimit& limit : options_.limits.position) task(limit, x[limit.idx_q], place++);
  for (const JointLimit& limit : options_.limits.velocity)
    task(limit, x[nq + limit.idx_v], place++);
}

/// Adds the limits of a state to its cost. (2)
void RobotProblem::add_state_limits(int k, const Path& path, Stage& out) const {
  const int nv = dynamics_->nv(), first_velocity = options_.limits.first_velocity();
  for_each_state_limit(path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty);
    const double off = off_range(limit, y, path.kappa(place, k), rho);
    if (off == 0) return;
    const int at = limit.idx_v + (place < first_velocity ? 0 : nv);
    out.Q(at, at) += rho;
    out.q[at] += rho * off;
  });
}

double RobotProblem::state_limit_cost(int k, const Path& path) const {
  double out = 0;
  for_each_state_limit(path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty), kappa = path.kappa(place, k);
    const double off = off_range(limit, y, kappa, rho);
    out += 0.5 * (rho * off * off - kappa * kappa / rho);
  });
  return out;
}

/// Rows of sensors, and of the inequalities that press at rows.at. (4)
void RobotProblem::choose_rows(int trajectory, const MatrixXd& kappa, int k, double penalty,
                               ForceRows& rows) const {
  const StageLimits& limits = options_.limits;
  rows.n = 0;
  rows.S.setZero();
  const auto add = [&](int first, const auto& slopes, double e, double weight) {
    rows.S.row(rows.n).segment(first, slopes.size()) = slopes;
    rows.e_at[rows.n] = e;
    rows.weight[rows.n++] = weight;
  };
  using One = Eigen::Matrix<double, 1, 1>;
  for (int i = 0; i < rows.num_sensed; ++i) {
    const ForceRows::Seen& seen = rows.seen[i];
    const double std = trajectories_[trajectory].wrenches[seen.sensor].std[seen.channel];
    add(i, One::Ones(), rows.at[i], 1 / (std * std));
  }
  const int first_effort = rows.num_sensed + rows.num_contact;
  for (int i = rows.num_sensed; i < first_effort; i += 3) {
    const int limit = rows.seen[i].limit;
    const LimitRows cone = cone_rows(
        rows.at.segment<3>(i), kappa.col(k).segment<3>(limits.first_contact() + 3 * limit),
        penalty_of(limits.force_std, penalty), limits.contacts[limit].mu);
    for (int j = 0; j < cone.n; ++j) add(i, cone.a.row(j), cone.e[j], cone.weight[j]);
  }
  for (int i = first_effort; i < rows.num_seen; ++i) {
    const JointLimit& limit = limits.effort[rows.seen[i].limit];
    const double rho = penalty_of(limit.std, penalty);
    const double off =
        off_range(limit, rows.at[i], kappa(limits.first_effort() + rows.seen[i].limit, k), rho);
    if (off != 0) add(i, One::Ones(), off, rho);
  }
}

/// Σ κ²/2ρ of the inequalities of forces and efforts.
double RobotProblem::multiplier_cost(const Path& path, int k, const ForceRows& rows) const {
  const StageLimits& limits = options_.limits;
  const int first_effort = rows.num_sensed + rows.num_contact;
  double out = 0;
  for (int i = rows.num_sensed; i < first_effort; i += 3) {
    const int place = limits.first_contact() + 3 * rows.seen[i].limit;
    out += 0.5 * path.kappa.col(k).segment<3>(place).squaredNorm() /
           penalty_of(limits.force_std, path.penalty);
  }
  for (int i = first_effort; i < rows.num_seen; ++i) {
    const int limit = rows.seen[i].limit;
    const double kappa = path.kappa(limits.first_effort() + limit, k);
    out += 0.5 * kappa * kappa / penalty_of(limits.effort[limit].std, path.penalty);
  }
  return out;
}

/// What the inequalities cost at y, beyond what their multipliers do.
double RobotProblem::force_limit_cost(const VectorXd& y, const Path& path, int k,
                                      const ForceRows& rows) const {
  const StageLimits& limits = options_.limits;
  const int first_effort = rows.num_sensed + rows.num_contact;
  double out = 0;
  for (int i = rows.num_sensed; i < first_effort; i += 3) {
    const int limit = rows.seen[i].limit;
    const double rho = penalty_of(limits.force_std, path.penalty);
    const Vector3d kappa = path.kappa.col(k).segment<3>(limits.first_contact() + 3 * limit);
    const Vector3d u = y.segment<3>(i) - kappa / rho;
    out += 0.5 * rho * (u - nearest_in_cone(u, limits.contacts[limit].mu)).squaredNorm();
  }
  for (int i = first_effort; i < rows.num_seen; ++i) {
    const JointLimit& limit = limits.effort[rows.seen[i].limit];
    const double rho = penalty_of(limit.std, path.penalty);
    const double kappa = path.kappa(limits.first_effort() + rows.seen[i].limit, k);
    const double off = off_range(limit, y[i], kappa, rho);
    out += 0.5 * rho * off * off;
  }
  return out;
}

/// ½πᵀV₀π, what the noise of efforts costs beyond the transition. (6)
double RobotProblem::settling_cost(const VectorXd& pi, const ForceRows& rows) const {
  const int n = rows.num_seen;
  double out = 0;
  for (int j = 0; j < n; ++j) out += 0.5 * pi[j] * rows.V0.col(j).head(n).dot(pi.head(n));
  return out;
}

/// p of the rows, and π = Sᵀp in pi_trial. (6)
void RobotProblem::weigh_rows(ForceRows& rows) const {
  const int n = rows.n, num_seen = rows.num_seen;
  const auto S = rows.S.topLeftCorner(n, num_seen);
  auto V = rows.V.topLeftCorner(n, n);
  rows.e.head(n) = rows.e_at.head(n);
  rows.trial.head(num_seen) = rows.mean.head(num_seen) - rows.at.head(num_seen);
  rows.e.head(n).noalias() += S * rows.trial.head(num_seen);
  V.setZero();
  if (noisy_effort()) {
    auto SV0 = rows.SV0.topLeftCorner(n, num_seen);
    blas::multiply(1.0, S, Op::plain, rows.V0.topLeftCorner(num_seen, num_seen), Op::plain, 0.0,
                   SV0);
    blas::multiply(1.0, SV0, Op::plain, S, Op::transposed, 0.0, V);
  }
  V.diagonal() += rows.weight.head(n).cwiseInverse();
  semidefinite_cholesky(V);
  rows.r.head(n) = rows.e.head(n);
  whiten(V, rows.r.head(n));
  rows.p.head(n) = rows.r.head(n);
  unwhiten(V, rows.p.head(n));
  rows.pi_trial.head(num_seen).noalias() = S.transpose() * rows.p.head(n);
}

/// Finds y of least cost: Newton's method on a convex function of π, of which sensors alone need
/// one step. Leaves y in rows.at, π and the rows there. (6), (7)
void RobotProblem::settle_forces(int trajectory, int k, const Path& path, ForceRows& rows) const {
  constexpr int most_steps = 50;
  constexpr double shortest = 1e-6, rounding = 1e-13;
  const int n = rows.num_seen;
  auto pi = rows.pi.head(n), pi_trial = rows.pi_trial.head(n);
  const auto move = [&](double length) {
    rows.p.head(n) = pi + length * (pi_trial - pi);
    rows.trial.head(n) = rows.mean.head(n);
    rows.trial.head(n).noalias() -= rows.V0.topLeftCorner(n, n) * rows.p.head(n);
  };
  const auto cost = [&](const VectorXd& at_pi, const VectorXd& at) {
    double out = settling_cost(at_pi, rows) + force_limit_cost(at, path, k, rows);
    for (int i = 0; i < rows.num_sensed; ++i) {
      const ForceRows::Seen& seen = rows.seen[i];
      const double r = at[i] / trajectories_[trajectory].wrenches[seen.sensor].std[seen.channel];
      out += 0.5 * r * r;
    }
    return out;
  };
  rows.at.head(n) = rows.mean.head(n);
  pi.setZero();
  choose_rows(trajectory, path.kappa, k, path.penalty, rows);
  weigh_rows(rows);
  if (!noisy_effort()) {
    pi = pi_trial;
    return;
  }
  double before = cost(rows.pi, rows.at);
  for (int i = 0; i < most_steps; ++i) {
    double length = 1, after = 0;
    for (;; length *= 0.5) {
      move(length);
      after = cost(rows.p, rows.trial);
      if (after <= before + rounding * std::abs(before) || length < shortest) break;
    }
    const double change = (rows.trial.head(n) - rows.at.head(n)).lpNorm<Eigen::Infinity>();
    rows.at.head(n) = rows.trial.head(n);
    pi = rows.p.head(n);
    before = after;
    choose_rows(trajectory, path.kappa, k, path.penalty, rows);
    weigh_rows(rows);
    if (rows.num_seen == rows.num_sensed) break;
    if (change <= rounding * (1 + rows.at.head(n).lpNorm<Eigen::Infinity>())) break;
  }
}

bool RobotProblem::has_inequalities() const {
  return !options_.limits.empty();
}

double RobotProblem::press(const At& at, int trajectory, int k, Workspace& workspace, bool change,
                           Path& path) const {
  const StageLimits& limits = options_.limits;
  Scratch& s = static_cast<Scratch&>(workspace);
  ForceRows& rows = s.forces;
  double gap = 0;
  const auto set = [&](int place, double kappa) {
    if (change) path.kappa(place, k) = kappa;
  };
  for_each_state_limit(path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty);
    set(place, next_multiplier(limit, y, path.kappa(place, k), rho, gap));
  });
  if (k == path.u.cols() || !limits.see_forces() || !sees_forces(trajectory, k)) return gap;
  const DynamicsAt& model = dynamics_at(at);
  const StagePlan& plan = this->plan(trajectory, k);
  read(trajectory, k, path, s);
  solve_stage(model, trajectory, k, s);
  transition_defect(steps(plan), path.x.col(k + 1), s);
  noise_basis(plan, mode(trajectory, k), s);
  noise_factor(model.eta, steps(plan), s);
  read_forces(model, trajectory, k, s);
  weigh_forces(model, trajectory, k, path, s);
  const int first_effort = rows.num_sensed + rows.num_contact;
  for (int i = rows.num_sensed; i < first_effort; i += 3) {
    const int limit = rows.seen[i].limit, place = limits.first_contact() + 3 * limit;
    const double rho = penalty_of(limits.force_std, path.penalty);
    const Vector3d y = rows.at.segment<3>(i), u = y - path.kappa.col(k).segment<3>(place) / rho;
    const Vector3d nearest = nearest_in_cone(u, limits.contacts[limit].mu);
    gap = std::max(gap, (nearest - y).norm());
    for (int axis = 0; axis < 3; ++axis) set(place + axis, rho * (nearest[axis] - u[axis]));
  }
  for (int i = first_effort; i < rows.num_seen; ++i) {
    const int limit = rows.seen[i].limit, place = limits.first_effort() + limit;
    const double rho = penalty_of(limits.effort[limit].std, path.penalty);
    set(place, next_multiplier(limits.effort[limit], rows.at[i], path.kappa(place, k), rho, gap));
  }
  return gap;
}

}  // namespace bayesid
