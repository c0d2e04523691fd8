// SPDX-License-Identifier: BSD-3-Clause
// One stage of a RobotProblem: from a state to the next, with the noise between them.
#include "bayesid/problem/robot_problem.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"
#include "problem/stage_memory.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

int RobotProblem::memory_size() const {
  return inputs_at() + dynamics_->nv() + dynamics_->num_efforts() +
         (carries_energy() ? dynamics_->nzeta() : 0);
}

int RobotProblem::rows_at() const {
  return StageMemory::size(dynamics_->nv(), dynamics_->num_rotors());
}

int RobotProblem::inputs_at() const {
  return rows_at() + size(0).nr * num_row_columns();
}

int RobotProblem::num_held() const {
  if (!is_midpoint()) return 0;
  return 2 * dynamics_->nv() + static_cast<int>(dynamics_->parameters().drives().size());
}

/// Half a step of configuration and velocity, as the path says now, and what friction half a step
/// on makes of the acceleration. docs/math/problem.md (2b), (2c)
void RobotProblem::hold(const At& at, int trajectory, int k, Path& path) const {
  if (!is_midpoint()) return;
  const StagePlan& plan = this->plan(trajectory, k);
  const double half = plan.impact ? 0 : 0.5 * plan.dt;
  const int nv = dynamics_->nv();
  const VectorXd v = path.x.col(k).tail(nv), a = path.u.col(k).head(nv);
  auto inertia = path.held.col(k).tail(num_held() - 2 * nv);
  dynamics_->friction_slopes(dynamics_at(at), v + half * a, inertia);
  inertia *= half;
  path.held.col(k).head(2 * nv) << half * v + 0.5 * half * half * a, half * a;
}

/// Forces act at the start of a stage or, with the midpoint rule, half a step on.
void RobotProblem::place_forces(int trajectory, int k, const Path& path, Scratch& s) const {
  s.acting_q = s.knot.q;
  s.acting_v = s.knot.v;
  if (!is_midpoint() || plan(trajectory, k).impact) return;
  const int nv = dynamics_->nv();
  s.step = path.held.col(k).head(nv);
  integrate(dynamics_->robot(), s.knot.q, s.step, s.acting_q);
  s.acting_v += path.held.col(k).segment(nv, nv);
  s.step_inertia.a = path.held.col(k).segment(nv, nv) / (0.5 * plan(trajectory, k).dt);
  s.step_inertia.inertia = path.held.col(k).tail(s.step_inertia.inertia.size());
  if (dynamics_->robot().floating)
    integrate_jacobians(dynamics_->robot(), s.step, s.acting_turn, s.step_u);
}

/// Derivatives by the configuration where forces act become those by the start of the stage.
void RobotProblem::turn_to_start(const StagePlan& plan, Eigen::Ref<MatrixXd> by_q,
                                 const Scratch& s) const {
  if (!is_midpoint() || plan.impact || !dynamics_->robot().floating) return;
  for (Eigen::Index i = 0; i < by_q.rows(); ++i) {
    const Eigen::Matrix<double, 1, 6> row = by_q.row(i).head<6>();
    by_q.row(i).head<6>().noalias() = row * s.acting_turn;
  }
}

/// a (and λ) that obey forces and constraints exactly at the measured effort.
void RobotProblem::solve_stage(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  if (plan(trajectory, k).impact) {
    dynamics_->solve_impact(model, mode(trajectory, k), s.knot.q, s.knot.v, s.dynamics, s.stage);
  } else {
    dynamics_->solve(model, mode(trajectory, k), s.acting_q, s.acting_v, s.tau, s.dynamics, s.stage,
                     is_midpoint() ? &s.step_inertia : nullptr);
  }
}

void RobotProblem::linearise_stage(const DynamicsAt& model, const StagePlan& plan, const Mode& mode,
                                   Scratch& s) const {
  if (plan.impact) {
    dynamics_->linearise_impact(model, mode, s.acting_q, s.acting_v, s.a, s.dynamics, s.stage);
  } else {
    dynamics_->linearise(model, mode, s.acting_q, s.acting_v, s.a, s.tau, s.n, s.dynamics, s.stage,
                         is_midpoint() ? &s.step_inertia : nullptr);
  }
  turn_to_start(plan, s.stage.balance.dh_dq, s);
  turn_to_start(plan, s.stage.da_dq, s);
}

/// defect = Ψ(x, a) ⊖ x' with a of the stage; leaves the step of q. docs/math/problem.md (2)
void RobotProblem::transition_defect(const Steps& steps, const Eigen::Ref<const VectorXd>& next,
                                     Scratch& s) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  s.step = steps.b * s.knot.v + steps.c * s.stage.a;
  integrate(dynamics_->robot(), s.knot.q, s.step, s.q_next);
  s.defect.tail(nv) = steps.e * s.stage.a + s.knot.v - next.tail(nv);
  s.knot.q = next.head(nq);
  difference(dynamics_->robot(), s.knot.q, s.q_next, s.dq);
  s.defect.head(nv) = s.dq;
}

/// A = ∂x'/∂x
void RobotProblem::state_columns(const Steps& steps, bool with_noise, Scratch& s,
                                 Stage& out) const {
  const int nv = dynamics_->nv();
  auto A = out.A.topLeftCorner(2 * nv, 2 * nv);
  A.bottomLeftCorner(nv, nv) = steps.e * s.stage.da_dq;
  A.bottomRightCorner(nv, nv) = steps.e * s.stage.da_dv;
  A.topLeftCorner(nv, nv) = steps.c * s.stage.da_dq;
  A.topRightCorner(nv, nv) = steps.c * s.stage.da_dv;
  if (dynamics_->robot().floating) {
    s.step_q = s.error_q * s.step_q;
    s.step_u = s.error_q * s.step_u;
    turn_base(s.step_u, A.topRows<6>());
    A.topLeftCorner<6, 6>() += s.step_q;
    A.block<6, 6>(0, nv) += steps.b * s.step_u;
    A.diagonal().tail(2 * nv - 6).array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().tail(nv - 6).array() += steps.b;
  } else {
    A.diagonal().array() += 1.0;
    A.topRightCorner(nv, nv).diagonal().array() += steps.b;
  }
  if (!with_noise) return;
  if (dynamics_->robot().floating) turn_base(s.error_u, s.noise_q.dw_dq.topRows<6>());
  A.topLeftCorner(nv, nv) += s.noise_q.dw_dq;
  A.bottomLeftCorner(nv, nv) += s.noise_v.dw_dq;
}

/// D K = ∂x'/∂ζ, in one block for the acceleration and two for the projected noise; on a fixed base
/// two do.
void RobotProblem::parameter_columns(const Steps& steps, bool with_noise, Scratch& s,
                                     Stage& out) const {
  const int nv = dynamics_->nv(), m = s.stage.response->num_free();
  const auto Z = s.stage.response->Z();
  const bool floating = dynamics_->robot().floating;
  const bool moves_noise = with_noise && options_.projection == Projection::dynamic;
  const int blocks = !moves_noise ? 1 : floating ? 3 : 2;
  auto Z_transposed = s.work.topLeftCorner(m, nv);
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
    s.noise_q.momentum += steps.c * s.stage.balance.dh_dzeta;
    s.noise_v.momentum += steps.e * s.stage.balance.dh_dzeta;
    product(s.noise_q.momentum, 0);
    product(s.noise_v.momentum, 1);
    D_q(0) = Z;
    D_v(1) = Z;
    return;
  }
  product(s.stage.balance.dh_dzeta, 0);
  D_q(0) = steps.c * Z;
  D_v(0) = steps.e * Z;
  if (floating) turn_base(s.step_u, out.D.topLeftCorner(6, m));
  if (blocks == 1) return;
  product(s.noise_q.momentum, 1);
  product(s.noise_v.momentum, 2);
  D_q(1) = Z;
  turn_base(s.error_u, out.D.block(0, m, 6, m));
  D_v(2) = Z;
}

void RobotProblem::linearise(const At& at, int trajectory, int k, const Path& path,
                             Workspace& workspace, Stage& out, double* memory) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  read(trajectory, k, path, s);
  node_cost(trajectory, k, s, out);
  if (has_inequalities()) add_state_limits(k, path, out);
  out.nr = 0;
  if (k == path.u.cols()) return;
  stage_rows(at, trajectory, k, path, s, out);
  const int nv = dynamics_->nv();
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  const Steps steps = this->steps(plan);
  out.gamma = path.gamma.col(k);
  const bool sees_forces = this->sees_forces(trajectory, k);
  if (sees_forces && noisy_effort()) {
    follow_forces(model, trajectory, k, path, s);
  } else if (options_.formulation == Formulation::forward) {
    follow(model, trajectory, k, s);
  }
  Map<VectorXd>(memory + inputs_at(), s.a.size() + s.n.size()) << s.a, s.n;

  // δa = −Z Zᵀ(h_q δq + h_v δv + h_ζ δζ) − lift(…): the nullspace of the stage is known.
  // docs/math/problem.md (3)
  linearise_stage(model, plan, mode, s);
  transition_defect(steps, path.x.col(k + 1), s);
  defect_jacobians(s);
  out.d.head(2 * nv) = s.defect;
  noise_basis(plan, mode, s);
  noise_factor(model.eta, steps, s);
  s.forces.gamma = out.gamma.head(2 * nv);
  if (sees_forces) linearise_forces(model, trajectory, k, path, s);
  multiplier_coordinates(s.forces.gamma, s);
  const bool with_noise = !plan.impact && disturb(model, mode, s);
  if (with_noise) {
    turn_to_start(plan, s.noise_q.dw_dq, s);
    turn_to_start(plan, s.noise_v.dw_dq, s);
  }
  state_columns(steps, with_noise, s, out);

  StageMemory kept(memory, nv, dynamics_->num_rotors());
  kept.num_free = s.stage.response->num_free();
  kept.num_noises = s.num_noises;
  kept.with_noise = with_noise && options_.projection == Projection::dynamic ? 1 : 0;
  kept.Z.leftCols(s.stage.response->num_free()) = s.stage.response->Z();
  if (s.is_projected) kept.C.topRows(s.num_noises) = s.C.topRows(s.num_noises);
  kept.gain = model.eta.gain;
  kept.rotor_force = s.stage.balance.rotor_force;
  kept.excess_q = s.noise_q.excess;
  kept.excess_v = s.noise_v.excess;
  kept.acceleration_to_q = steps.c * s.step_u;
  kept.noise_to_q = s.error_u;

  // Curvature of friction, weighted with the multiplier ξ = −Z Zᵀ(∂x'/∂a)ᵀγ of the balance.
  out.curvature.setZero();
  if (!plan.impact) {
    answer_to_multiplier(kept, steps, kept.acceleration_to_q, s.forces.gamma, s);
    s.xi = -s.force;
    if (sees_forces)
      s.xi.noalias() +=
          s.forces.F0.leftCols(s.forces.num_seen) * s.forces.pi.head(s.forces.num_seen);
    Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> sums(out.curvature.data(), 6,
                                                       out.curvature.size() / 6);
    dynamics_->add_friction_curvature(model, s.acting_v, s.xi, sums);
  }
  parameter_columns(steps, with_noise, s, out);
  noise_columns(s, out);
  if (sees_forces) multiplier_coordinates(out.gamma, s);
  closing_numbers(s, out);
  if (sees_forces) force_rows(trajectory, k, s, out);
  Map<MatrixXd>(memory + rows_at(), out.nr, num_row_columns()) =
      out.R_zeta.block(0, first_row_column_, out.nr, num_row_columns());
  if (carries_energy())
    carry_energy(trajectory, k, s, out, memory + memory_size() - dynamics_->nzeta());
}

/// The forward formulation: the acceleration is no unknown, but what the dynamics make of the
/// state and of the noise of effort or slip.
void RobotProblem::follow(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  solve_stage(model, trajectory, k, s);
  if (plan(trajectory, k).impact) {
    const auto B = s.stage.slip->B();
    auto slipped = s.y.head(B.cols());
    s.force.noalias() = s.stage.balance.mass * s.a;
    slipped.noalias() = B.transpose() * s.force;
    s.a = s.stage.a;
    s.a.noalias() += B * slipped;
    return;
  }
  follow_noise(model, s);
}

/// a = that of the stage solved last + Z Zᵀ of what the noise of efforts does.
void RobotProblem::follow_noise(const DynamicsAt& model, Scratch& s) const {
  const auto Z = s.stage.response->Z();
  auto coordinates = s.y.head(Z.cols());
  s.a = s.stage.a;
  dynamics_->effort_force(model, s.stage.balance, s.n, s.force);
  coordinates.noalias() = Z.transpose() * s.force;
  s.a.noalias() += Z * coordinates;
}

/// force = Z Zᵀ (∂x'/∂a)ᵀ γ; `to_q` is how the acceleration of a floating base moves its pose.
void RobotProblem::answer_to_multiplier(const StageMemory& kept, const Steps& steps,
                                        const Eigen::Ref<const Eigen::Matrix<double, 6, 6>>& to_q,
                                        const Eigen::Ref<const VectorXd>& gamma, Scratch& s) const {
  const int nv = dynamics_->nv();
  const auto Z = kept.Z.leftCols(static_cast<int>(kept.num_free));
  s.dq = steps.c * gamma.head(nv) + steps.e * gamma.segment(nv, nv);
  if (dynamics_->robot().floating) {
    s.dq.head<6>() = to_q.transpose() * gamma.head<6>();
    s.dq.head<6>() += steps.e * gamma.segment<6>(nv);
  }
  auto coordinates = s.y.head(Z.cols());
  coordinates.noalias() = Z.transpose() * s.dq;
  s.force.noalias() = Z * coordinates;
}

/// n = −Σ_τ (gain, f_r)ᵀ Z Zᵀ Dᵀγ with γ in s.gamma. docs/math/problem.md (5)
void RobotProblem::effort_noise(const StageMemory& kept, const Steps& steps, Scratch& s) const {
  const int nv = dynamics_->nv(), num_rotors = dynamics_->num_rotors();
  // Φ lets the noise of efforts enter behind the step of a base, like w. Without rotors no effort
  // acts on a base, and the difference is not seen.
  Eigen::Matrix<double, 6, 6> to_q = kept.acceleration_to_q;
  if (num_rotors > 0) to_q = steps.c * kept.noise_to_q;
  answer_to_multiplier(kept, steps, to_q, s.gamma, s);
  s.n.head(nv) = -effort_std_.head(nv).cwiseAbs2().cwiseProduct(kept.gain).cwiseProduct(s.force);
  if (num_rotors == 0) return;
  auto commands = s.n.tail(num_rotors);
  commands.noalias() = kept.rotor_force.transpose() * s.force;
  commands.array() *= -effort_std_.tail(num_rotors).array().square();
}

void RobotProblem::parameter_shift(const At& at, int trajectory, int k, const Path& path,
                                   const VectorXd& dzeta, Workspace& workspace,
                                   const double* memory, Eigen::Ref<VectorXd> out,
                                   Eigen::Ref<VectorXd> rows) const {
  const Map<const MatrixXd> R_zeta(memory + rows_at(), rows.size(), num_row_columns());
  rows.noalias() = R_zeta * dzeta.tail(num_row_columns());
  if (carries_energy()) {
    const Map<const VectorXd> by_zeta(memory + memory_size() - dzeta.size(), dzeta.size());
    out[out.size() - 1] = by_zeta.dot(dzeta);
  }
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  const int nv = dynamics_->nv();
  const Steps steps = this->steps(plan(trajectory, k));
  const StageMemory kept(const_cast<double*>(memory), nv, dynamics_->num_rotors());
  const auto Z = kept.Z.leftCols(static_cast<int>(kept.num_free));
  auto coordinates = s.y.head(Z.cols());
  const auto respond = [&](Eigen::Ref<VectorXd> to) {
    coordinates.noalias() = Z.transpose() * s.force;
    coordinates = -coordinates;
    to.noalias() = Z * coordinates;
  };
  read(trajectory, k, path, s);
  const Map<const VectorXd> inputs(memory + inputs_at(), nv + s.n.size());
  s.a = inputs.head(nv);
  s.n = inputs.tail(s.n.size());
  if (plan(trajectory, k).impact) {
    dynamics_->momentum_along(model, s.acting_q, s.a, dzeta, s.dynamics, s.force);
  } else {
    s.tau.head(s.n.size()) += s.n;
    dynamics_->balance_along(model, s.acting_q, s.acting_v, s.a, s.tau, dzeta, s.dynamics, s.force);
  }
  respond(s.dq);
  out.head(nv) = steps.c * s.dq;
  out.segment(nv, nv) = steps.e * s.dq;
  if (dynamics_->robot().floating) out.head<6>() = kept.acceleration_to_q * s.dq.head<6>();
  if (kept.with_noise == 0) return;
  s.step = kept.excess_q;
  dynamics_->momentum_along(model, s.step, dzeta, s.dynamics, s.force);
  respond(s.dq);
  if (dynamics_->robot().floating) s.dq.head<6>() = (kept.noise_to_q * s.dq.head<6>()).eval();
  out.head(nv) += s.dq;
  s.step = kept.excess_v;
  dynamics_->momentum_along(model, s.step, dzeta, s.dynamics, s.force);
  respond(s.dq);
  out.segment(nv, nv) += s.dq;
}

void RobotProblem::move(int trajectory, int k, const Path& path,
                        const Eigen::Ref<const MatrixXd>& dx,
                        const Eigen::Ref<const MatrixXd>& dgamma, double length,
                        Workspace& workspace, const double* memory, Path& out) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  s.knot.q = path.x.col(k).head(nq);
  s.dq = length * dx.col(k).head(nv);
  integrate(dynamics_->robot(), s.knot.q, s.dq, s.q_next);
  out.x.col(k).head(nq) = s.q_next;
  out.x.col(k).tail(nv) = path.x.col(k).tail(nv) + length * dx.col(k).segment(nv, nv);
  if (has_inequalities()) out.kappa.col(k) = path.kappa.col(k);
  if (k == path.u.cols()) return;
  // The full step satisfies the transition: v' = v + e a + ŵ with w = −Σ Pᵀγ.
  const StagePlan& plan = this->plan(trajectory, k);
  const Steps steps = this->steps(plan);
  const StageMemory kept(const_cast<double*>(memory), nv, dynamics_->num_rotors());
  s.gamma = path.gamma.col(k).head(2 * nv) + dgamma.col(k).head(2 * nv);
  s.a = path.x.col(k + 1).tail(nv) + dx.col(k + 1).segment(nv, nv) - path.x.col(k).tail(nv) -
        dx.col(k).segment(nv, nv);
  if (!plan.impact) {
    spread_velocity_noise(kept, is_projected(plan, mode(trajectory, k)), s);
    s.a -= s.dq;
  }
  s.a /= steps.e;
  out.u.col(k).head(nv) = path.u.col(k).head(nv) + length * (s.a - path.u.col(k).head(nv));
  if (noisy_effort() && !plan.impact) {
    effort_noise(kept, steps, s);
    const auto n = path.u.col(k).tail(s.n.size());
    out.u.col(k).tail(s.n.size()) = n + length * (s.n - n);
  }
  out.gamma.col(k) = path.gamma.col(k) + length * dgamma.col(k);
  out.held.col(k) = path.held.col(k);
}

}  // namespace bayesid
