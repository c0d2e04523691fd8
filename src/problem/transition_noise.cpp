// SPDX-License-Identifier: BSD-3-Clause
// Noise of one stage of a RobotProblem: where it can go, and how far. docs/math/constraints.md (9)
#include <cmath>

#include "bayesid/problem/robot_problem.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"
#include "problem/stage_memory.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool RobotProblem::is_projected(const StagePlan& plan, const Mode& mode) const {
  return !plan.impact && options_.projection != Projection::none && mode.num_rows() > 0;
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
  s.is_impact = plan.impact;
  s.is_projected = plan.impact ? s.stage.slip->rank() > 0 : is_projected(plan, mode);
  s.num_noises = plan.impact ? 0 : nv;
  if (!s.is_projected) return;
  if (plan.impact || options_.projection == Projection::dynamic) {
    const Eigen::Ref<const MatrixXd> B = plan.impact ? s.stage.slip->B() : s.stage.response->Z();
    s.num_noises = static_cast<int>(B.cols());
    s.B.leftCols(s.num_noises) = B;
    blas::multiply(1.0, s.B.leftCols(s.num_noises), Op::transposed, s.stage.balance.mass, Op::plain,
                   0.0, s.C.topRows(s.num_noises));
  } else {
    s.unit_response.factor(s.unit_mass, s.stage.rows.J.topRows(mode.num_rows()));
    s.num_noises = s.unit_response.num_free();
    s.B.leftCols(s.num_noises) = s.unit_response.Z();
    s.C.topRows(s.num_noises) = s.unit_response.Z().transpose();
  }
}

/// work = Zᵀ (gain σ, f_r σ_r): what a std of each effort and each rotor command does.
void RobotProblem::effort_columns(const PhysicalParameters& eta, Scratch& s) const {
  const int nv = dynamics_->nv(), num_rotors = dynamics_->num_rotors();
  const auto Z = s.stage.response->Z();
  auto effort = s.work.topRows(Z.cols());
  effort.leftCols(nv) = Z.transpose() * eta.gain.cwiseProduct(effort_std_.head(nv)).asDiagonal();
  if (num_rotors == 0) return;
  auto commands = effort.rightCols(num_rotors);
  blas::multiply(1.0, Z, Op::transposed, s.stage.balance.rotor_force, Op::plain, 0.0, commands);
  for (int r = 0; r < num_rotors; ++r) commands.col(r) *= effort_std_[nv + r];
}

/// Factor of the covariance of the noise in its coordinates. docs/math/problem.md (4)
void RobotProblem::noise_factor(const PhysicalParameters& eta, const Steps& steps,
                                Scratch& s) const {
  const int m = s.num_noises;
  auto factor = s.factor.topLeftCorner(2 * m, 2 * m);
  factor.setZero();
  if (m == 0) return;
  if (s.is_impact) {
    factor.bottomRightCorner(m, m) = s.stage.slip->L();  // the position stays
    return;
  }
  const VectorXd &sigma_q = noise_.disturbance_position, &sigma_v = noise_.disturbance_velocity;
  if (!s.is_projected && !noisy_effort()) {
    factor.diagonal().head(m) = sigma_q;
    factor.diagonal().tail(m) = sigma_v;
    return;
  }
  auto part = s.scaled.topLeftCorner(m, dynamics_->nv());
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
    effort_columns(eta, s);
    const auto effort = s.work.topRows(Z.cols());
    auto scaled = s.scaled.topRows(m);
    if (!s.is_projected) {
      blas::multiply(1.0, Z, Op::plain, effort, Op::plain, 0.0, scaled);
    } else if (options_.projection == Projection::dynamic) {
      scaled = effort;
    } else {
      auto mixed = s.work2.topLeftCorner(m, Z.cols());
      blas::multiply(1.0, C, Op::plain, Z, Op::plain, 0.0, mixed);
      blas::multiply(1.0, mixed, Op::plain, effort, Op::plain, 0.0, scaled);
    }
    blas::multiply(1.0, scaled, Op::plain, scaled, Op::transposed, 0.0, cov);
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
  if (s.is_impact) y.head(m).setZero();
}

/// y_gamma = Bᵀγ with γ as the noise meets it, which stays in s.gamma.
void RobotProblem::multiplier_coordinates(const Eigen::Ref<const VectorXd>& gamma,
                                          Scratch& s) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  s.gamma = gamma.head(2 * nv);
  if (dynamics_->robot().floating) s.gamma.head<6>() = s.error_u.transpose() * gamma.head<6>();
  if (!s.is_projected) {
    s.y_gamma.head(2 * m) = s.gamma.head(2 * m);
    return;
  }
  s.y_gamma.head(m).noalias() = s.B.leftCols(m).transpose() * s.gamma.head(nv);
  s.y_gamma.segment(m, m).noalias() = s.B.leftCols(m).transpose() * s.gamma.tail(nv);
  if (s.is_impact) s.y_gamma.head(m).setZero();
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

void RobotProblem::noise_columns(Scratch& s, Stage& out) const {
  const int m = s.num_noises, nv = dynamics_->nv();
  const auto factor = s.factor.topLeftCorner(2 * m, 2 * m);
  out.nw = 2 * m;
  auto N = out.N.topLeftCorner(2 * nv, 2 * m);
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

/// dq = P w of the velocity, w = −Σ Pᵀγ with γ in s.gamma.
void RobotProblem::spread_velocity_noise(const StageMemory& kept, bool projected,
                                         Scratch& s) const {
  const int nv = dynamics_->nv();
  const VectorXd& sigma = noise_.disturbance_velocity;
  if (!projected) {
    s.dq = -sigma.cwiseAbs2().cwiseProduct(s.gamma.tail(nv));
    return;
  }
  const int m = static_cast<int>(kept.num_noises);
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
    const int m = s.num_noises;
    s.dq = s.defect.tail(nv);
    auto y = s.y.head(m);
    y.noalias() = s.C.topRows(m) * s.defect.tail(nv);
    s.dq.noalias() -= s.B.leftCols(m) * y;
    return s.defect.head(nv).lpNorm<1>() / position_scale_ + s.dq.lpNorm<1>() / velocity_scale_;
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

}  // namespace bayesid
