// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the dynamics for excitation. docs/math/excitation.md (8)-(10)
#include "bayesid/dynamics.hpp"
#include "dynamics/mimic.hpp"
#include "dynamics/workspace.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

BalanceGradient::BalanceGradient(int nv) : dq(VectorXd::Zero(nv)), dv(dq), da(dq), dtau(dq) {}

void Dynamics::balance_gradient(const DynamicsAt& at, const VectorXd& q, const VectorXd& v,
                                const VectorXd& a, const VectorXd& dzeta, const VectorXd& w,
                                Workspace& workspace, BalanceGradient& out) const {
  Workspace::Storage& ws = *workspace;
  const PhysicalLayout& layout = parameters_.layout();
  if (!ws.direction) ws.direction = std::make_unique<InertiaDirection>(*at.model);
  set_inertial_direction(dzeta, workspace);
  expand(robot_, v, ws.v_all);
  expand(robot_, a, ws.a_all);
  expand(robot_, w, ws.tau_all);
  VectorXd dq, dv, da;
  ws.direction->gradient(q, ws.v_all, ws.a_all, ws.dpi, ws.tau_all, dq, dv, da);
  reduce(robot_, dq, out.dq);
  reduce(robot_, dv, out.dv);
  reduce(robot_, da, out.da);
  out.dtau.setZero();
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    if (entry < layout.gamma(0) || dzeta[i] == 0) continue;
    if (entry < layout.armature(0)) {
      const int d = (entry - layout.gamma(0)) / 6;
      const VectorXd slope = friction_speed_slope(drives_[d].speed(v), at.eta.gamma.col(d));
      const double rate = slope[(entry - layout.gamma(0)) % 6] * dzeta[i];
      drives_[d].add(drives_[d].speed(w) * rate, out.dv);
    } else if (entry < layout.gain(0)) {
      const DriveTerm& drive = drives_[entry - layout.armature(0)];
      drive.add(drive.speed(w) * dzeta[i], out.da);
    } else if (entry < layout.offset(0)) {
      const int joint = entry - layout.gain(0);
      out.dtau[joint] -= w[joint] * dzeta[i];
    }
  }
}

void Dynamics::evaluate_constraint_rows(const Mode& mode, Level level, Workspace& workspace,
                                        ConstraintRows& out) const {
  Workspace::Storage& ws = *workspace;
  read_kinematics(*robot_.model, ws.data, ws.kinematics);
  read_rows(mode.constraints, level, true, workspace, out);
}

void Dynamics::force_derivative(const Mode& mode, const VectorXd& lambda, Workspace& workspace,
                                MatrixXd& out) const {
  Workspace::Storage& ws = *workspace;
  ws.stiffness.setZero();
  subtract_force_derivative(mode.constraints, ws.kinematics, lambda, ws.stiffness);
  reduce(robot_, ws.stiffness, ws.product, out);
  out = -out;
}

void Dynamics::rows_along(const Mode& mode, const VectorXd& u, Workspace& workspace,
                          ConstraintRows& out) const {
  Workspace::Storage& ws = *workspace;
  expand(robot_, u, ws.v_all);
  set_velocity(*robot_.model, ws.v_all, ws.kinematics);
  read_rows(mode.constraints, Level::velocity, true, workspace, out);
}

}  // namespace bayesid
