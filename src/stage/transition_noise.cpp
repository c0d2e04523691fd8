// SPDX-License-Identifier: BSD-3-Clause
#include "stage/transition_noise.hpp"

#include <cmath>

#include "math/blas.hpp"
#include "stage/semidefinite.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TransitionNoise::TransitionNoise(const StageSetting& setting)
    : noise_q(setting.nv(), setting.nzeta()),
      noise_v(setting.nv(), setting.nzeta()),
      setting_(setting),
      unit_kkt_(setting.nv(), setting.max_rows) {
  const int nv = setting.nv();
  B = C = effort_cov_ = work2_ = MatrixXd::Zero(nv, nv);
  scaled = work_ = MatrixXd::Zero(nv, setting.dynamics->num_efforts());
  unit_mass_ = MatrixXd::Identity(nv, nv);
  factor = MatrixXd::Zero(2 * nv, 2 * nv);
  y = y_gamma = gamma = stiff = VectorXd::Zero(2 * nv);
  force_ = dq_ = VectorXd::Zero(nv);
}

void TransitionNoise::set_basis(const StagePlan& plan, const Mode& mode,
                                const StageDynamics& stage) {
  is_impact = plan.impact;
  is_projected = plan.impact ? stage.slip->rank() > 0 : setting_.is_projected(plan, mode);
  num_noises = plan.impact ? 0 : setting_.nv();
  if (!is_projected) return;
  if (plan.impact || setting_.projection == Projection::dynamic) {
    const Eigen::Ref<const MatrixXd> basis = plan.impact ? stage.slip->B() : stage.kkt->Z();
    num_noises = static_cast<int>(basis.cols());
    B.leftCols(num_noises) = basis;
    blas::multiply(1.0, B.leftCols(num_noises), Op::transposed, stage.balance.mass, Op::plain, 0.0,
                   C.topRows(num_noises));
  } else {
    unit_kkt_.factor(unit_mass_, stage.rows.J.topRows(mode.num_rows()));
    num_noises = unit_kkt_.num_free();
    B.leftCols(num_noises) = unit_kkt_.Z();
    C.topRows(num_noises) = unit_kkt_.Z().transpose();
  }
}

/// work = Zᵀ (gain σ, f_r σ_r): what a std of each effort and each rotor command does.
void TransitionNoise::effort_columns(const PhysicalParameters& eta, const VectorXd& std,
                                     const StageDynamics& stage) {
  const int nv = setting_.nv(), num_rotors = setting_.num_rotors();
  const auto Z = stage.kkt->Z();
  auto effort = work_.topRows(Z.cols());
  effort.leftCols(nv) = Z.transpose() * eta.gain.cwiseProduct(std.head(nv)).asDiagonal();
  if (num_rotors == 0) return;
  auto commands = effort.rightCols(num_rotors);
  blas::multiply(1.0, Z, Op::transposed, stage.balance.rotor_force, Op::plain, 0.0, commands);
  for (int r = 0; r < num_rotors; ++r) commands.col(r) *= std[nv + r];
}

void TransitionNoise::set_factor(const PhysicalParameters& eta, const VectorXd& effort_std,
                                 const Steps& steps, const StageDynamics& stage) {
  const int m = num_noises;
  auto out = factor.topLeftCorner(2 * m, 2 * m);
  out.setZero();
  if (m == 0) return;
  if (is_impact) {
    out.bottomRightCorner(m, m) = stage.slip->L();  // the position stays
    return;
  }
  const VectorXd &sigma_q = setting_.noise.disturbance_position,
                 &sigma_v = setting_.noise.disturbance_velocity;
  if (!is_projected && !setting_.noisy_effort()) {
    out.diagonal().head(m) = sigma_q;
    out.diagonal().tail(m) = sigma_v;
    return;
  }
  auto part = scaled.topLeftCorner(m, setting_.nv());
  auto cov = effort_cov_.topLeftCorner(m, m);
  const auto C_m = C.topRows(m);
  if (is_projected) {
    part = C_m * sigma_q.asDiagonal();
    blas::multiply(1.0, part, Op::plain, part, Op::transposed, 0.0, out.topLeftCorner(m, m));
    part = C_m * sigma_v.asDiagonal();
    blas::multiply(1.0, part, Op::plain, part, Op::transposed, 0.0, out.bottomRightCorner(m, m));
  } else {
    out.diagonal().head(m) = sigma_q.cwiseAbs2();
    out.diagonal().tail(m) = sigma_v.cwiseAbs2();
  }
  if (setting_.noisy_effort()) {
    // Z Zᵀ gain σ in the coordinates of the noise.
    const auto Z = stage.kkt->Z();
    effort_columns(eta, effort_std, stage);
    const auto effort = work_.topRows(Z.cols());
    auto scaled_m = scaled.topRows(m);
    if (!is_projected) {
      blas::multiply(1.0, Z, Op::plain, effort, Op::plain, 0.0, scaled_m);
    } else if (setting_.projection == Projection::dynamic) {
      scaled_m = effort;
    } else {
      auto mixed = work2_.topLeftCorner(m, Z.cols());
      blas::multiply(1.0, C_m, Op::plain, Z, Op::plain, 0.0, mixed);
      blas::multiply(1.0, mixed, Op::plain, effort, Op::plain, 0.0, scaled_m);
    }
    blas::multiply(1.0, scaled_m, Op::plain, scaled_m, Op::transposed, 0.0, cov);
    out.topLeftCorner(m, m) += steps.c * steps.c * cov;
    out.bottomLeftCorner(m, m) += steps.c * steps.e * cov;
    out.bottomRightCorner(m, m) += steps.e * steps.e * cov;
  }
  semidefinite_cholesky(out);
}

void TransitionNoise::coordinates(const VectorXd& d) {
  const int m = num_noises, nv = setting_.nv();
  if (!is_projected) {
    y.head(2 * m) = d.head(2 * m);
    return;
  }
  y.head(m).noalias() = C.topRows(m) * d.head(nv);
  y.segment(m, m).noalias() = C.topRows(m) * d.tail(nv);
  if (is_impact) y.head(m).setZero();
}

void TransitionNoise::multiplier_coordinates(const Eigen::Ref<const VectorXd>& multiplier,
                                             const StageMotion& motion) {
  const int m = num_noises, nv = setting_.nv();
  gamma = multiplier.head(2 * nv);
  if (setting_.floating()) gamma.head<6>() = motion.error_u.transpose() * multiplier.head<6>();
  if (!is_projected) {
    y_gamma.head(2 * m) = gamma.head(2 * m);
    return;
  }
  y_gamma.head(m).noalias() = B.leftCols(m).transpose() * gamma.head(nv);
  y_gamma.segment(m, m).noalias() = B.leftCols(m).transpose() * gamma.tail(nv);
  if (is_impact) y_gamma.head(m).setZero();
}

bool TransitionNoise::disturb(const DynamicsAt& model, const Mode& mode, StageDynamics& stage,
                              Dynamics::Workspace& workspace) {
  const int m = num_noises;
  if (!is_projected || gamma.isZero(0.0)) return false;
  KktFactorisation& metric = setting_.projection == Projection::dynamic ? *stage.kkt : unit_kkt_;
  const auto project = [&](const VectorXd& sigma, const auto& coordinates, ProjectedNoise& out) {
    dq_.noalias() = C.topRows(m).transpose() * coordinates;
    dq_ = -sigma.cwiseAbs2().cwiseProduct(dq_);
    setting_.dynamics->project(model, mode, dq_, setting_.projection, metric, stage, workspace,
                               out);
  };
  project(setting_.noise.disturbance_position, y_gamma.head(m), noise_q);
  project(setting_.noise.disturbance_velocity, y_gamma.segment(m, m), noise_v);
  return true;
}

void TransitionNoise::columns(const StageMotion& motion, Stage& out) const {
  const int m = num_noises, nv = setting_.nv();
  const auto factor_m = L();
  out.nw = 2 * m;
  auto N = out.N.topLeftCorner(2 * nv, 2 * m);
  if (is_projected) {
    blas::multiply(1.0, B.leftCols(m), Op::plain, factor_m.topRows(m), Op::plain, 0.0,
                   N.topRows(nv));
    blas::multiply(1.0, B.leftCols(m), Op::plain, factor_m.bottomRows(m), Op::plain, 0.0,
                   N.bottomRows(nv));
  } else if (m > 0) {
    N = factor_m;
  }
  if (setting_.floating() && m > 0) turn_base(motion.error_u, N.topRows<6>());
}

void TransitionNoise::close(const StageMotion& motion, Stage& out) {
  const int m = num_noises, nv = setting_.nv();
  const auto factor_m = L();
  coordinates(motion.defect);
  auto y_m = y.head(2 * m);
  out.stiff_work = 0;
  if (m == 0) out.stiff_work = gamma.dot(motion.defect);
  if (is_projected) {
    stiff = motion.defect;
    stiff.head(nv).noalias() -= B.leftCols(m) * y_m.head(m);
    stiff.tail(nv).noalias() -= B.leftCols(m) * y_m.tail(m);
    out.stiff_work = gamma.dot(stiff);
  }
  stiff.head(2 * m).noalias() =
      factor_m.triangularView<Eigen::Lower>().transpose() * y_gamma.head(2 * m);
  y_m.noalias() -= factor_m.triangularView<Eigen::Lower>() * stiff.head(2 * m);
  whiten(factor_m, y_m);
  out.closing_cost = 0.5 * y_m.squaredNorm();
}

double TransitionNoise::infeasibility(const StagePlan& plan, const Mode& mode,
                                      const StageMotion& motion, const StageDynamics& stage) {
  const int nv = setting_.nv(), num_rows = mode.num_rows();
  if (plan.impact) {
    const int m = num_noises;
    dq_ = motion.defect.tail(nv);
    auto y_m = y.head(m);
    y_m.noalias() = C.topRows(m) * motion.defect.tail(nv);
    dq_.noalias() -= B.leftCols(m) * y_m;
    return motion.defect.head(nv).lpNorm<1>() / setting_.position_scale +
           dq_.lpNorm<1>() / setting_.velocity_scale;
  }
  if (!is_projected) return 0;
  double out = 0;
  for (int i = 0; i < num_rows; ++i) {
    const auto row = stage.rows.J.row(i);
    out += std::abs(row.dot(motion.defect.head(nv))) / setting_.position_scale +
           std::abs(row.dot(motion.defect.tail(nv))) / setting_.velocity_scale;
  }
  return out;
}

VectorXd TransitionNoise::projected_disturbance() const {
  const int m = num_noises, nv = setting_.nv();
  if (m == 0 || is_impact) return VectorXd::Zero(2 * nv);
  VectorXd sigma(2 * nv);
  sigma << setting_.noise.disturbance_position.cwiseAbs2(),
      setting_.noise.disturbance_velocity.cwiseAbs2();
  if (!is_projected) return -sigma.cwiseProduct(gamma);
  const MatrixXd P = B.leftCols(m) * C.topRows(m);
  VectorXd out(2 * nv);
  out.head(nv) = -P * sigma.head(nv).cwiseProduct(P.transpose() * gamma.head(nv));
  out.tail(nv) = -P * sigma.tail(nv).cwiseProduct(P.transpose() * gamma.tail(nv));
  return out;
}

/// σEᵀ(c y_q + e y_v), E what scaled efforts do to the noise's coordinates.
void TransitionNoise::effort_noise(const Steps& steps, VectorXd& out) {
  const int m = num_noises;
  force_.head(m) = steps.c * y.head(m) + steps.e * y.segment(m, m);
  out.noalias() = scaled.topRows(m).transpose() * force_.head(m);
}

}  // namespace bayesid
