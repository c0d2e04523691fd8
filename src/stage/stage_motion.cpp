// SPDX-License-Identifier: BSD-3-Clause
#include "stage/stage_motion.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

StageMotion::StageMotion(const StageSetting& setting) : setting_(setting) {
  const int nv = setting.nv();
  const Dynamics& dynamics = *setting.dynamics;
  q = acting_q = q_next_ = q_to_ = VectorXd::Zero(setting.nq());
  v = a = acting_v = step = dq_ = VectorXd::Zero(nv);
  tau = VectorXd::Zero(dynamics.num_inputs());
  n = VectorXd::Zero(dynamics.num_efforts());
  step_inertia = {VectorXd::Zero(std::ssize(dynamics.parameters().drives())), a};
  defect = VectorXd::Zero(2 * nv);
  step_q.setIdentity();
  step_u = error_q = error_u = acting_turn_ = step_q;
}

void StageMotion::read(int k, const Path& path) {
  q = path.x.col(k).head(setting_.nq());
  v = path.x.col(k).segment(setting_.nq(), setting_.nv());
  if (k >= path.u.cols()) return;
  a = path.u.col(k).head(setting_.nv());
  n = path.u.col(k).tail(n.size());
}

void StageMotion::place_forces(const StagePlan& plan, int k, const Path& path) {
  acting_q = q;
  acting_v = v;
  if (!setting_.integrator->lags() || plan.impact) return;
  const int nv = setting_.nv();
  const double way = setting_.integrator->force_at * plan.dt;
  step = path.lagged.col(k).head(nv);
  integrate(setting_.robot(), q, step, acting_q);
  acting_v += path.lagged.col(k).segment(nv, nv);
  step_inertia.a = path.lagged.col(k).segment(nv, nv) / way;
  step_inertia.inertia = path.lagged.col(k).tail(step_inertia.inertia.size());
  if (setting_.floating()) integrate_jacobians(setting_.robot(), step, acting_turn_, step_u);
}

void StageMotion::turn_to_start(const StagePlan& plan, Eigen::Ref<MatrixXd> by_q) const {
  if (!setting_.integrator->lags() || plan.impact || !setting_.floating()) return;
  for (Eigen::Index i = 0; i < by_q.rows(); ++i) {
    const Eigen::Matrix<double, 1, 6> row = by_q.row(i).head<6>();
    by_q.row(i).head<6>().noalias() = row * acting_turn_;
  }
}

void StageMotion::find_defect(const Steps& steps, const VectorXd& acceleration,
                              const Eigen::Ref<const VectorXd>& next) {
  const int nq = setting_.nq(), nv = setting_.nv();
  step = steps.b * v + steps.c * acceleration;
  integrate(setting_.robot(), q, step, q_next_);
  defect.tail(nv) = steps.e * acceleration + v - next.segment(nq, nv);
  q_to_ = next.head(nq);
  difference(setting_.robot(), q_to_, q_next_, dq_);
  defect.head(nv) = dq_;
}

void StageMotion::find_defect_jacobians() {
  if (!setting_.floating()) return;
  integrate_jacobians(setting_.robot(), step, step_q, step_u);
  dq_ = -defect.head(dq_.size());  // x' ⊖ Ψ
  integrate_jacobians(setting_.robot(), dq_, error_q, error_u);
}

int num_lagged(const StageSetting& setting) {
  if (!setting.integrator->lags()) return 0;
  return 2 * setting.nv() + static_cast<int>(setting.dynamics->parameters().drives().size());
}

void lag(const StageSetting& setting, const DynamicsAt& at, const StagePlan& plan, int k,
         Path& path) {
  if (!setting.integrator->lags()) return;
  const double way = plan.impact ? 0 : setting.integrator->force_at * plan.dt;
  const int nv = setting.nv();
  const VectorXd v = path.x.col(k).segment(setting.nq(), nv), a = path.u.col(k).head(nv);
  auto inertia = path.lagged.col(k).tail(num_lagged(setting) - 2 * nv);
  setting.dynamics->friction_slopes(at, v + way * a, inertia);
  inertia *= way;
  path.lagged.col(k).head(2 * nv) << way * v + 0.5 * way * way * a, way * a;
}

}  // namespace bayesid
