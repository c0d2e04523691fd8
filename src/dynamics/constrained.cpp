// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/dynamics.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/mimic.hpp"
#include "dynamics/slip.hpp"
#include "dynamics/workspace.hpp"
#include "math/blas.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

StageDynamics::StageDynamics(int nv, int nzeta, int max_rows, int num_rotors)
    : balance(nv, nzeta, num_rotors),
      rows(max_rows, nv),
      kkt(std::make_unique<KktFactorisation>(nv, max_rows)),
      slip(std::make_unique<Slip>(nv)),
      a(VectorXd::Zero(nv)),
      lambda(VectorXd::Zero(max_rows)),
      da_dq(MatrixXd::Zero(nv, nv)),
      da_dv(MatrixXd::Zero(nv, nv)) {}
StageDynamics::~StageDynamics() = default;
StageDynamics::StageDynamics(StageDynamics&&) noexcept = default;

ProjectedNoise::ProjectedNoise(int nv, int nzeta)
    : w(VectorXd::Zero(nv)),
      excess(VectorXd::Zero(nv)),
      dw_dq(MatrixXd::Zero(nv, nv)),
      momentum(MatrixXd::Zero(nv, nzeta)) {}

namespace {

/// out = −Z Zᵀ h − J⁺ r for matrices.
void solve_columns(const KktFactorisation& kkt, const MatrixXd& h,
                   const Eigen::Ref<const MatrixXd>& r, MatrixXd& work, MatrixXd& out) {
  const auto Z = kkt.Z();
  auto coordinates = work.topRows(Z.cols());
  blas::multiply(1.0, Z, Op::transposed, h, Op::plain, 0.0, coordinates);
  blas::multiply(-1.0, Z, Op::plain, coordinates, Op::plain, 0.0, out);
  if (r.rows() > 0) blas::multiply(-1.0, kkt.pseudo_inverse(), Op::plain, r, Op::plain, 1.0, out);
}

}  // namespace

/// Rows at the motion in the workspace's data, in the independent velocities.
void Dynamics::read_rows(const std::vector<MotionConstraint>& constraints, Level level,
                         bool derivatives, Workspace& workspace, ConstraintRows& out) const {
  Workspace::Storage& ws = *workspace;
  if (!robot_.has_mimic()) {
    evaluate_rows(constraints, ws.kinematics, level, derivatives, out);
    return;
  }
  const int n = num_rows(constraints);
  make_room(ws.rows_all, n, robot_.mimic.rows());
  evaluate_rows(constraints, ws.kinematics, level, derivatives, ws.rows_all);
  out.r.head(n) = ws.rows_all.r.head(n);
  out.J.topRows(n).noalias() = ws.rows_all.J.topRows(n) * robot_.mimic;
  out.dr_dq.topRows(n).noalias() = ws.rows_all.dr_dq.topRows(n) * robot_.mimic;
  out.dr_dv.topRows(n).noalias() = ws.rows_all.dr_dv.topRows(n) * robot_.mimic;
}

/// Acceleration, forces and derivatives from balance, rows and KKT factorisation, for the force b
/// of the constrained solve (h, or h without the noise of the effort or the slip).
void Dynamics::solve_constrained(const Mode& mode, const VectorXd& force, const VectorXd& a,
                                 Workspace& workspace, StageDynamics& out) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  const auto r = out.rows.r.head(num_rows);
  KktFactorisation& kkt = *out.kkt;
  out.a = a;
  auto coordinates = ws.free.head(kkt.num_free());
  coordinates.noalias() = kkt.Z().transpose() * force;
  out.a.noalias() -= kkt.Z() * coordinates;
  if (num_rows > 0) {
    out.a.noalias() -= kkt.pseudo_inverse() * r;
    kkt.multipliers(out.balance.h, r, out.lambda.head(num_rows));
    ws.stiffness.setZero();
    subtract_force_derivative(mode.constraints, ws.kinematics, out.lambda.head(num_rows),
                              ws.stiffness);
    add_reduced(robot_, ws.stiffness, ws.product, out.balance.dh_dq);
  }
  solve_columns(*out.kkt, out.balance.dh_dq, out.rows.dr_dq.topRows(num_rows), ws.product_free,
                out.da_dq);
  solve_columns(*out.kkt, out.balance.dh_dv, out.rows.dr_dv.topRows(num_rows), ws.product_free,
                out.da_dv);
}

void Dynamics::linearise(const DynamicsAt& at, const Mode& mode, const VectorXd& q,
                         const VectorXd& v, const VectorXd& a, const VectorXd& tau,
                         const VectorXd& n, Workspace& workspace, StageDynamics& out,
                         const StepInertia* step) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  ws.effort = tau;
  ws.effort.head(num_efforts()) += n;
  balance(at, q, v, a, ws.effort, Order::derivatives, workspace, out.balance);
  if (step) add_step(*step, a, out.balance);
  if (num_rows > 0) {
    read_kinematics(*at.model, ws.data, ws.kinematics);
    read_rows(mode.constraints, Level::acceleration, true, workspace, out.rows);
  }
  effort_force(at, out.balance, n, ws.bias);
  ws.bias += out.balance.h;
  out.kkt->factor(out.balance.mass, out.rows.J.topRows(num_rows));
  solve_constrained(mode, ws.bias, a, workspace, out);
}

/// r = J jump + (1 + ε) J v with the kinematics' configuration.
void Dynamics::impact_rows(const Mode& mode, const VectorXd& v, const VectorXd& jump,
                           bool derivatives, Workspace& workspace, ConstraintRows& out) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  make_room(ws.rows_before, num_rows, nv());
  expand(robot_, v, ws.v_all);
  set_velocity(*robot_.model, ws.v_all, ws.kinematics);
  read_rows(mode.constraints, Level::velocity, derivatives, workspace, ws.rows_before);
  expand(robot_, jump, ws.v_all);
  set_velocity(*robot_.model, ws.v_all, ws.kinematics);
  read_rows(mode.constraints, Level::velocity, derivatives, workspace, out);
  int first = 0;
  for (const MotionConstraint& c : mode.constraints) {
    const double factor = 1 + c.restitution;
    const int n = c.num_rows();
    out.r.segment(first, n) += factor * ws.rows_before.r.segment(first, n);
    out.dr_dq.middleRows(first, n) += factor * ws.rows_before.dr_dq.middleRows(first, n);
    out.dr_dv.middleRows(first, n) = factor * out.J.middleRows(first, n);
    first += n;
  }
}

void Dynamics::linearise_impact(const DynamicsAt& at, const Mode& mode, const VectorXd& q,
                                const VectorXd& v, const VectorXd& jump, Workspace& workspace,
                                StageDynamics& out) const {
  Workspace::Storage& ws = *workspace;
  momentum(at, q, jump, workspace, out.balance);
  read_kinematics(*at.model, ws.data, ws.kinematics);
  impact_rows(mode, v, jump, true, workspace, out.rows);
  out.kkt->factor(out.balance.mass, out.rows.J.topRows(mode.num_rows()));
  factor_slip(mode, workspace, out);
  ws.bias = out.balance.h;
  if (out.slip->rank() > 0) {
    out.slip->explain(out.balance.h);
    out.balance.h -= out.slip->force();
    ws.stiffness.setZero();
    subtract_force_derivative(mode.slips, ws.kinematics, out.slip->impulse(), ws.stiffness);
    add_reduced(robot_, ws.stiffness, ws.product, out.balance.dh_dq);
  }
  solve_constrained(mode, ws.bias, jump, workspace, out);
}

void Dynamics::solve(const DynamicsAt& at, const Mode& mode, const VectorXd& q, const VectorXd& v,
                     const VectorXd& tau, Workspace& workspace, StageDynamics& out,
                     const StepInertia* step) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  out.a.setZero();
  balance(at, q, v, out.a, tau, Order::value, workspace, out.balance);
  reduce(robot_, mass_matrix(*at.model, ws.data, q), ws.product, out.balance.mass);
  add_armature(at, out.balance.mass);
  if (step) add_step(*step, out.a, out.balance);
  if (num_rows > 0) {
    complete_motions(*at.model, ws.data);
    read_kinematics(*at.model, ws.data, ws.kinematics);
    read_rows(mode.constraints, Level::acceleration, false, workspace, out.rows);
  }
  KktFactorisation& kkt = *out.kkt;
  kkt.factor(out.balance.mass, out.rows.J.topRows(num_rows));
  auto coordinates = ws.free.head(kkt.num_free());
  coordinates.noalias() = kkt.Z().transpose() * out.balance.h;
  coordinates = -coordinates;
  out.a.noalias() = kkt.Z() * coordinates;
  if (num_rows == 0) return;
  out.a.noalias() -= kkt.pseudo_inverse() * out.rows.r.head(num_rows);
  kkt.multipliers(out.balance.h, out.rows.r.head(num_rows), out.lambda.head(num_rows));
}

void Dynamics::solve_impact(const DynamicsAt& at, const Mode& mode, const VectorXd& q,
                            const VectorXd& v, Workspace& workspace, StageDynamics& out) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  out.a.setZero();
  reduce(robot_, mass_matrix(*at.model, ws.data, q), ws.product, out.balance.mass);
  add_armature(at, out.balance.mass);
  body_motions(*at.model, ws.data, q, ws.zero, ws.zero);
  read_kinematics(*at.model, ws.data, ws.kinematics);
  impact_rows(mode, v, out.a, false, workspace, out.rows);
  KktFactorisation& kkt = *out.kkt;
  kkt.factor(out.balance.mass, out.rows.J.topRows(num_rows));
  factor_slip(mode, workspace, out);
  out.a.setZero();
  out.a.noalias() -= kkt.pseudo_inverse() * out.rows.r.head(num_rows);
  out.balance.h.setZero();
  kkt.multipliers(out.balance.h, out.rows.r.head(num_rows), out.lambda.head(num_rows));
}

void Dynamics::project(const DynamicsAt& at, const Mode& mode, const VectorXd& w,
                       Projection projection, KktFactorisation& metric, const StageDynamics& stage,
                       Workspace& workspace, ProjectedNoise& out) const {
  Workspace::Storage& ws = *workspace;
  const int num_rows = mode.num_rows();
  const bool dynamic = projection == Projection::dynamic;
  // ŵ = Z Zᵀ M w, with a unit mass when kinematic.
  ws.mass_times = w;
  if (dynamic) ws.mass_times.noalias() = stage.balance.mass * w;
  auto coordinates = ws.free.head(metric.num_free());
  coordinates.noalias() = metric.Z().transpose() * ws.mass_times;
  out.w.noalias() = metric.Z() * coordinates;
  out.excess = out.w - w;
  // What holds it on the constraints: Jᵀλ = M (ŵ − w).
  ws.mass_times = out.excess;
  if (dynamic) ws.mass_times.noalias() = stage.balance.mass * out.excess;
  make_room(ws.rows_before, num_rows, nv());
  auto r = ws.rows_before.r.head(num_rows);
  auto lambda = ws.rows_before.dr_dv.col(0).head(num_rows);
  r.setZero();
  metric.multipliers(ws.mass_times, r, lambda);
  ws.stiffness.setZero();
  subtract_force_derivative(mode.constraints, ws.kinematics, lambda, ws.stiffness);
  out.dw_dq.setZero();
  add_reduced(robot_, ws.stiffness, ws.product, out.dw_dq);
  if (!dynamic) {
    out.momentum.setZero();
  } else {
    expand(robot_, out.excess, ws.a_all);
    accelerate_from_rest(*at.weightless, ws.data, ws.a_all);
    momentum_derivative(*at.weightless, ws.data, ws.dtau_dq);
    add_reduced(robot_, ws.dtau_dq, ws.product, out.dw_dq);
    momentum_columns(at, out.excess, workspace, out.momentum);
  }
  // ∂(J ŵ)/∂q
  expand(robot_, out.w, ws.v_all);
  set_velocity(*robot_.model, ws.v_all, ws.kinematics);
  read_rows(mode.constraints, Level::velocity, true, workspace, ws.rows_before);
  ws.work = out.dw_dq;
  solve_columns(metric, ws.work, ws.rows_before.dr_dq.topRows(num_rows), ws.product_free,
                out.dw_dq);
}

ConstraintRows Dynamics::rows_at(const Mode& mode, const VectorXd& q, const VectorXd& v,
                                 Level level) const {
  Workspace workspace(*this);
  Workspace::Storage& ws = *workspace;
  expand(robot_, v, ws.v_all);
  body_motions(*robot_.model, ws.data, q, ws.v_all, ws.zero);
  read_kinematics(*robot_.model, ws.data, ws.kinematics);
  ConstraintRows out(mode.num_rows(), nv());
  read_rows(mode.constraints, level, true, workspace, out);
  return out;
}

}  // namespace bayesid
