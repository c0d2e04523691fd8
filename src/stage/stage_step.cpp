// SPDX-License-Identifier: BSD-3-Clause
#include "stage/stage_step.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

StageStep::StageStep(const StageSetting& setting) : setting_(setting) {
  const int nv = setting.nv();
  a_ = dq_ = force_ = VectorXd::Zero(nv);
  n_ = VectorXd::Zero(setting.dynamics->num_efforts());
  y_ = gamma_ = VectorXd::Zero(2 * nv);
}

void StageStep::solve_forces(const StageRecord& kept, const Steps& steps,
                             const Eigen::Ref<const VectorXd>& gamma, VectorXd& out) {
  solve_forces(kept, steps, kept.base ? kept.base->acceleration_to_q : Matrix6(Matrix6::Zero()),
               gamma, out);
}

/// `to_q` is how the acceleration of a floating base moves its pose.
void StageStep::solve_forces(const StageRecord& kept, const Steps& steps, const Matrix6& to_q,
                             const Eigen::Ref<const VectorXd>& gamma, VectorXd& out) {
  const int nv = setting_.nv();
  dq_ = steps.c * gamma.head(nv) + steps.e * gamma.segment(nv, nv);
  if (setting_.floating()) {
    dq_.head<6>() = to_q.transpose() * gamma.head<6>();
    dq_.head<6>() += steps.e * gamma.segment<6>(nv);
  }
  auto coordinates = y_.head(kept.Z.cols());
  coordinates.noalias() = kept.Z.transpose() * dq_;
  out.noalias() = kept.Z * coordinates;
}

/// to = −Z Zᵀ force.
void StageStep::apply_constrained_solve(const StageRecord& kept, VectorXd& to) {
  auto coordinates = y_.head(kept.Z.cols());
  coordinates.noalias() = kept.Z.transpose() * force_;
  coordinates = -coordinates;
  to.noalias() = kept.Z * coordinates;
}

void StageStep::parameter_shift(const StageRecord& kept, const DynamicsAt& model,
                                const StagePlan& plan, const VectorXd& dzeta, StageMotion& motion,
                                Dynamics::Workspace& workspace, Eigen::Ref<VectorXd> out) {
  const int nv = setting_.nv();
  const Dynamics& dynamics = *setting_.dynamics;
  const Steps steps = setting_.steps(plan);
  if (plan.impact) {
    dynamics.momentum_along(model, motion.acting_q, kept.a, dzeta, workspace, force_);
  } else {
    motion.tau.head(kept.n.size()) += kept.n;
    dynamics.balance_along(model, motion.acting_q, motion.acting_v, kept.a, motion.tau, dzeta,
                           workspace, force_);
  }
  apply_constrained_solve(kept, dq_);
  out.head(nv) = steps.c * dq_;
  out.segment(nv, nv) = steps.e * dq_;
  if (setting_.floating()) out.head<6>() = kept.base->acceleration_to_q * dq_.head<6>();
  if (!kept.noise_moves()) return;
  dynamics.momentum_along(model, kept.excess_q, dzeta, workspace, force_);
  apply_constrained_solve(kept, dq_);
  if (setting_.floating()) dq_.head<6>() = (kept.base->noise_to_q * dq_.head<6>()).eval();
  out.head(nv) += dq_;
  dynamics.momentum_along(model, kept.excess_v, dzeta, workspace, force_);
  apply_constrained_solve(kept, dq_);
  out.segment(nv, nv) += dq_;
}

/// dq = P w of the velocity, w = −Σ Pᵀγ.
void StageStep::project_velocity_noise(const StageRecord& kept) {
  const int nv = setting_.nv();
  const VectorXd& sigma = setting_.noise.disturbance_velocity;
  if (kept.C.size() == 0) {
    dq_ = -sigma.cwiseAbs2().cwiseProduct(gamma_.tail(nv));
    return;
  }
  // B = Z when the projection is dynamic, Cᵀ when it is kinematic.
  const Eigen::Index m = kept.C.rows();
  auto y = y_.head(m);
  const bool dynamic = setting_.projection == Projection::dynamic;
  if (dynamic) {
    y.noalias() = kept.Z.leftCols(m).transpose() * gamma_.tail(nv);
  } else {
    y.noalias() = kept.C * gamma_.tail(nv);
  }
  dq_.noalias() = kept.C.transpose() * y;
  dq_ = -sigma.cwiseAbs2().cwiseProduct(dq_);
  y.noalias() = kept.C * dq_;
  if (dynamic) {
    dq_.noalias() = kept.Z.leftCols(m) * y;
  } else {
    dq_.noalias() = kept.C.transpose() * y;
  }
}

/// n = −Σ_τ (gain, f_r)ᵀ Z Zᵀ Dᵀγ. docs/math/problem.md (5)
void StageStep::effort_noise(const StageView& at, const StageRecord& kept) {
  const int nv = setting_.nv(), num_rotors = setting_.num_rotors();
  const VectorXd& std = at.effort_std;
  const Steps steps = setting_.steps(at.plan);
  // Φ lets the noise of efforts enter behind the step of a base, like w. Without rotors no effort
  // acts on a base, and the difference is not seen.
  if (num_rotors > 0 && setting_.floating()) {
    const Matrix6 to_q = steps.c * kept.base->noise_to_q;
    solve_forces(kept, steps, to_q, gamma_, force_);
  } else {
    solve_forces(kept, steps, gamma_, force_);
  }
  n_.head(nv) = -std.head(nv).cwiseAbs2().cwiseProduct(at.model.eta.gain).cwiseProduct(force_);
  if (num_rotors == 0) return;
  auto commands = n_.tail(num_rotors);
  commands.noalias() = kept.rotor_force.transpose() * force_;
  commands.array() *= -std.tail(num_rotors).array().square();
}

void StageStep::move_inputs(const StageView& at, const StageRecord& kept,
                            const Eigen::Ref<const MatrixXd>& dx,
                            const Eigen::Ref<const MatrixXd>& dgamma, double length, Path& out) {
  const int nq = setting_.nq(), nv = setting_.nv(), k = at.k;
  const Path& path = at.path;
  gamma_ = path.gamma.col(k).head(2 * nv) + dgamma.col(k).head(2 * nv);
  a_ = path.x.col(k + 1).segment(nq, nv) + dx.col(k + 1).segment(nv, nv) -
       path.x.col(k).segment(nq, nv) - dx.col(k).segment(nv, nv);
  if (!at.plan.impact) {
    project_velocity_noise(kept);
    a_ -= dq_;
  }
  a_ /= setting_.steps(at.plan).e;
  out.u.col(k).head(nv) = path.u.col(k).head(nv) + length * (a_ - path.u.col(k).head(nv));
  if (!setting_.noisy_effort() || at.plan.impact) return;
  effort_noise(at, kept);
  const auto n = path.u.col(k).tail(n_.size());
  out.u.col(k).tail(n_.size()) = n + length * (n_ - n);
}

}  // namespace bayesid
