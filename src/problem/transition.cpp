// SPDX-License-Identifier: BSD-3-Clause
// One stage of a RobotProblem: from a state to the next, with the noise between them.
#include <cmath>
#include <map>
#include <string>

#include "bayesid/problem/robot_problem.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// What a stage keeps between its linearisation and the step, in a column of numbers.
struct StageMemory {
  StageMemory(double* numbers, int nv)
      : num_free(numbers[0]),
        with_noise(numbers[1]),
        Z(numbers + 2, nv, nv),
        C(numbers + 2 + nv * nv, nv, nv),
        gain(numbers + 2 + 2 * nv * nv, nv),
        excess_q(gain.data() + nv, nv),
        excess_v(excess_q.data() + nv, nv),
        acceleration_to_q(excess_v.data() + nv),
        noise_to_q(acceleration_to_q.data() + 36) {}
  static int size(int nv) { return 2 + 2 * nv * nv + 3 * nv + 72; }

  double& num_free;    // columns of Z that count
  double& with_noise;  // 1: the projection of the noise moves with θ
  Map<MatrixXd> Z, C;
  Map<VectorXd> gain, excess_q, excess_v;
  Map<Matrix6> acceleration_to_q, noise_to_q;  // of a floating base
};

namespace {

/// rows = turn · rows for the six rows of a floating base, column by column: no temporary matrix.
template <typename Rows>
void turn_base(const Matrix6& turn, Rows&& rows) {
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    const Eigen::Matrix<double, 6, 1> column = rows.col(j);
    rows.col(j).noalias() = turn * column;
  }
}

constexpr int arrival_part = 0;
constexpr int disturbance_part = 1;
constexpr int first_term_part = 2;

const DynamicsAt& dynamics_at(const Problem::At& at) {
  return *static_cast<const RobotAt&>(at).dynamics;
}

}  // namespace

int RobotProblem::memory_size() const {
  return StageMemory::size(dynamics_->nv());
}

bool RobotProblem::is_projected(const StagePlan& plan, const Mode& mode) const {
  return !plan.impact && options_.projection != Projection::none && mode.num_rows() > 0;
}

/// a (and λ) that obey forces and constraints exactly at the measured effort.
void RobotProblem::solve_stage(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  if (plan(trajectory, k).impact) {
    dynamics_->solve_impact(model, mode(trajectory, k), s.knot.q, s.knot.v, s.dynamics, s.stage);
  } else {
    dynamics_->solve(model, mode(trajectory, k), s.knot.q, s.knot.v, s.tau, s.dynamics, s.stage);
  }
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

/// How a floating base carries steps and noise over to x', at the defect. docs/math/problem.md (3)
void RobotProblem::defect_jacobians(Scratch& s) const {
  if (!dynamics_->robot().floating) return;
  integrate_jacobians(dynamics_->robot(), s.step, s.step_q, s.step_u);
  s.dq = -s.defect.head(s.dq.size());  // x' ⊖ Ψ
  integrate_jacobians(dynamics_->robot(), s.dq, s.error_q, s.error_u);
}

void RobotProblem::noise_basis(const StagePlan& plan, const Mode& mode, Scratch& s) const {
  const int nv = dynamics_->nv();
  s.is_projected = is_projected(plan, mode);
  s.num_noises = plan.impact ? 0 : nv;
  if (!s.is_projected) return;
  if (options_.projection == Projection::dynamic) {
    s.num_noises = s.stage.response->num_free();
    s.B.leftCols(s.num_noises) = s.stage.response->Z();
    blas::multiply(1.0, s.B.leftCols(s.num_noises), Op::transposed, s.stage.balance.mass, Op::plain,
                   0.0, s.C.topRows(s.num_noises));
  } else {
    s.unit_response.factor(s.unit_mass, s.stage.rows.J.topRows(mode.num_rows()));
    s.num_noises = s.unit_response.num_free();
    s.B.leftCols(s.num_noises) = s.unit_response.Z();
    s.C.topRows(s.num_noises) = s.unit_response.Z().transpose();
  }
}

/// Factor of the covariance of the noise in its coordinates. docs/math/problem.md (4)
void RobotProblem::noise_factor(const PhysicalParameters& eta, const Steps& steps,
                                Scratch& s) const {
  const int m = s.num_noises;
  auto factor = s.factor.topLeftCorner(2 * m, 2 * m);
  factor.setZero();
  if (m == 0) return;
  const VectorXd &sigma_q = noise_.disturbance_position, &sigma_v = noise_.disturbance_velocity;
  if (!s.is_projected && !noisy_effort()) {
    factor.diagonal().head(m) = sigma_q;
    factor.diagonal().tail(m) = sigma_v;
    return;
  }
  auto part = s.scaled.topRows(m);
  auto cov = s.effort_cov.topLeftCorner(m, m);
  const auto C = s.C.topRows(m);
  if (s.is_projected) {
    part = C * sigma_q.asDiagonal();
    blas::multiply(1.0, part, Op::plain, part, Op::transposed, 0.0, factor.topLeftCorner(m, m));
    part = C * sigma_v.asDiagonal();
    blas::multiply(1.0, part, Op::plain, part, Op::transposed, 0.0, factor.bottomRightCorner(m, m));
  } else {
    factor.diagonal().head(m) = sigma_q.cwiseAbs2();
    factor.diagonal().tail(m) = sigma_v.cwiseAbs2();
  }
  if (noisy_effort()) {
    // Z Zᵀ gain σ in the coordinates of the noise.
    const auto Z = s.stage.response->Z();
    auto effort = s.work.topRows(Z.cols());
    effort = Z.transpose() * eta.gain.cwiseProduct(noise_.effort).asDiagonal();
    if (!s.is_projected) {
      blas::multiply(1.0, Z, Op::plain, effort, Op::plain, 0.0, part);
    } else if (options_.projection == Projection::dynamic) {
      part = effort;
    } else {
      auto mixed = s.work2.topLeftCorner(m, Z.cols());
      blas::multiply(1.0, C, Op::plain, Z, Op::plain, 0.0, mixed);
      blas::multiply(1.0, mixed, Op::plain, effort, Op::plain, 0.0, part);
    }
    blas::multiply(1.0, part, Op::plain, part, Op::transposed, 0.0, cov);
    factor.topLeftCorner(m, m) += steps.c * steps.c * cov;
    factor.bottomLeftCorner(m, m) += steps.c * steps.e * cov;
    factor.bottomRightCorner(m, m) += steps.e * steps.e * cov;
  }
  semidefinite_cholesky(factor);
}

/// y = C d, the part of a defect that noise can make up for.
void RobotProblem::noise_coordinates(const VectorXd& d, Scratch& s, VectorXd& y) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  if (!s.is_projected) {
    y.head(2 * m) = d.head(2 * m);
    return;
  }
  y.head(m).noalias() = s.C.topRows(m) * d.head(nv);
  y.segment(m, m).noalias() = s.C.topRows(m) * d.tail(nv);
}

/// y_gamma = Bᵀγ with γ as the noise meets it, which stays in s.gamma.
void RobotProblem::multiplier_coordinates(const Eigen::Ref<const VectorXd>& gamma,
                                          Scratch& s) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  s.gamma = gamma;
  if (dynamics_->robot().floating) s.gamma.head<6>() = s.error_u.transpose() * gamma.head<6>();
  if (!s.is_projected) {
    s.y_gamma.head(2 * m) = s.gamma.head(2 * m);
    return;
  }
  s.y_gamma.head(m).noalias() = s.B.leftCols(m).transpose() * s.gamma.head(nv);
  s.y_gamma.segment(m, m).noalias() = s.B.leftCols(m).transpose() * s.gamma.tail(nv);
}

/// The disturbance that the multiplier tells, projected, with derivatives; false when there is
/// none to project.
bool RobotProblem::disturb(const DynamicsAt& model, const Mode& mode, Scratch& s) const {
  const int m = s.num_noises;
  if (!s.is_projected || s.gamma.isZero(0.0)) return false;
  Response& metric =
      options_.projection == Projection::dynamic ? *s.stage.response : s.unit_response;
  const auto project = [&](const VectorXd& sigma, const auto& y, ProjectedNoise& out) {
    s.dq.noalias() = s.C.topRows(m).transpose() * y;
    s.dq = -sigma.cwiseAbs2().cwiseProduct(s.dq);
    dynamics_->project(model, mode, s.dq, options_.projection, metric, s.stage, s.dynamics, out);
  };
  project(noise_.disturbance_position, s.y_gamma.head(m), s.noise_q);
  project(noise_.disturbance_velocity, s.y_gamma.segment(m, m), s.noise_v);
  return true;
}

/// A = ∂x'/∂x
void RobotProblem::state_columns(const Steps& steps, bool with_noise, Scratch& s,
                                 Stage& out) const {
  const int nv = dynamics_->nv();
  out.A.bottomLeftCorner(nv, nv) = steps.e * s.stage.da_dq;
  out.A.bottomRightCorner(nv, nv) = steps.e * s.stage.da_dv;
  out.A.topLeftCorner(nv, nv) = steps.c * s.stage.da_dq;
  out.A.topRightCorner(nv, nv) = steps.c * s.stage.da_dv;
  if (dynamics_->robot().floating) {
    s.step_q = s.error_q * s.step_q;
    s.step_u = s.error_q * s.step_u;
    turn_base(s.step_u, out.A.topRows<6>());
    out.A.topLeftCorner<6, 6>() += s.step_q;
    out.A.block<6, 6>(0, nv) += steps.b * s.step_u;
    out.A.diagonal().tail(2 * nv - 6).array() += 1.0;
    out.A.topRightCorner(nv, nv).diagonal().tail(nv - 6).array() += steps.b;
  } else {
    out.A.diagonal().array() += 1.0;
    out.A.topRightCorner(nv, nv).diagonal().array() += steps.b;
  }
  if (!with_noise) return;
  if (dynamics_->robot().floating) turn_base(s.error_u, s.noise_q.dw_dq.topRows<6>());
  out.A.topLeftCorner(nv, nv) += s.noise_q.dw_dq;
  out.A.bottomLeftCorner(nv, nv) += s.noise_v.dw_dq;
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
  auto Z_transposed = s.work.topRows(m);
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

void RobotProblem::noise_columns(Scratch& s, Stage& out) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  const auto factor = s.factor.topLeftCorner(2 * m, 2 * m);
  out.nw = 2 * m;
  auto N = out.N.leftCols(2 * m);
  if (s.is_projected) {
    blas::multiply(1.0, s.B.leftCols(m), Op::plain, factor.topRows(m), Op::plain, 0.0,
                   N.topRows(nv));
    blas::multiply(1.0, s.B.leftCols(m), Op::plain, factor.bottomRows(m), Op::plain, 0.0,
                   N.bottomRows(nv));
  } else if (m > 0) {
    N = factor;
  }
  if (dynamics_->robot().floating && m > 0) turn_base(s.error_u, N.topRows<6>());
}

void RobotProblem::closing_numbers(Scratch& s, Stage& out) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  out.stiff_work = 0;
  if (m == 0) out.stiff_work = s.gamma.dot(s.defect);
  if (s.is_projected) {
    s.stiff = s.defect;
    s.stiff.head(nv).noalias() -= s.B.leftCols(m) * y.head(m);
    s.stiff.tail(nv).noalias() -= s.B.leftCols(m) * y.tail(m);
    out.stiff_work = s.gamma.dot(s.stiff);
  }
  s.stiff.head(2 * m).noalias() =
      L.triangularView<Eigen::Lower>().transpose() * s.y_gamma.head(2 * m);
  y.noalias() -= L.triangularView<Eigen::Lower>() * s.stiff.head(2 * m);
  whiten(L, y);
  out.closing_cost = 0.5 * y.squaredNorm();
}

void RobotProblem::linearise(const At& at, int trajectory, int k, const Path& path,
                             Workspace& workspace, Stage& out, double* memory) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  read(trajectory, k, path, s);
  node_cost(trajectory, k, s, out);
  if (k == path.u.cols()) return;
  const int nv = dynamics_->nv();
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  const Steps steps = this->steps(plan);
  s.q = s.knot.q;
  out.gamma = path.gamma.col(k);
  if (options_.formulation == Formulation::forward) follow(model, trajectory, k, s);

  // δa = −Z Zᵀ(h_q δq + h_v δv + h_ζ δζ) − lift(…): the nullspace of the stage is known.
  // docs/math/problem.md (3)
  if (plan.impact) {
    dynamics_->linearise_impact(model, mode, s.q, s.knot.v, s.a, s.dynamics, s.stage);
  } else {
    dynamics_->linearise(model, mode, s.q, s.knot.v, s.a, s.tau, s.n, s.dynamics, s.stage);
  }
  s.v = s.knot.v;
  transition_defect(steps, path.x.col(k + 1), s);
  defect_jacobians(s);
  out.d = s.defect;
  noise_basis(plan, mode, s);
  multiplier_coordinates(out.gamma, s);
  const bool with_noise = disturb(model, mode, s);
  state_columns(steps, with_noise, s, out);

  StageMemory kept(memory, nv);
  kept.num_free = s.stage.response->num_free();
  kept.with_noise = with_noise && options_.projection == Projection::dynamic ? 1 : 0;
  kept.Z.leftCols(s.stage.response->num_free()) = s.stage.response->Z();
  if (s.is_projected) kept.C.topRows(s.num_noises) = s.C.topRows(s.num_noises);
  kept.gain = model.eta.gain;
  kept.excess_q = s.noise_q.excess;
  kept.excess_v = s.noise_v.excess;
  kept.acceleration_to_q = steps.c * s.step_u;
  kept.noise_to_q = s.error_u;

  // Curvature of friction, weighted with the multiplier ξ = −Z Zᵀ(∂x'/∂a)ᵀγ of the balance.
  out.curvature.setZero();
  if (!plan.impact) {
    answer_to_multiplier(kept, steps, out.gamma, s);
    s.xi = -s.force;
    Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> sums(out.curvature.data(), 6,
                                                       out.curvature.size() / 6);
    dynamics_->add_friction_curvature(model, s.v, s.xi, sums);
  }
  parameter_columns(steps, with_noise, s, out);
  noise_factor(model.eta, steps, s);
  noise_columns(s, out);
  closing_numbers(s, out);
}

/// The forward formulation: the acceleration is no unknown, but what the dynamics make of the
/// state.
void RobotProblem::follow(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  solve_stage(model, trajectory, k, s);
  s.a = s.stage.a;
  if (plan(trajectory, k).impact) return;
  const auto Z = s.stage.response->Z();
  auto coordinates = s.y.head(Z.cols());
  s.force = model.eta.gain.cwiseProduct(s.n);
  coordinates.noalias() = Z.transpose() * s.force;
  s.a.noalias() += Z * coordinates;
}

/// force = Z Zᵀ (∂x'/∂a)ᵀ γ
void RobotProblem::answer_to_multiplier(const StageMemory& kept, const Steps& steps,
                                        const Eigen::Ref<const VectorXd>& gamma, Scratch& s) const {
  const int nv = dynamics_->nv();
  const auto Z = kept.Z.leftCols(static_cast<int>(kept.num_free));
  s.dq = steps.c * gamma.head(nv) + steps.e * gamma.tail(nv);
  if (dynamics_->robot().floating) {
    s.dq.head<6>() = kept.acceleration_to_q.transpose() * gamma.head<6>();
    s.dq.head<6>() += steps.e * gamma.segment<6>(nv);
  }
  auto coordinates = s.y.head(Z.cols());
  coordinates.noalias() = Z.transpose() * s.dq;
  s.force.noalias() = Z * coordinates;
}

void RobotProblem::parameter_shift(const At& at, int trajectory, int k, const Path& path,
                                   const VectorXd& dzeta, Workspace& workspace,
                                   const double* memory, Eigen::Ref<VectorXd> out) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  const int nv = dynamics_->nv();
  const Steps steps = this->steps(plan(trajectory, k));
  const StageMemory kept(const_cast<double*>(memory), nv);
  const auto Z = kept.Z.leftCols(static_cast<int>(kept.num_free));
  auto coordinates = s.y.head(Z.cols());
  const auto respond = [&](Eigen::Ref<VectorXd> to) {
    coordinates.noalias() = Z.transpose() * s.force;
    coordinates = -coordinates;
    to.noalias() = Z * coordinates;
  };
  read(trajectory, k, path, s);
  s.q = s.knot.q;
  if (options_.formulation == Formulation::forward) follow(model, trajectory, k, s);
  if (plan(trajectory, k).impact) {
    dynamics_->momentum_along(model, s.q, s.a, dzeta, s.dynamics, s.force);
  } else {
    s.tau += s.n;
    dynamics_->balance_along(model, s.q, s.knot.v, s.a, s.tau, dzeta, s.dynamics, s.force);
  }
  respond(s.dq);
  out.head(nv) = steps.c * s.dq;
  out.tail(nv) = steps.e * s.dq;
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
  out.tail(nv) += s.dq;
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
  out.x.col(k).tail(nv) = path.x.col(k).tail(nv) + length * dx.col(k).tail(nv);
  if (k == path.u.cols()) return;
  // The full step satisfies the transition: v' = v + e a + ŵ with w = −Σ Pᵀγ.
  const StagePlan& plan = this->plan(trajectory, k);
  const Steps steps = this->steps(plan);
  const StageMemory kept(const_cast<double*>(memory), nv);
  s.gamma = path.gamma.col(k) + dgamma.col(k);
  s.a = path.x.col(k + 1).tail(nv) + dx.col(k + 1).tail(nv) - path.x.col(k).tail(nv) -
        dx.col(k).tail(nv);
  if (!plan.impact) {
    spread_velocity_noise(kept, is_projected(plan, mode(trajectory, k)), s);
    s.a -= s.dq;
  }
  s.a /= steps.e;
  out.u.col(k).head(nv) = path.u.col(k).head(nv) + length * (s.a - path.u.col(k).head(nv));
  if (noisy_effort() && !plan.impact) {
    answer_to_multiplier(kept, steps, s.gamma, s);
    s.n = -noise_.effort.cwiseAbs2().cwiseProduct(kept.gain).cwiseProduct(s.force);
    out.u.col(k).tail(nv) = path.u.col(k).tail(nv) + length * (s.n - path.u.col(k).tail(nv));
  }
  out.gamma.col(k) = path.gamma.col(k) + length * dgamma.col(k);
}

/// dq = P w of the velocity, w = −Σ Pᵀγ with γ in s.gamma.
void RobotProblem::spread_velocity_noise(const StageMemory& kept, bool projected,
                                         Scratch& s) const {
  const int nv = dynamics_->nv();
  const VectorXd& sigma = noise_.disturbance_velocity;
  if (!projected) {
    s.dq = -sigma.cwiseAbs2().cwiseProduct(s.gamma.tail(nv));
    return;
  }
  const int m = static_cast<int>(kept.num_free);
  // B = Z when the projection is dynamic, Cᵀ when it is kinematic.
  auto y = s.y.head(m);
  const bool dynamic = options_.projection == Projection::dynamic;
  if (dynamic) {
    y.noalias() = kept.Z.leftCols(m).transpose() * s.gamma.tail(nv);
  } else {
    y.noalias() = kept.C.topRows(m) * s.gamma.tail(nv);
  }
  s.dq.noalias() = kept.C.topRows(m).transpose() * y;
  s.dq = -sigma.cwiseAbs2().cwiseProduct(s.dq);
  y.noalias() = kept.C.topRows(m) * s.dq;
  if (dynamic) {
    s.dq.noalias() = kept.Z.leftCols(m) * y;
  } else {
    s.dq.noalias() = kept.C.topRows(m).transpose() * y;
  }
}

/// What no noise can make up for, in standard deviations of the disturbance.
double RobotProblem::stiffness(const StagePlan& plan, const Mode& mode, Scratch& s) const {
  const int nv = dynamics_->nv(), num_rows = mode.num_rows();
  if (plan.impact) {
    return s.defect.head(nv).lpNorm<1>() / position_scale_ +
           s.defect.tail(nv).lpNorm<1>() / velocity_scale_;
  }
  if (!s.is_projected) return 0;
  double out = 0;
  for (int i = 0; i < num_rows; ++i) {
    const auto row = s.stage.rows.J.row(i);
    out += std::abs(row.dot(s.defect.head(nv))) / position_scale_ +
           std::abs(row.dot(s.defect.tail(nv))) / velocity_scale_;
  }
  return out;
}

bool RobotProblem::evaluate(const At& at, int trajectory, int k, const Path& path,
                            Workspace& workspace, Eigen::Ref<VectorXd> parts) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = dynamics_at(at);
  const Eigen::Index violation = parts.size() - 1;
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
      trajectories_[trajectory].terms[i]->evaluate(s.knot, Order::value, s.residuals[i]);
      parts[first_term_part + static_cast<Eigen::Index>(i)] =
          0.5 * s.residuals[i].r.head(s.residuals[i].rows).squaredNorm();
    }
  }
  if (k == path.u.cols()) return parts.allFinite();

  // Transition: the noise that closes it at least cost, γ = W⁻¹ defect.
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  const Steps steps = this->steps(plan);
  solve_stage(model, trajectory, k, s);
  transition_defect(steps, path.x.col(k + 1), s);
  noise_basis(plan, mode, s);
  parts[violation] += stiffness(plan, mode, s);
  if (s.num_noises == 0) return parts.allFinite();
  noise_factor(model.eta, steps, s);
  const int m = s.num_noises;
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  whiten(L, y);
  const double total = 0.5 * y.squaredNorm();
  parts[disturbance_part] = total;
  if (noisy_effort()) {
    // n = −σ Eᵀ(c γ_q + e γ_v), E what scaled efforts do to the noise's coordinates.
    unwhiten(L, y);
    s.force.head(m) = steps.c * y.head(m) + steps.e * y.tail(m);
    s.n.noalias() = s.scaled.topRows(m).transpose() * s.force.head(m);
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
  if (s.num_noises == 0) return;
  noise_factor(model.eta, steps, s);
  const int m = s.num_noises;
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  whiten(L, y);
  unwhiten(L, y);
  if (s.is_projected) {
    // What the multiplier says of directions without noise stays.
    defect_jacobians(s);
    multiplier_coordinates(path.gamma.col(k), s);
    s.y_gamma.head(2 * m) = y - s.y_gamma.head(2 * m);
    s.stiff.head(nv).noalias() = s.C.topRows(m).transpose() * s.y_gamma.head(m);
    s.stiff.tail(nv).noalias() = s.C.topRows(m).transpose() * s.y_gamma.segment(m, m);
    path.gamma.col(k) += s.stiff;
  } else {
    path.gamma.col(k) = y;
  }
  if (!noisy_effort()) return;
  s.force.head(m) = steps.c * y.head(m) + steps.e * y.tail(m);
  s.n.noalias() = s.scaled.topRows(m).transpose() * s.force.head(m);
  s.n = -noise_.effort.cwiseProduct(s.n);
  path.u.col(k).tail(nv) = s.n;
  const auto Z = s.stage.response->Z();
  s.force = model.eta.gain.cwiseProduct(s.n);
  s.y.head(Z.cols()).noalias() = Z.transpose() * s.force;
  path.u.col(k).head(nv) += Z * s.y.head(Z.cols());
}

/// Leaves the stage, its noise basis and the multiplier's coordinates as they are at a path.
void RobotProblem::examine(const DynamicsAt& model, int trajectory, int k, const Path& path,
                           Scratch& s) const {
  const StagePlan& plan = this->plan(trajectory, k);
  const Mode& mode = this->mode(trajectory, k);
  read(trajectory, k, path, s);
  s.q = s.knot.q;
  if (plan.impact) {
    dynamics_->linearise_impact(model, mode, s.q, s.knot.v, s.a, s.dynamics, s.stage);
  } else {
    dynamics_->linearise(model, mode, s.q, s.knot.v, s.a, s.tau, s.n, s.dynamics, s.stage);
  }
  s.stage.a = s.a;
  transition_defect(steps(plan), path.x.col(k + 1), s);
  defect_jacobians(s);
  noise_basis(plan, mode, s);
  multiplier_coordinates(path.gamma.col(k), s);
}

/// w = −Σ Pᵀγ, then P w.
VectorXd RobotProblem::projected_disturbance(const Scratch& s) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  if (m == 0) return VectorXd::Zero(2 * nv);
  VectorXd sigma(2 * nv);
  sigma << noise_.disturbance_position.cwiseAbs2(), noise_.disturbance_velocity.cwiseAbs2();
  if (!s.is_projected) return -sigma.cwiseProduct(s.gamma);
  const MatrixXd P = s.B.leftCols(m) * s.C.topRows(m);
  VectorXd out(2 * nv);
  out.head(nv) = -P * sigma.head(nv).cwiseProduct(P.transpose() * s.gamma.head(nv));
  out.tail(nv) = -P * sigma.tail(nv).cwiseProduct(P.transpose() * s.gamma.tail(nv));
  return out;
}

PathDetails RobotProblem::details(const VectorXd& theta, int trajectory, const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const DynamicsAt> model = dynamics_->at(theta);
  PathDetails out{MatrixXd::Zero(path.gamma.rows(), path.u.cols()),
                  MatrixXd::Zero(max_rows_, path.u.cols())};
  for (int k = 0; k < path.u.cols(); ++k) {
    examine(*model, trajectory, k, path, s);
    out.disturbance.col(k) = projected_disturbance(s);
    const int num_rows = mode(trajectory, k).num_rows();
    out.force.col(k).head(num_rows) = s.stage.lambda.head(num_rows);
  }
  return out;
}

Violation RobotProblem::violation(const VectorXd& theta, int trajectory, const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const DynamicsAt> model = dynamics_->at(theta);
  Violation out;
  const auto raise = [](double& to, const auto& values) {
    if (values.size() > 0) to = std::max(to, values.template lpNorm<Eigen::Infinity>());
  };
  for (int k = 0; k < path.u.cols(); ++k) {
    const int num_rows = mode(trajectory, k).num_rows();
    examine(*model, trajectory, k, path, s);
    raise(out.gap, s.defect + projected_disturbance(s));
    raise(out.constraint, s.stage.rows.r.head(num_rows));
    s.force = s.stage.balance.h;
    if (num_rows > 0)
      s.force -= s.stage.rows.J.topRows(num_rows).transpose() * s.stage.lambda.head(num_rows);
    raise(out.dynamics, s.force);
  }
  out.position = position_violation(trajectory, path);
  return out;
}

/// How far loops are from closed, and contacts from where they closed.
double RobotProblem::position_violation(int trajectory, const Path& path) const {
  const int nq = dynamics_->robot().nq();
  const VectorXd zero = VectorXd::Zero(dynamics_->nv());
  std::map<std::string, VectorXd> stood;
  double out = 0;
  for (int k = 0; k < path.u.cols() && max_rows_ > 0; ++k) {
    std::map<std::string, VectorXd> stands;
    for (const MotionConstraint& c : mode(trajectory, k).constraints) {
      VectorXd error = dynamics_->rows_at({{c}}, path.x.col(k).head(nq), zero, Level::position).r;
      if (c.is_contact) {
        const auto before = stood.find(c.name);
        stands[c.name] = before == stood.end() ? error : before->second;
        error -= stands[c.name];
      }
      out = std::max(out, error.lpNorm<Eigen::Infinity>());
    }
    stood = stands;
  }
  return out;
}

}  // namespace bayesid
