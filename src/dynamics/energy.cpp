// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <pinocchio/multibody.hpp>

#include "bayesid/dynamics.hpp"
#include "dynamics/mimic.hpp"
#include "dynamics/workspace.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Energy::Energy(int nv, int nzeta)
    : dE_dq(VectorXd::Zero(nv)), dE_dv(VectorXd::Zero(nv)), dE_dzeta(VectorXd::Zero(nzeta)) {}

Dissipation::Dissipation(int nv, int nzeta)
    : dP_dv(VectorXd::Zero(nv)), dP_dzeta(VectorXd::Zero(nzeta)) {}

RotorPower::RotorPower(int nv, int nzeta)
    : dP_dq(VectorXd::Zero(nv)), dP_dv(VectorXd::Zero(nv)), dP_dzeta(VectorXd::Zero(nzeta)) {}

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// A body in motion, in its own axes; the regressor of its energy, and momentum and weight at the
/// world's origin. docs/math/energy.md (1)
struct MovingBody {
  MovingBody(const BodyKinematics& at, int body, const Vector3d& g)
      : R(at.rotation[body]), p(at.translation[body]), gravity(g) {
    const Vector6 V = at.velocity.col(body);
    w = R.transpose() * V.tail<3>();
    v = R.transpose() * (V.head<3>() + V.tail<3>().cross(p));
  }

  /// ∂E/∂π
  InertialParameters regressor() const {
    InertialParameters out;
    out[0] = 0.5 * v.squaredNorm() - gravity.dot(p);
    out.segment<3>(1) = v.cross(w) - R.transpose() * gravity;
    out.tail<6>() << 0.5 * w[0] * w[0], w[0] * w[1], 0.5 * w[1] * w[1], w[0] * w[2], w[1] * w[2],
        0.5 * w[2] * w[2];
    return out;
  }

  Vector6 momentum(const InertialParameters& pi) const {
    const Vector3d h = pi.segment<3>(1);
    Matrix3d I;
    I << pi[4], pi[5], pi[7], pi[5], pi[6], pi[8], pi[7], pi[8], pi[9];
    const Vector3d linear = R * (pi[0] * v + w.cross(h));
    Vector6 out;
    out << linear, R * (h.cross(v) + I * w) + p.cross(linear);
    return out;
  }

  Vector6 velocity() const {
    Vector6 out;
    out << v, w;
    return out;
  }

  /// A wrench in the axes of the body.
  Vector6 in_world(const Vector6& wrench) const {
    const Vector3d force = R * wrench.head<3>();
    Vector6 out;
    out << force, R * wrench.tail<3>() + p.cross(force);
    return out;
  }

  Vector6 weight(const InertialParameters& pi) const {
    Vector6 out;
    out << pi[0] * gravity, (pi[0] * p + R * pi.segment<3>(1)).cross(gravity);
    return out;
  }

  Matrix3d R;
  Vector3d p, v, w, gravity;
};

/// Motion cross product; (linear, angular).
Vector6 cross(const Vector6& a, const Vector6& b) {
  Vector6 out;
  out << a.tail<3>().cross(b.head<3>()) + a.head<3>().cross(b.tail<3>()),
      a.tail<3>().cross(b.tail<3>());
  return out;
}

}  // namespace

void Dynamics::energy(const DynamicsAt& at, const VectorXd& q, const VectorXd& v, Order order,
                      Workspace& workspace, Energy& out) const {
  Workspace::Storage& ws = *workspace;
  const pinocchio::Model& model = *at.model;
  expand(robot_, v, ws.v_all);
  body_motions(model, ws.data, q, ws.v_all, ws.zero);
  read_kinematics(model, ws.data, ws.kinematics);
  const Vector3d g = model.gravity.linear();
  const int num_bodies = parameters_.layout().num_bodies;
  out.value = 0;
  ws.momentum.setZero();
  ws.weight.setZero();
  for (int body = num_bodies; body > 0; --body) {
    const MovingBody moving(ws.kinematics, body, g);
    const auto pi = at.eta.pi.col(body - 1);
    const InertialParameters regressor = moving.regressor();
    out.value += regressor.dot(pi);
    if (order == Order::value) continue;
    ws.energy_regressor.col(body - 1) = regressor;
    ws.momentum.col(body) += moving.momentum(pi);
    ws.weight.col(body) += moving.weight(pi);
    // What hangs on a body moves with it.
    const auto parent = static_cast<Eigen::Index>(model.parents[body]);
    ws.momentum.col(parent) += ws.momentum.col(body);
    ws.weight.col(parent) += ws.weight.col(body);
    const Vector6 V_parent = ws.kinematics.velocity.col(parent);
    for (int c = model.idx_vs[body]; c < model.idx_vs[body] + model.nvs[body]; ++c) {
      const Vector6 J = ws.kinematics.J.col(c);
      ws.tau_all[c] = ws.momentum.col(body).dot(cross(V_parent, J)) - ws.weight.col(body).dot(J);
      ws.a_all[c] = ws.momentum.col(body).dot(J);
    }
  }
  for (size_t d = 0; d < drives_.size(); ++d) {
    const double speed = drives_[d].speed(v);
    out.value += 0.5 * at.eta.armature[static_cast<Eigen::Index>(d)] * speed * speed;
  }
  if (order == Order::value) return;
  reduce(robot_, ws.tau_all, out.dE_dq);
  reduce(robot_, ws.a_all, out.dE_dv);
  const PhysicalLayout& layout = parameters_.layout();
  for (size_t d = 0; d < drives_.size(); ++d) {
    const double speed = drives_[d].speed(v);
    drives_[d].add(at.eta.armature[static_cast<Eigen::Index>(d)] * speed, out.dE_dv);
  }
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    double& slope = out.dE_dzeta[i];
    slope = 0;
    if (entry < layout.gamma(0)) slope = ws.energy_regressor(entry % 10, entry / 10);
    if (entry < layout.armature(0) || entry >= layout.gain(0)) continue;
    const double speed = drives_[entry - layout.armature(0)].speed(v);
    slope = 0.5 * speed * speed;
  }
}

void Dynamics::dissipation(const DynamicsAt& at, const VectorXd& v,
                           const Eigen::Ref<const VectorXd>& z, Order order,
                           Dissipation& out) const {
  const PhysicalLayout& layout = parameters_.layout();
  out.value = 0;
  if (order == Order::derivatives) {
    out.dP_dv.setZero();
    out.dP_dzeta.setZero();
  }
  for (size_t d = 0; d < drives_.size(); ++d) {
    if (!drives_[d].has_friction) continue;
    const double speed = drives_[d].speed(v);
    const Friction f = friction(speed, at.eta.gamma.col(static_cast<Eigen::Index>(d)));
    out.value += speed * f.tau;
    if (order == Order::value) continue;
    drives_[d].add(f.tau + speed * f.dtau_dv, out.dP_dv);
    for (int i = 0; i < nzeta(); ++i) {
      const int place = coordinates_.entries[i] - layout.gamma(static_cast<int>(d));
      if (place >= 0 && place < 6) out.dP_dzeta[i] += speed * f.dtau_dgamma[place];
    }
  }
  for (int p = 0; p < num_presliding(); ++p) {
    const DriveTerm& drive = drives_[parameters_.presliding()[p].drive];
    const double speed = drive.speed(v);
    out.value += speed * at.eta.presliding[p] * z[p];
    if (order == Order::value) continue;
    drive.add(at.eta.presliding[p] * z[p], out.dP_dv);
    for (int i = 0; i < nzeta(); ++i) {
      if (coordinates_.entries[i] == layout.presliding(p)) out.dP_dzeta[i] += speed * z[p];
    }
  }
}

void Dynamics::rotor_power(const DynamicsAt& at, const VectorXd& q, const VectorXd& v,
                           const Eigen::Ref<const VectorXd>& commands, Order order,
                           Workspace& workspace, RotorPower& out) const {
  Workspace::Storage& ws = *workspace;
  const pinocchio::Model& model = *at.model;
  const PhysicalLayout& layout = parameters_.layout();
  expand(robot_, v, ws.v_all);
  body_motions(model, ws.data, q, ws.v_all, ws.zero);
  read_kinematics(model, ws.data, ws.kinematics);
  out.value = 0;
  out.dP_dzeta.setZero();
  ws.tau_all.setZero();
  ws.a_all.setZero();
  for (int r = 0; r < num_rotors(); ++r) {
    const Rotor& rotor = parameters_.rotors()[r];
    const MovingBody moving(ws.kinematics, rotor.body, model.gravity.linear());
    const double pushed = commands[r] * rotor.push.dot(moving.velocity());
    const double turned = commands[r] * rotor.turn.dot(moving.velocity());
    out.value += at.eta.thrust[r] * pushed + at.eta.moment[r] * turned;
    if (order == Order::value) continue;
    for (int i = 0; i < nzeta(); ++i) {
      if (coordinates_.entries[i] == layout.thrust(r)) out.dP_dzeta[i] = pushed;
      if (coordinates_.entries[i] == layout.moment(r)) out.dP_dzeta[i] = turned;
    }
    const Vector6 F = moving.in_world(
        commands[r] * (at.eta.thrust[r] * rotor.push + at.eta.moment[r] * rotor.turn));
    for (const pinocchio::JointIndex joint : model.supports[rotor.body]) {
      const Vector6 V_parent =
          ws.kinematics.velocity.col(static_cast<Eigen::Index>(model.parents[joint]));
      for (int c = model.idx_vs[joint]; c < model.idx_vs[joint] + model.nvs[joint]; ++c) {
        const Vector6 J = ws.kinematics.J.col(c);
        ws.tau_all[c] += F.dot(cross(V_parent, J));
        ws.a_all[c] += F.dot(J);
      }
    }
  }
  if (order == Order::value) return;
  reduce(robot_, ws.tau_all, out.dP_dq);
  reduce(robot_, ws.a_all, out.dP_dv);
}

}  // namespace bayesid
