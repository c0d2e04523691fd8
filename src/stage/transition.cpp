// SPDX-License-Identifier: BSD-3-Clause
#include "stage/transition.hpp"

#include "math/blas.hpp"
#include "stage/semidefinite.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Transition::Transition(const StageSetting& setting, const std::vector<ForceSensor>& force_sensors)
    : dynamics(*setting.dynamics),
      stage(setting.nv(), setting.nzeta(), setting.max_rows, setting.num_rotors()),
      kinematics(setting.robot()),
      motion(setting),
      noise(setting),
      forces(setting, force_sensors),
      step(setting),
      setting_(setting) {
  const int nv = setting.nv();
  force_ = xi_ = VectorXd::Zero(nv);
  y_ = VectorXd::Zero(2 * nv);
  Z_transposed_ = MatrixXd::Zero(nv, nv);
}

void Transition::read(const StageView& at) {
  motion.read(at.k, at.path);
  motion.place_forces(at.plan, at.k, at.path);
}

/// a (and λ) that obey forces and constraints exactly at the measured effort.
void Transition::solve_stage(const StageView& at) {
  if (at.plan.impact) {
    setting_.dynamics->solve_impact(at.model, at.mode, motion.q, motion.v, dynamics, stage);
  } else {
    setting_.dynamics->solve(at.model, at.mode, motion.acting_q, motion.acting_v, motion.tau,
                             dynamics, stage, motion.step_friction());
  }
}

void Transition::linearise_stage(const StageView& at) {
  if (at.plan.impact) {
    setting_.dynamics->linearise_impact(at.model, at.mode, motion.acting_q, motion.acting_v,
                                        motion.a, dynamics, stage);
  } else {
    setting_.dynamics->linearise(at.model, at.mode, motion.acting_q, motion.acting_v, motion.a,
                                 motion.tau, motion.n, dynamics, stage, motion.step_friction());
  }
  motion.turn_to_start(at.plan, stage.balance.dh_dq);
  motion.turn_to_start(at.plan, stage.da_dq);
}

/// Where the stage is linearised: at the inputs of the path; in the forward formulation at the
/// acceleration that the dynamics make of the state and of the noise of effort or slip, which is no
/// unknown; and with noisy efforts and sensors of forces at the noise that both tell.
void Transition::integrate(const StageView& at) {
  if (setting_.noisy_effort() && reads_forces(at)) {
    close(at);
    forces.likeliest_noise(setting_.steps(at.plan), motion, noise, motion.n);
    motion.n = at.effort_std.cwiseProduct(motion.n);
    propagate_noise(at.model);
    return;
  }
  if (setting_.formulation != Formulation::forward) return;
  solve_stage(at);
  if (!at.plan.impact) {
    propagate_noise(at.model);
    return;
  }
  const auto B = stage.slip->B();
  auto slipped = y_.head(B.cols());
  force_.noalias() = stage.balance.mass * motion.a;
  slipped.noalias() = B.transpose() * force_;
  motion.a = stage.a;
  motion.a.noalias() += B * slipped;
}

/// a = that of the stage solved last + Z Zᵀ of what the noise of efforts does.
void Transition::propagate_noise(const DynamicsAt& model) {
  const auto Z = stage.kkt->Z();
  auto coordinates = y_.head(Z.cols());
  motion.a = stage.a;
  setting_.dynamics->effort_force(model, stage.balance, motion.n, force_);
  coordinates.noalias() = Z.transpose() * force_;
  motion.a.noalias() += Z * coordinates;
}

/// Stage, defect, noise and forces as they are at states alone, at the measured effort.
void Transition::close(const StageView& at) {
  const Steps steps = setting_.steps(at.plan);
  solve_stage(at);
  motion.find_defect(steps, stage.a, at.path.x.col(at.k + 1));
  noise.set_basis(at.plan, at.mode, stage);
  const bool reads = reads_forces(at);
  if (noise.num_noises == 0 && !reads) return;
  noise.set_factor(at.model.eta, at.effort_std, steps, stage);
  if (!reads) return;
  forces.read(at, Order::value, motion, stage, kinematics, dynamics);
  forces.whiten_readings(at, steps, motion, stage, noise);
}

/// Of a stage that was linearised at the noise motion.n of its efforts.
void Transition::read_forces(const StageView& at) {
  setting_.dynamics->effort_force(at.model, stage.balance, motion.n, force_);
  forces.read(at, Order::derivatives, motion, stage, kinematics, dynamics,
              setting_.noisy_effort() ? &force_ : nullptr);
  forces.whiten_readings(at, setting_.steps(at.plan), motion, stage, noise);
  forces.find_multiplier(at.path.gamma.col(at.k), motion, noise);
}

void Transition::linearise(const StageView& at, Stage& out, StageRecord& kept) {
  const int nv = setting_.nv();
  const Steps steps = setting_.steps(at.plan);
  const bool reads = reads_forces(at);
  out.gamma = at.path.gamma.col(at.k);
  read(at);
  integrate(at);
  kept.a = motion.a;
  kept.n = motion.n;

  // δa = −Z Zᵀ(h_q δq + h_v δv + h_ζ δζ) − J⁺(…): the nullspace of the stage is known.
  // docs/math/problem.md (3)
  linearise_stage(at);
  motion.find_defect(steps, stage.a, at.path.x.col(at.k + 1));
  motion.find_defect_jacobians();
  out.d.head(2 * nv) = motion.defect;
  noise.set_basis(at.plan, at.mode, stage);
  noise.set_factor(at.model.eta, at.effort_std, steps, stage);
  forces.gamma = out.gamma.head(2 * nv);
  if (reads) read_forces(at);
  noise.multiplier_coordinates(forces.gamma, motion);
  const bool with_noise = !at.plan.impact && noise.disturb(at.model, at.mode, stage, dynamics);
  if (with_noise) {
    motion.turn_to_start(at.plan, noise.noise_q.dw_dq);
    motion.turn_to_start(at.plan, noise.noise_v.dw_dq);
  }
  state_columns(steps, with_noise, out);
  keep(steps, with_noise, kept);
  friction_curvature(at, kept, out);
  parameter_columns(steps, with_noise, out);
  noise.columns(motion, out);
  if (reads) noise.multiplier_coordinates(out.gamma, motion);
  noise.close(motion, out);
  if (reads) forces.add_rows(at, motion, stage, out);
  kept.R_zeta = out.R_zeta.block(0, setting_.first_row_column, out.nr, setting_.num_row_columns());
}

/// Curvature of friction, weighted with the multiplier ξ = −Z Zᵀ(∂x'/∂a)ᵀγ of the balance.
void Transition::friction_curvature(const StageView& at, const StageRecord& kept, Stage& out) {
  out.curvature.setZero();
  if (at.plan.impact) return;
  step.solve_forces(kept, setting_.steps(at.plan), forces.gamma, force_);
  xi_ = -force_;
  if (reads_forces(at)) forces.add_balance_multiplier(xi_);
  Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> sums(out.curvature.data(), 6,
                                                     out.curvature.size() / 6);
  setting_.dynamics->add_friction_curvature(at.model, motion.acting_v, xi_, sums);
}

/// Keeps what the step needs.
void Transition::keep(const Steps& steps, bool with_noise, StageRecord& kept) const {
  kept.Z = stage.kkt->Z();
  if (noise.is_projected) {
    kept.C = noise.C.topRows(noise.num_noises);
  } else {
    kept.C.resize(0, 0);
  }
  kept.rotor_force = stage.balance.rotor_force;
  if (with_noise && setting_.projection == Projection::dynamic) {
    kept.excess_q = noise.noise_q.excess;
    kept.excess_v = noise.noise_v.excess;
  } else {
    kept.excess_q.resize(0);
    kept.excess_v.resize(0);
  }
  if (!setting_.floating()) return;
  BaseTurns& base = kept.make_base();
  base.acceleration_to_q = steps.c * motion.step_u;
  base.noise_to_q = motion.error_u;
}

/// A = ∂x'/∂x
void Transition::state_columns(const Steps& steps, bool with_noise, Stage& out) {
  const int nv = setting_.nv();
  auto A = out.A.topLeftCorner(2 * nv, 2 * nv);
  A.bottomLeftCorner(nv, nv) = steps.e * stage.da_dq;
  A.bottomRightCorner(nv, nv) = steps.e * stage.da_dv;
  A.topLeftCorner(nv, nv) = steps.c * stage.da_dq;
  A.topRightCorner(nv, nv) = steps.c * stage.da_dv;
  if (setting_.floating()) {
    motion.step_q = motion.error_q * motion.step_q;
    motion.step_u = motion.error_q * motion.step_u;
    turn_base(motion.step_u, A.topRows<6>());
    A.topLeftCorner<6, 6>() += motion.step_q;
    A.block<6, 6>(0, nv) += steps.b * motion.step_u;
    A.diagonal().tail(2 * nv - 6).array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().tail(nv - 6).array() += steps.b;
  } else {
    A.diagonal().array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().array() += steps.b;
  }
  if (!with_noise) return;
  if (setting_.floating()) turn_base(motion.error_u, noise.noise_q.dw_dq.topRows<6>());
  A.topLeftCorner(nv, nv) += noise.noise_q.dw_dq;
  A.bottomLeftCorner(nv, nv) += noise.noise_v.dw_dq;
}

/// D K = ∂x'/∂ζ, in one block for the acceleration and two for the projected noise; on a fixed base
/// two do.
void Transition::parameter_columns(const Steps& steps, bool with_noise, Stage& out) {
  const int nv = setting_.nv(), m = stage.kkt->num_free();
  const auto Z = stage.kkt->Z();
  const bool floating = setting_.floating();
  const bool moves_noise = with_noise && setting_.projection == Projection::dynamic;
  const int blocks = !moves_noise ? 1 : floating ? 3 : 2;
  auto Z_transposed = Z_transposed_.topLeftCorner(m, nv);
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
    noise.noise_q.momentum += steps.c * stage.balance.dh_dzeta;
    noise.noise_v.momentum += steps.e * stage.balance.dh_dzeta;
    product(noise.noise_q.momentum, 0);
    product(noise.noise_v.momentum, 1);
    D_q(0) = Z;
    D_v(1) = Z;
    return;
  }
  product(stage.balance.dh_dzeta, 0);
  D_q(0) = steps.c * Z;
  D_v(0) = steps.e * Z;
  if (floating) turn_base(motion.step_u, out.D.topLeftCorner(6, m));
  if (blocks == 1) return;
  product(noise.noise_q.momentum, 1);
  product(noise.noise_v.momentum, 2);
  D_q(1) = Z;
  turn_base(motion.error_u, out.D.block(0, m, 6, m));
  D_v(2) = Z;
}

TransitionCost Transition::evaluate(const StageView& at, const Eigen::Ref<VectorXd>& force_parts) {
  TransitionCost out;
  read(at);
  close(at);
  out.infeasibility = noise.infeasibility(at.plan, at.mode, motion, stage);
  const bool reads = reads_forces(at);
  if (noise.num_noises == 0 && !reads) return out;
  // Of what closes the transition, to explain the forces.
  const double beyond = reads ? forces.cost(at, force_parts) : 0;
  noise.coordinates(motion.defect);
  auto y = noise.y.head(2 * noise.num_noises);
  whiten(noise.L(), y);
  out.disturbance = 0.5 * y.squaredNorm() + beyond;
  if (!setting_.noisy_effort() || at.plan.impact) return out;
  if (reads) {
    forces.likeliest_noise(setting_.steps(at.plan), motion, noise, motion.n);
  } else {
    // n = −σ Eᵀ(c γ_q + e γ_v), E what scaled efforts do to the noise's coordinates.
    unwhiten(noise.L(), y);
    noise.effort_noise(setting_.steps(at.plan), motion.n);
  }
  out.effort = 0.5 * motion.n.squaredNorm();
  out.disturbance -= out.effort;
  return out;
}

void Transition::restore(const StageView& at, Path& path) {
  const int nv = setting_.nv();
  read(at);
  close(at);
  path.u.col(at.k).head(nv) = stage.a;
  const bool reads = reads_forces(at);
  if (noise.num_noises == 0 && !reads) return;
  const int m = noise.num_noises;
  noise.coordinates(motion.defect);
  auto y = noise.y.head(2 * m);
  // The jump of an impact has its slip in it.
  if (at.plan.impact) path.u.col(at.k).head(nv).noalias() -= noise.B.leftCols(m) * y.tail(m);
  whiten(noise.L(), y);
  unwhiten(noise.L(), y);
  if (noise.is_projected) {
    // Parts of the multiplier along directions without noise are kept.
    motion.find_defect_jacobians();
    noise.multiplier_coordinates(path.gamma.col(at.k), motion);
    noise.y_gamma.head(2 * m) = y - noise.y_gamma.head(2 * m);
    const auto C = noise.C.topRows(m);
    noise.stiff.head(nv).noalias() = C.transpose() * noise.y_gamma.head(m);
    noise.stiff.tail(nv).noalias() = C.transpose() * noise.y_gamma.segment(m, m);
    path.gamma.col(at.k).head(2 * nv) += noise.stiff;
  } else {
    path.gamma.col(at.k).head(2 * nv) = y;
  }
  if (setting_.noisy_effort() && !at.plan.impact) restore_noise(at, reads, path);
}

/// The noise of efforts, and what it adds to the acceleration.
void Transition::restore_noise(const StageView& at, bool reads_forces, Path& path) {
  const Steps steps = setting_.steps(at.plan);
  if (reads_forces) {
    forces.likeliest_noise(steps, motion, noise, motion.n);
    motion.n = at.effort_std.cwiseProduct(motion.n);
  } else {
    noise.effort_noise(steps, motion.n);
    motion.n = -at.effort_std.cwiseProduct(motion.n);
  }
  path.u.col(at.k).tail(motion.n.size()) = motion.n;
  const auto Z = stage.kkt->Z();
  setting_.dynamics->effort_force(at.model, stage.balance, motion.n, force_);
  y_.head(Z.cols()).noalias() = Z.transpose() * force_;
  path.u.col(at.k).head(setting_.nv()) += Z * y_.head(Z.cols());
}

double Transition::update_multipliers(const StageView& at, bool change, Path& path) {
  if (!setting_.limits.read_forces() || !reads_forces(at)) return 0;
  read(at);
  close(at);
  return forces.update_multipliers(change, at.k, path);
}

void Transition::parameter_shift(const StageView& at, const StageRecord& kept,
                                 const VectorXd& dzeta, const Eigen::Ref<VectorXd>& out) {
  read(at);
  step.parameter_shift(kept, at.model, at.plan, dzeta, motion, dynamics, out);
}

void Transition::examine(const StageView& at) {
  const Steps steps = setting_.steps(at.plan);
  read(at);
  linearise_stage(at);
  stage.a = motion.a;
  motion.find_defect(steps, stage.a, at.path.x.col(at.k + 1));
  motion.find_defect_jacobians();
  noise.set_basis(at.plan, at.mode, stage);
  noise.multiplier_coordinates(at.path.gamma.col(at.k), motion);
  if (!setting_.noisy_effort() || !reads_forces(at)) return;
  // With the forces' share, at inputs that are consistent.
  noise.set_factor(at.model.eta, at.effort_std, steps, stage);
  forces.read(at, Order::value, motion, stage, kinematics, dynamics);
  forces.find_multiplier_at(at, steps, motion, stage, noise);
  noise.multiplier_coordinates(forces.gamma, motion);
}

}  // namespace bayesid
