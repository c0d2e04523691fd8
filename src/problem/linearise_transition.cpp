// SPDX-License-Identifier: BSD-3-Clause
// From a state to the next, with the noise between them.
#include "math/blas.hpp"
#include "problem/robot_trajectory.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void RobotTrajectory::linearise_transition(const RobotAt& at, int k, const Path& path, Scratch& s,
                                           Stage& out, StageRecord& kept) const {
  const DynamicsAt& model = *at.dynamics;
  const int nv = setting_->nv();
  const StagePlan& plan = this->plan(k);
  const Mode& mode = this->mode(k);
  const Steps steps = setting_->steps(plan);
  const ForceStage of_forces = force_stage(model, k, path);
  const bool reads_forces = ForceReadings::any(*setting_, of_forces);
  out.gamma = path.gamma.col(k);
  if (reads_forces && setting_->noisy_effort()) {
    follow_forces(of_forces, s);
  } else if (setting_->formulation == Formulation::forward) {
    follow(model, k, s);
  }
  kept.a = s.motion.a;
  kept.n = s.motion.n;

  // δa = −Z Zᵀ(h_q δq + h_v δv + h_ζ δζ) − lift(…): the nullspace of the stage is known.
  // docs/math/problem.md (3)
  linearise_stage(model, k, s);
  s.motion.find_defect(steps, s.stage.a, path.x.col(k + 1));
  s.motion.find_defect_jacobians();
  out.d.head(2 * nv) = s.motion.defect;
  s.noise.set_basis(plan, mode, s.stage);
  s.noise.set_factor(model.eta, steps, s.stage);
  s.forces.gamma = out.gamma.head(2 * nv);
  if (reads_forces) {
    setting_->dynamics->effort_force(model, s.stage.balance, s.motion.n, s.force);
    s.forces.read(of_forces, Order::derivatives, s.motion, s.stage, s.kinematics, s.dynamics,
                  setting_->noisy_effort() ? &s.force : nullptr);
    s.forces.weigh(of_forces, steps, s.motion, s.stage, s.noise);
    s.forces.find_multiplier(out.gamma, s.motion, s.noise);
  }
  s.noise.multiplier_coordinates(s.forces.gamma, s.motion);
  const bool with_noise = !plan.impact && s.noise.disturb(model, mode, s.stage, s.dynamics);
  if (with_noise) {
    s.motion.turn_to_start(plan, s.noise.noise_q.dw_dq);
    s.motion.turn_to_start(plan, s.noise.noise_v.dw_dq);
  }
  state_columns(steps, with_noise, s, out);
  keep(with_noise, s, steps, kept);

  // Curvature of friction, weighted with the multiplier ξ = −Z Zᵀ(∂x'/∂a)ᵀγ of the balance.
  out.curvature.setZero();
  if (!plan.impact) {
    s.step.answer(kept, steps, s.forces.gamma, s.force);
    s.xi = -s.force;
    if (reads_forces) s.forces.add_balance_multiplier(s.xi);
    Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> sums(out.curvature.data(), 6,
                                                       out.curvature.size() / 6);
    setting_->dynamics->add_friction_curvature(model, s.motion.acting_v, s.xi, sums);
  }
  parameter_columns(steps, with_noise, s, out);
  s.noise.columns(s.motion, out);
  if (reads_forces) s.noise.multiplier_coordinates(out.gamma, s.motion);
  s.noise.close(s.motion, out);
  if (reads_forces) s.forces.add_rows(of_forces, s.motion, s.stage, out);
  kept.R_zeta =
      out.R_zeta.block(0, setting_->first_row_column, out.nr, setting_->num_row_columns());
  if (setting_->noise.energy) s.energy.carry(energy_log(), k, out, kept);
}

/// What the step will want to know.
void RobotTrajectory::keep(bool with_noise, const Scratch& s, const Steps& steps,
                           StageRecord& kept) const {
  kept.Z = s.stage.response->Z();
  if (s.noise.is_projected) {
    kept.C = s.noise.C.topRows(s.noise.num_noises);
  } else {
    kept.C.resize(0, 0);
  }
  kept.rotor_force = s.stage.balance.rotor_force;
  if (with_noise && setting_->projection == Projection::dynamic) {
    kept.excess_q = s.noise.noise_q.excess;
    kept.excess_v = s.noise.noise_v.excess;
  } else {
    kept.excess_q.resize(0);
    kept.excess_v.resize(0);
  }
  if (!setting_->floating()) return;
  BaseTurns& base = kept.make_base();
  base.acceleration_to_q = steps.c * s.motion.step_u;
  base.noise_to_q = s.motion.error_u;
}

/// A = ∂x'/∂x
void RobotTrajectory::state_columns(const Steps& steps, bool with_noise, Scratch& s,
                                    Stage& out) const {
  const int nv = setting_->nv();
  StageMotion& m = s.motion;
  auto A = out.A.topLeftCorner(2 * nv, 2 * nv);
  A.bottomLeftCorner(nv, nv) = steps.e * s.stage.da_dq;
  A.bottomRightCorner(nv, nv) = steps.e * s.stage.da_dv;
  A.topLeftCorner(nv, nv) = steps.c * s.stage.da_dq;
  A.topRightCorner(nv, nv) = steps.c * s.stage.da_dv;
  if (setting_->floating()) {
    m.step_q = m.error_q * m.step_q;
    m.step_u = m.error_q * m.step_u;
    turn_base(m.step_u, A.topRows<6>());
    A.topLeftCorner<6, 6>() += m.step_q;
    A.block<6, 6>(0, nv) += steps.b * m.step_u;
    A.diagonal().tail(2 * nv - 6).array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().tail(nv - 6).array() += steps.b;
  } else {
    A.diagonal().array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().array() += steps.b;
  }
  if (!with_noise) return;
  if (setting_->floating()) turn_base(m.error_u, s.noise.noise_q.dw_dq.topRows<6>());
  A.topLeftCorner(nv, nv) += s.noise.noise_q.dw_dq;
  A.bottomLeftCorner(nv, nv) += s.noise.noise_v.dw_dq;
}

/// D K = ∂x'/∂ζ, in one block for the acceleration and two for the projected noise; on a fixed base
/// two do.
void RobotTrajectory::parameter_columns(const Steps& steps, bool with_noise, Scratch& s,
                                        Stage& out) const {
  const int nv = setting_->nv(), m = s.stage.response->num_free();
  const auto Z = s.stage.response->Z();
  const bool floating = setting_->floating();
  const bool moves_noise = with_noise && setting_->projection == Projection::dynamic;
  const int blocks = !moves_noise ? 1 : floating ? 3 : 2;
  auto Z_transposed = s.Z_transposed.topLeftCorner(m, nv);
  Z_transposed = Z.transpose();  // faster than a product that does it
  const auto product = [&](const MatrixXd& Y, int block) {
    blas::multiply(-1.0, Z_transposed, Op::plain, Y, Op::plain, 0.0,
                   out.K.middleRows(block * m, m));
  };
  const auto D_q = [&](int block) { return out.D.block(0, block * m, nv, m); };
  const auto D_v = [&](int block) { return out.D.block(nv, block * m, nv, m); };
  out.nd = blocks * m;
  out.D.leftCols(out.nd).setZero();
  if (blocks == 2) {
    s.noise.noise_q.momentum += steps.c * s.stage.balance.dh_dzeta;
    s.noise.noise_v.momentum += steps.e * s.stage.balance.dh_dzeta;
    product(s.noise.noise_q.momentum, 0);
    product(s.noise.noise_v.momentum, 1);
    D_q(0) = Z;
    D_v(1) = Z;
    return;
  }
  product(s.stage.balance.dh_dzeta, 0);
  D_q(0) = steps.c * Z;
  D_v(0) = steps.e * Z;
  if (floating) turn_base(s.motion.step_u, out.D.topLeftCorner(6, m));
  if (blocks == 1) return;
  product(s.noise.noise_q.momentum, 1);
  product(s.noise.noise_v.momentum, 2);
  D_q(1) = Z;
  turn_base(s.motion.error_u, out.D.block(0, m, 6, m));
  D_v(2) = Z;
}

/// The forward formulation: the acceleration is no unknown, but what the dynamics make of the
/// state and of the noise of effort or slip.
void RobotTrajectory::follow(const DynamicsAt& model, int k, Scratch& s) const {
  solve_stage(model, k, s);
  if (plan(k).impact) {
    const auto B = s.stage.slip->B();
    auto slipped = s.y.head(B.cols());
    s.force.noalias() = s.stage.balance.mass * s.motion.a;
    slipped.noalias() = B.transpose() * s.force;
    s.motion.a = s.stage.a;
    s.motion.a.noalias() += B * slipped;
    return;
  }
  follow_noise(model, s);
}

/// a = that of the stage solved last + Z Zᵀ of what the noise of efforts does.
void RobotTrajectory::follow_noise(const DynamicsAt& model, Scratch& s) const {
  const auto Z = s.stage.response->Z();
  auto coordinates = s.y.head(Z.cols());
  s.motion.a = s.stage.a;
  setting_->dynamics->effort_force(model, s.stage.balance, s.motion.n, s.force);
  coordinates.noalias() = Z.transpose() * s.force;
  s.motion.a.noalias() += Z * coordinates;
}

/// Where a stage with forces is linearised when efforts are noisy: at the noise that states and
/// forces tell, and the acceleration it makes.
void RobotTrajectory::follow_forces(const ForceStage& at, Scratch& s) const {
  close_transition(at.model, at.k, at.path, s);
  s.forces.likeliest_noise(setting_->steps(at.plan), s.motion, s.noise, s.motion.n);
  s.motion.n = setting_->effort_std.cwiseProduct(s.motion.n);
  follow_noise(at.model, s);
}

/// Stage, defect, noise and forces as they are at states alone, at the measured effort.
void RobotTrajectory::close_transition(const DynamicsAt& model, int k, const Path& path,
                                       Scratch& s) const {
  const StagePlan& plan = this->plan(k);
  const Steps steps = setting_->steps(plan);
  const ForceStage of_forces = force_stage(model, k, path);
  solve_stage(model, k, s);
  s.motion.find_defect(steps, s.stage.a, path.x.col(k + 1));
  s.noise.set_basis(plan, mode(k), s.stage);
  const bool reads_forces = ForceReadings::any(*setting_, of_forces);
  if (s.noise.num_noises == 0 && !reads_forces) return;
  s.noise.set_factor(model.eta, steps, s.stage);
  if (!reads_forces) return;
  s.forces.read(of_forces, Order::value, s.motion, s.stage, s.kinematics, s.dynamics);
  s.forces.weigh(of_forces, steps, s.motion, s.stage, s.noise);
}

}  // namespace bayesid
