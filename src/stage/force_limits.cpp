// SPDX-License-Identifier: BSD-3-Clause
// Inequalities of forces and efforts by an augmented Lagrangian. docs/math/inequalities.md
#include <algorithm>
#include <cmath>

#include "math/blas.hpp"
#include "stage/force_readings.hpp"
#include "stage/limit_rows.hpp"
#include "stage/semidefinite.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Rows of sensors, and of the inequalities that are active at at_. (4)
void ForceReadings::choose_rows(const MatrixXd& kappa, int k, double penalty) {
  const StageLimits& limits = setting_.limits;
  n = 0;
  S.setZero();
  const auto add = [&](int first, const auto& slopes, double value, double one_weight) {
    S.row(n).segment(first, slopes.size()) = slopes;
    e_at_[n] = value;
    weight[n++] = one_weight;
  };
  using One = Eigen::Matrix<double, 1, 1>;
  for (int i = 0; i < num_sensed; ++i) {
    add(i, One::Ones(), at_[i], 1);
  }
  const int first_effort = num_sensed + num_contact;
  for (int i = num_sensed; i < first_effort; i += 3) {
    const int limit = source[i].limit;
    const LimitRows cone =
        cone_rows(at_.segment<3>(i), kappa.col(k).segment<3>(limits.first_contact() + 3 * limit),
                  penalty_of(limits.force_std, penalty), limits.contacts[limit].mu);
    for (int j = 0; j < cone.n; ++j) add(i, cone.a.row(j), cone.e[j], cone.weight[j]);
  }
  for (int i = first_effort; i < num_numbers; ++i) {
    const JointLimit& limit = limits.effort[source[i].limit];
    const double rho = penalty_of(limit.std, penalty);
    const double off =
        off_range(limit, at_[i], kappa(limits.first_effort() + source[i].limit, k), rho);
    if (off != 0) add(i, One::Ones(), off, rho);
  }
}

/// Σ κ²/2ρ of the inequalities of forces and efforts.
double ForceReadings::multiplier_cost(const Path& path, int k) const {
  const StageLimits& limits = setting_.limits;
  const int first_effort = num_sensed + num_contact;
  double out = 0;
  for (int i = num_sensed; i < first_effort; i += 3) {
    const int place = limits.first_contact() + 3 * source[i].limit;
    out += 0.5 * path.kappa.col(k).segment<3>(place).squaredNorm() /
           penalty_of(limits.force_std, path.penalty);
  }
  for (int i = first_effort; i < num_numbers; ++i) {
    const int limit = source[i].limit;
    const double kappa = path.kappa(limits.first_effort() + limit, k);
    out += 0.5 * kappa * kappa / penalty_of(limits.effort[limit].std, path.penalty);
  }
  return out;
}

/// What the inequalities cost at y, beyond what their multipliers do.
double ForceReadings::limit_cost(const VectorXd& y, const Path& path, int k) const {
  const StageLimits& limits = setting_.limits;
  const int first_effort = num_sensed + num_contact;
  double out = 0;
  for (int i = num_sensed; i < first_effort; i += 3) {
    const int limit = source[i].limit;
    const double rho = penalty_of(limits.force_std, path.penalty);
    const Vector3d kappa = path.kappa.col(k).segment<3>(limits.first_contact() + 3 * limit);
    const Vector3d u = y.segment<3>(i) - kappa / rho;
    out += 0.5 * rho * (u - nearest_in_cone(u, limits.contacts[limit].mu)).squaredNorm();
  }
  for (int i = first_effort; i < num_numbers; ++i) {
    const JointLimit& limit = limits.effort[source[i].limit];
    const double rho = penalty_of(limit.std, path.penalty);
    const double kappa = path.kappa(limits.first_effort() + source[i].limit, k);
    const double off = off_range(limit, y[i], kappa, rho);
    out += 0.5 * rho * off * off;
  }
  return out;
}

/// ½πᵀV₀π, what the noise of efforts costs beyond the transition. (6)
double ForceReadings::noise_cost(const VectorXd& at_pi) const {
  const int count = num_numbers;
  double out = 0;
  for (int j = 0; j < count; ++j)
    out += 0.5 * at_pi[j] * V0_.col(j).head(count).dot(at_pi.head(count));
  return out;
}

/// p of the rows, and π = Sᵀp in pi_trial. (6)
void ForceReadings::scale_rows() {
  const int count = num_numbers;
  const auto S_n = S.topLeftCorner(n, count);
  auto V_n = V.topLeftCorner(n, n);
  e.head(n) = e_at_.head(n);
  trial_.head(count) = mean_.head(count) - at_.head(count);
  e.head(n).noalias() += S_n * trial_.head(count);
  V_n.setZero();
  if (setting_.noisy_effort()) {
    auto SV0 = SV0_.topLeftCorner(n, count);
    blas::multiply(1.0, S_n, Op::plain, V0_.topLeftCorner(count, count), Op::plain, 0.0, SV0);
    blas::multiply(1.0, SV0, Op::plain, S_n, Op::transposed, 0.0, V_n);
  }
  V_n.diagonal() += weight.head(n).cwiseInverse();
  semidefinite_cholesky(V_n);
  r.head(n) = e.head(n);
  whiten(V_n, r.head(n));
  p.head(n) = r.head(n);
  unwhiten(V_n, p.head(n));
  pi_trial_.head(count).noalias() = S_n.transpose() * p.head(n);
}

/// Finds y of least cost: Newton's method on a convex function of π, of which sensors alone need
/// one step. Leaves y in rows.at, π and the rows there. (6), (7)
void ForceReadings::solve_numbers(const Path& path, int k) {
  constexpr int most_steps = 50;
  constexpr double shortest = 1e-6, rounding = 1e-13;
  const int count = num_numbers;
  auto pi_now = pi.head(count), pi_next = pi_trial_.head(count);
  const auto move = [&](double length) {
    p.head(count) = pi_now + length * (pi_next - pi_now);
    trial_.head(count) = mean_.head(count);
    trial_.head(count).noalias() -= V0_.topLeftCorner(count, count) * p.head(count);
  };
  const auto cost = [&](const VectorXd& at_pi, const VectorXd& at) {
    return noise_cost(at_pi) + limit_cost(at, path, k) + 0.5 * at.head(num_sensed).squaredNorm();
  };
  at_.head(count) = mean_.head(count);
  pi_now.setZero();
  choose_rows(path.kappa, k, path.penalty);
  scale_rows();
  if (!setting_.noisy_effort()) {
    pi_now = pi_next;
    return;
  }
  double before = cost(pi, at_);
  for (int i = 0; i < most_steps; ++i) {
    double length = 1, after = 0;
    for (;; length *= 0.5) {
      move(length);
      after = cost(p, trial_);
      if (after <= before + rounding * std::abs(before) || length < shortest) break;
    }
    const double change = (trial_.head(count) - at_.head(count)).lpNorm<Eigen::Infinity>();
    at_.head(count) = trial_.head(count);
    pi_now = p.head(count);
    before = after;
    choose_rows(path.kappa, k, path.penalty);
    scale_rows();
    if (num_numbers == num_sensed) break;
    if (change <= rounding * (1 + at_.head(count).lpNorm<Eigen::Infinity>())) break;
  }
}

double ForceReadings::update_multipliers(bool change, int k, Path& path) const {
  const StageLimits& limits = setting_.limits;
  const int first_effort = num_sensed + num_contact;
  double gap = 0;
  const auto set = [&](int place, double kappa) {
    if (change) path.kappa(place, k) = kappa;
  };
  for (int i = num_sensed; i < first_effort; i += 3) {
    const int limit = source[i].limit, place = limits.first_contact() + 3 * limit;
    const double rho = penalty_of(limits.force_std, path.penalty);
    const Vector3d y = at_.segment<3>(i), u = y - path.kappa.col(k).segment<3>(place) / rho;
    const Vector3d nearest = nearest_in_cone(u, limits.contacts[limit].mu);
    gap = std::max(gap, (nearest - y).norm());
    for (int axis = 0; axis < 3; ++axis) set(place + axis, rho * (nearest[axis] - u[axis]));
  }
  for (int i = first_effort; i < num_numbers; ++i) {
    const int limit = source[i].limit, place = limits.first_effort() + limit;
    const double rho = penalty_of(limits.effort[limit].std, path.penalty);
    set(place, next_multiplier(limits.effort[limit], at_[i], path.kappa(place, k), rho, gap));
  }
  return gap;
}

}  // namespace bayesid
