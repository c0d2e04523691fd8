// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/instant.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "math/blas.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd rows_of(const MatrixXd& matrix, const std::vector<int>& rows) {
  return matrix(rows, Eigen::all);
}

MatrixXd product(const MatrixXd& a, Op op_a, const MatrixXd& b, Op op_b) {
  MatrixXd out(op_a == Op::plain ? a.rows() : a.cols(), op_b == Op::plain ? b.cols() : b.rows());
  blas::multiply(1.0, a, op_a, b, op_b, 0.0, out);
  return out;
}

}  // namespace

CoordinateSlopes in_coordinates(const MotionAt& at, const VectorXd& dq, const VectorXd& dv,
                                const VectorXd& da) {
  return {.y = at.dq_dy.transpose() * dq + at.dv_dy.transpose() * dv + at.da_dy.transpose() * da,
          .dy = at.dq_dy.transpose() * dv + at.da_ddy.transpose() * da,
          .ddy = at.dq_dy.transpose() * da};
}

InstantModel::Workspace::Workspace(const Dynamics& of, int num_rows)
    : dynamics(of),
      kinematics(of.robot()),
      balance(of.nv(), of.nzeta(), of.num_rotors()),
      rows(num_rows, of.nv()),
      slopes(of.nv()) {}

InstantModel::InstantModel(const Dynamics& dynamics, const ConstrainedMotion& motion,
                           const VectorXd& theta, MatrixXd columns, const MatrixXd& noise,
                           std::shared_ptr<const SelfCollision> self_collision)
    : dynamics_(dynamics),
      motion_(motion),
      at_(dynamics.at(theta)),
      self_collision_(std::move(self_collision)),
      columns_(std::move(columns)) {
  const int nv = dynamics.nv();
  const Eigen::LLT<MatrixXd> chol(noise);
  whiten_ = chol.matrixL().solve(MatrixXd::Identity(nv, nv));
  for (int i = 0; i < nv; ++i) {
    if (at_->eta.gain[i] == 0) passive_.push_back(i);
  }
}

/// Balance of forces without motors, and where the rows are.
void InstantModel::balance(const MotionAt& at, Workspace& workspace) const {
  const VectorXd no_effort = VectorXd::Zero(dynamics_.num_inputs());
  dynamics_.balance(*at_, at.q, at.v, at.a, no_effort, Order::derivatives, workspace.dynamics,
                    workspace.balance);
  if (motion_.is_free()) return;
  dynamics_.evaluate_constraint_rows(motion_.mode(), Level::velocity, workspace.dynamics,
                                     workspace.rows);
}

void InstantModel::evaluate(const VectorXd& y, const VectorXd& dy, const VectorXd& ddy,
                            Workspace& workspace, MotionInstant& out) const {
  VectorXd z = VectorXd::Zero(motion_.num_dependent());
  out.exists = motion_.go_on(VectorXd::Zero(y.size()), y, workspace.kinematics, z);
  if (out.exists) evaluate(ClosedAt{y, z}, dy, ddy, workspace, out);
}

void InstantModel::evaluate(const ClosedAt& at, const VectorXd& dy, const VectorXd& ddy,
                            Workspace& workspace, MotionInstant& out) const {
  out.exists = motion_.at(at, dy, ddy, workspace.kinematics, out.motion);
  if (!out.exists) return;
  balance(out.motion, workspace);
  out.J = workspace.rows.J;
  split_forces(workspace, out);
  evaluate_efforts(workspace, out);
  if (!self_collision_) return;
  out.near = self_collision_->near(out.motion.q, self_collision_->far(), workspace.kinematics);
}

/// The smallest forces λ that carry what no motor moves, B λ = h there with B = Jᵀ; motors do the
/// rest.                                                          docs/math/excitation.md (11)-(12)
void InstantModel::split_forces(Workspace& workspace, MotionInstant& out) const {
  const ForceBalance& at = workspace.balance;
  const Eigen::Index num_rows = out.J.rows(), nv = at.h.size();
  out.lambda = VectorXd::Zero(num_rows);
  out.dlambda_dq = out.dlambda_dv = out.dlambda_da = MatrixXd::Zero(num_rows, nv);
  MatrixXd turned = MatrixXd::Zero(nv, nv);  // ∂(Jᵀλ)/∂q
  if (num_rows > 0 && !passive_.empty()) {
    const MatrixXd B = out.J(Eigen::all, passive_).transpose();
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod(B);
    const VectorXd h = at.h(passive_);
    out.lambda = cod.solve(h);
    dynamics_.force_derivative(motion_.mode(), out.lambda, workspace.dynamics, turned);
    const MatrixXd inverse = cod.pseudoInverse();
    // λ = Bᵀμ: what turns B turns its rows.
    VectorXd u = VectorXd::Zero(nv);
    u(passive_) = inverse.transpose() * out.lambda;
    dynamics_.rows_along(motion_.mode(), u, workspace.dynamics, workspace.rows);
    const MatrixXd& along = workspace.rows.dr_dq;
    out.dlambda_dq = inverse * (rows_of(at.dh_dq - turned, passive_) - B * along) + along;
    out.dlambda_dv = inverse * rows_of(at.dh_dv, passive_);
    out.dlambda_da = inverse * rows_of(at.mass, passive_);
  }
  VectorXd per_gain = at_->eta.gain;
  for (double& gain : per_gain) gain = gain == 0 ? 0 : 1 / gain;
  const auto motors = per_gain.asDiagonal();
  out.tau = motors * (at.h - out.J.transpose() * out.lambda);
  out.dtau_dq = motors * (at.dh_dq - turned - out.J.transpose() * out.dlambda_dq);
  out.dtau_dv = motors * (at.dh_dv - out.J.transpose() * out.dlambda_dv);
  out.dtau_da = motors * (at.mass - out.J.transpose() * out.dlambda_da);
}

/// What the balance shows of the parameters when the forces of the rows are not known.
void InstantModel::evaluate_efforts(Workspace& workspace, MotionInstant& out) const {
  const PhysicalLayout& layout = dynamics_.parameters().layout();
  const std::vector<int>& entries = dynamics_.coordinates().entries;
  out.dh_dzeta = workspace.balance.dh_dzeta;
  for (int i = 0; i < dynamics_.nzeta(); ++i) {
    const int joint = entries[i] - layout.gain(0);
    if (joint < 0 || joint >= dynamics_.nv()) continue;
    out.dh_dzeta.col(i).setZero();
    out.dh_dzeta(joint, i) = -out.tau[joint];
  }
  out.C = whiten_;
  if (!motion_.is_free()) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(whiten_ * out.J.transpose());
    const MatrixXd Q = qr.householderQ();
    out.C = Q.rightCols(motion_.size()).transpose() * whiten_;
  }
  const MatrixXd Y = product(out.dh_dzeta, Op::plain, columns_, Op::plain);
  out.regressor = out.C * Y;
}

CoordinateSlopes InstantModel::slopes(const MotionInstant& at, const MatrixXd& S,
                                      Workspace& workspace) const {
  const int nv = dynamics_.nv();
  const MotionAt& m = at.motion;
  const MatrixXd G = product(S, Op::plain, at.regressor, Op::transposed);
  const MatrixXd dzeta = product(columns_, Op::plain, G, Op::plain);
  VectorXd dq = VectorXd::Zero(nv), dv = dq, da = dq, dtau = dq;
  for (Eigen::Index i = 0; i < at.C.rows(); ++i) {
    dynamics_.balance_gradient(*at_, m.q, m.v, m.a, dzeta.col(i), at.C.row(i).transpose(),
                               workspace.dynamics, workspace.slopes);
    dq += workspace.slopes.dq;
    dv += workspace.slopes.dv;
    da += workspace.slopes.da;
    dtau += workspace.slopes.dtau;
  }
  if (!motion_.is_free()) {
    // Forces of the rows that explain the most of Y g: their columns turn with q.
    balance(m, workspace);
    const MatrixXd force = whiten_ * (at.dh_dzeta * dzeta);
    const MatrixXd lambda =
        (whiten_ * at.J.transpose()).completeOrthogonalDecomposition().solve(force);
    MatrixXd turned(nv, nv);
    for (Eigen::Index i = 0; i < at.C.rows(); ++i) {
      dynamics_.force_derivative(motion_.mode(), lambda.col(i), workspace.dynamics, turned);
      dq -= turned.transpose() * at.C.row(i).transpose();
    }
  }
  dq += at.dtau_dq.transpose() * dtau;
  dv += at.dtau_dv.transpose() * dtau;
  da += at.dtau_da.transpose() * dtau;
  return in_coordinates(m, 2 * dq, 2 * dv, 2 * da);
}

}  // namespace bayesid
