// SPDX-License-Identifier: BSD-3-Clause
#include "stage/state_limits.hpp"

#include "stage/limit_rows.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

/// Calls task(limit, value, place of its multiplier) for positions, then velocities of a state.
template <typename Task>
void for_each_state_limit(const StageSetting& setting, const Eigen::Ref<const VectorXd>& x,
                          const Task& task) {
  int place = 0;
  for (const JointLimit& limit : setting.limits.position) task(limit, x[limit.idx_q], place++);
  for (const JointLimit& limit : setting.limits.velocity)
    task(limit, x[setting.nq() + limit.idx_v], place++);
}

}  // namespace

void add_state_limits(const StageSetting& setting, int k, const Path& path, Stage& out) {
  const int nv = setting.nv(), first_velocity = setting.limits.first_velocity();
  for_each_state_limit(setting, path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty);
    const double off = off_range(limit, y, path.kappa(place, k), rho);
    if (off == 0) return;
    const int at = limit.idx_v + (place < first_velocity ? 0 : nv);
    out.Q(at, at) += rho;
    out.q[at] += rho * off;
  });
}

double state_limit_cost(const StageSetting& setting, int k, const Path& path) {
  double out = 0;
  for_each_state_limit(setting, path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty), kappa = path.kappa(place, k);
    const double off = off_range(limit, y, kappa, rho);
    out += 0.5 * (rho * off * off - kappa * kappa / rho);
  });
  return out;
}

double update_state_multipliers(const StageSetting& setting, int k, bool change, Path& path) {
  double gap = 0;
  for_each_state_limit(setting, path.x.col(k), [&](const JointLimit& limit, double y, int place) {
    const double rho = penalty_of(limit.std, path.penalty);
    const double next = next_multiplier(limit, y, path.kappa(place, k), rho, gap);
    if (change) path.kappa(place, k) = next;
  });
  return gap;
}

}  // namespace bayesid
