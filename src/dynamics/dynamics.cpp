// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/dynamics.hpp"

#include <Eigen/Cholesky>

#include "dynamics/base_coordinates.hpp"
#include "dynamics/mimic.hpp"
#include "dynamics/workspace.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ForceBalance::ForceBalance(int nv, int nzeta, int num_rotors)
    : h(VectorXd::Zero(nv)),
      dh_dq(MatrixXd::Zero(nv, nv)),
      dh_dv(MatrixXd::Zero(nv, nv)),
      mass(MatrixXd::Zero(nv, nv)),
      dh_dzeta(MatrixXd::Zero(nv, nzeta)),
      rotor_force(MatrixXd::Zero(nv, num_rotors)) {}

Dynamics::Workspace::Storage::Storage(const Dynamics& dynamics)
    : data(*dynamics.robot().model),
      friction(dynamics.parameters().drives().size()),
      kinematics(*dynamics.robot().model),
      rows_all(0, 0),
      rows_before(0, 0) {
  const Eigen::Index n = dynamics.robot().mimic.rows(), nv = dynamics.nv();
  v_all = a_all = tau_all = zero = VectorXd::Zero(n);
  bias = VectorXd::Zero(nv);
  dtau_dq = dtau_dv = mass = MatrixXd::Zero(n, n);
  product = MatrixXd::Zero(n, nv);
  stiffness = MatrixXd::Zero(n, n);
  product_free = work = MatrixXd::Zero(nv, nv);
  free = mass_times = VectorXd::Zero(nv);
  effort = VectorXd::Zero(dynamics.num_inputs());
  rotor_push = rotor_turn = MatrixXd::Zero(nv, dynamics.num_rotors());
  dpi.setZero(10, dynamics.parameters().layout().num_bodies);
  energy_regressor = dpi;
  momentum = weight = BodyKinematics::Spatial::Zero(6, dpi.cols() + 1);
}

Dynamics::Workspace::Workspace(const Dynamics& dynamics)
    : storage_(std::make_unique<Storage>(dynamics)) {}
Dynamics::Workspace::~Workspace() = default;
Dynamics::Workspace::Workspace(Workspace&&) noexcept = default;

double Dynamics::DriveTerm::speed(const VectorXd& v) const {
  double sum = 0;
  for (const auto& [joint, coefficient] : joints) sum += coefficient * v[joint];
  return sum;
}

void Dynamics::DriveTerm::add(double value, Eigen::Ref<VectorXd> out) const {
  for (const auto& [joint, coefficient] : joints) out[joint] += coefficient * value;
}

Dynamics::Dynamics(Robot robot, ParameterSet parameters, bool shows_link_efforts)
    : robot_(std::move(robot)),
      parameters_(std::move(parameters)),
      effort_delay_(parameters_.layout().named_index("delay.effort")),
      shows_link_efforts_(shows_link_efforts) {
  for (const Drive& drive : parameters_.drives()) {
    DriveTerm& term = drives_.emplace_back();
    for (Eigen::Index j = 0; j < drive.row.size(); ++j) {
      if (drive.row[j] != 0) term.joints.emplace_back(static_cast<int>(j), drive.row[j]);
    }
  }
  const PhysicalParameters nominal = parameters_.physical(parameters_.prior());
  for (size_t d = 0; d < drives_.size(); ++d) {
    drives_[d].has_friction = !nominal.gamma.col(static_cast<Eigen::Index>(d)).isZero(0.0);
  }
  coordinates_ = make_base_coordinates(robot_, parameters_, shows_link_efforts_);
}

std::shared_ptr<const DynamicsAt> Dynamics::at(const VectorXd& theta) const {
  auto out = std::make_shared<DynamicsAt>();
  out->theta = theta;
  out->eta = parameters_.physical(theta);
  out->model = with_inertias(*robot_.model, out->eta.pi);
  out->weightless = without_gravity(*out->model);
  return out;
}

MatrixXd Dynamics::dzeta_dtheta(const VectorXd& theta) const {
  return coordinates_.K * parameters_.physical_jacobian(theta);
}

void Dynamics::balance(const DynamicsAt& at, const VectorXd& q, const VectorXd& v,
                       const VectorXd& a, const VectorXd& tau, Order order, Workspace& workspace,
                       ForceBalance& out) const {
  Workspace::Storage& ws = *workspace;
  expand(robot_, v, ws.v_all);
  expand(robot_, a, ws.a_all);
  if (order == Order::value) {
    ws.tau_all = rnea(*at.model, ws.data, q, ws.v_all, ws.a_all);
    if (num_rotors() > 0) body_places(*at.model, ws.data, q);
  } else {
    rnea_derivatives(*at.model, ws.data, q, ws.v_all, ws.a_all, ws.tau_all, ws.dtau_dq, ws.dtau_dv,
                     ws.mass);
    reduce(robot_, ws.dtau_dq, ws.product, out.dh_dq);
    reduce(robot_, ws.dtau_dv, ws.product, out.dh_dv);
    reduce(robot_, ws.mass, ws.product, out.mass);
  }
  reduce(robot_, ws.tau_all, out.h);
  out.h -= at.eta.gain.cwiseProduct(tau.head(nv())) + at.eta.offset;
  add_drives(at, v, a, order, workspace, out);
  add_presliding(at, tau, out);
  if (num_rotors() > 0) add_rotors(at, tau, order, workspace, out);
  if (order == Order::derivatives) zeta_columns(at, a, tau, workspace, out.dh_dzeta);
}

void Dynamics::add_drives(const DynamicsAt& at, const VectorXd& v, const VectorXd& a, Order order,
                          Workspace& workspace, ForceBalance& out) const {
  Workspace::Storage& ws = *workspace;
  for (size_t d = 0; d < drives_.size(); ++d) {
    const DriveTerm& drive = drives_[d];
    const auto column = static_cast<Eigen::Index>(d);
    const double armature = at.eta.armature[column];
    double force = armature * drive.speed(a);
    if (drive.has_friction) {
      ws.friction[d] = friction(drive.speed(v), at.eta.gamma.col(column));
      force += ws.friction[d].tau;
    }
    drive.add(force, out.h);
    if (order == Order::value) continue;
    for (const auto& [i, c_i] : drive.joints) {
      for (const auto& [j, c_j] : drive.joints) {
        out.mass(i, j) += c_i * c_j * armature;
        if (drive.has_friction) out.dh_dv(i, j) += c_i * c_j * ws.friction[d].dtau_dv;
      }
    }
  }
}

void Dynamics::add_presliding(const DynamicsAt& at, const VectorXd& tau, ForceBalance& out) const {
  for (int p = 0; p < num_presliding(); ++p) {
    const double force = at.eta.presliding[p] * tau[num_efforts() + p];
    drives_[parameters_.presliding()[p].drive].add(force, out.h);
  }
}

void Dynamics::place_rotors(const pinocchio::Model& model, Workspace& workspace) const {
  Workspace::Storage& ws = *workspace;
  for (int r = 0; r < num_rotors(); ++r) {
    const Rotor& rotor = parameters_.rotors()[r];
    wrench_effort(model, ws.data, rotor.body, rotor.push, ws.tau_all);
    reduce(robot_, ws.tau_all, ws.bias);
    ws.rotor_push.col(r) = ws.bias;
    wrench_effort(model, ws.data, rotor.body, rotor.turn, ws.tau_all);
    reduce(robot_, ws.tau_all, ws.bias);
    ws.rotor_turn.col(r) = ws.bias;
  }
}

/// h −= Σ_r f_r τ_r with f_r = thrust_r Jᵀ push_r + moment_r Jᵀ turn_r. docs/math/dynamics.md (5)
void Dynamics::add_rotors(const DynamicsAt& at, const VectorXd& tau, Order order,
                          Workspace& workspace, ForceBalance& out) const {
  Workspace::Storage& ws = *workspace;
  place_rotors(*at.model, workspace);
  out.rotor_force = ws.rotor_push * at.eta.thrust.asDiagonal();
  out.rotor_force += ws.rotor_turn * at.eta.moment.asDiagonal();
  out.h.noalias() -= out.rotor_force * tau.segment(nv(), num_rotors());
  if (order == Order::value) return;
  ws.stiffness.setZero();
  for (int r = 0; r < num_rotors(); ++r) {
    const Rotor& rotor = parameters_.rotors()[r];
    const Wrench w =
        -tau[nv() + r] * (at.eta.thrust[r] * rotor.push + at.eta.moment[r] * rotor.turn);
    add_wrench_derivative(*at.model, ws.data, rotor.body, w, ws.stiffness);
  }
  add_reduced(robot_, ws.stiffness, ws.product, out.dh_dq);
}

void Dynamics::effort_force(const DynamicsAt& at, const ForceBalance& balance, const VectorXd& n,
                            VectorXd& out) const {
  out = at.eta.gain.cwiseProduct(n.head(nv()));
  if (num_rotors() > 0) out.noalias() += balance.rotor_force * n.tail(num_rotors());
}

/// At the motion that rnea_derivatives left in the workspace.
void Dynamics::zeta_columns(const DynamicsAt& at, const VectorXd& a, const VectorXd& tau,
                            Workspace& workspace, MatrixXd& dh_dzeta) const {
  inertial_columns(*at.model, workspace, dh_dzeta);
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    if (entry < parameters_.layout().gamma(0)) continue;
    dh_dzeta.col(i).setZero();
    add_column(at, entry, 1.0, a, tau, workspace, dh_dzeta.col(i));
  }
}

/// The columns of inertial parameters alone.
void Dynamics::inertial_columns(const pinocchio::Model& model, Workspace& workspace,
                                MatrixXd& dh_dzeta) const {
  const MatrixXd& regressor = torque_regressor(model, (*workspace).data);
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    if (entry >= parameters_.layout().gamma(0)) continue;
    if (robot_.has_mimic()) {
      dh_dzeta.col(i).noalias() = robot_.mimic.transpose() * regressor.col(entry);
    } else {
      dh_dzeta.col(i) = regressor.col(entry);
    }
  }
}

/// out += ∂h/∂η_entry · value for an entry that is no inertia.
void Dynamics::add_column(const DynamicsAt& at, int entry, double value, const VectorXd& a,
                          const VectorXd& tau, Workspace& workspace,
                          Eigen::Ref<VectorXd> out) const {
  const PhysicalLayout& layout = parameters_.layout();
  if (entry < layout.armature(0)) {
    const int d = (entry - layout.gamma(0)) / 6;
    drives_[d].add(value * (*workspace).friction[d].dtau_dgamma[(entry - layout.gamma(0)) % 6],
                   out);
  } else if (entry < layout.gain(0)) {
    const DriveTerm& drive = drives_[entry - layout.armature(0)];
    drive.add(value * drive.speed(a), out);
  } else if (entry < layout.offset(0)) {
    out[entry - layout.gain(0)] -= value * tau[entry - layout.gain(0)];
  } else if (entry < layout.thrust(0)) {
    out[entry - layout.offset(0)] -= value;
  } else if (entry >= layout.named(0) && entry < layout.sensor(0)) {
    if (entry - layout.named(0) == effort_delay_)
      out -= value * at.eta.gain.cwiseProduct(tau.tail(nv()));
  } else if (entry >= layout.presliding(0) && entry < layout.named(0)) {
    const int p = entry - layout.presliding(0);
    drives_[parameters_.presliding()[p].drive].add(value * tau[num_efforts() + p], out);
  } else if (entry < layout.sensor(0)) {
    const bool is_moment = entry >= layout.moment(0);
    const int r = entry - (is_moment ? layout.moment(0) : layout.thrust(0));
    const MatrixXd& columns = is_moment ? (*workspace).rotor_turn : (*workspace).rotor_push;
    out -= value * tau[nv() + r] * columns.col(r);
  }
}

void Dynamics::balance_along(const DynamicsAt& at, const VectorXd& q, const VectorXd& v,
                             const VectorXd& a, const VectorXd& tau, const VectorXd& dzeta,
                             Workspace& workspace, VectorXd& dh) const {
  Workspace::Storage& ws = *workspace;
  const int num_inertial = parameters_.layout().gamma(0);
  expand(robot_, v, ws.v_all);
  expand(robot_, a, ws.a_all);
  for (size_t d = 0; d < drives_.size(); ++d) {
    if (!drives_[d].has_friction) continue;
    ws.friction[d] = friction(drives_[d].speed(v), at.eta.gamma.col(static_cast<Eigen::Index>(d)));
  }
  set_inertial_direction(dzeta, workspace);
  body_motions(*at.model, ws.data, q, ws.v_all, ws.a_all);
  if (num_rotors() > 0) place_rotors(*at.model, workspace);
  torque_along(*at.model, ws.data, ws.dpi, ws.tau_all);
  reduce(robot_, ws.tau_all, dh);
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    if (entry >= num_inertial) add_column(at, entry, dzeta[i], a, tau, workspace, dh);
  }
}

/// Y δπ is inverse dynamics with δπ as inertias: no regressor.
void Dynamics::set_inertial_direction(const VectorXd& dzeta, Workspace& workspace) const {
  Workspace::Storage& ws = *workspace;
  ws.dpi.setZero();
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    if (entry < parameters_.layout().gamma(0)) ws.dpi(entry % 10, entry / 10) = dzeta[i];
  }
}

void Dynamics::momentum_along(const DynamicsAt& at, const VectorXd& q, const VectorXd& u,
                              const VectorXd& dzeta, Workspace& workspace, VectorXd& dh) const {
  Workspace::Storage& ws = *workspace;
  body_motions(*at.weightless, ws.data, q, ws.zero, ws.zero);
  momentum_along(at, u, dzeta, workspace, dh);
}

void Dynamics::momentum_along(const DynamicsAt& at, const VectorXd& u, const VectorXd& dzeta,
                              Workspace& workspace, VectorXd& dh) const {
  Workspace::Storage& ws = *workspace;
  const PhysicalLayout& layout = parameters_.layout();
  set_inertial_direction(dzeta, workspace);
  expand(robot_, u, ws.a_all);
  accelerate_from_rest(*at.weightless, ws.data, ws.a_all);
  torque_along(*at.weightless, ws.data, ws.dpi, ws.tau_all);
  reduce(robot_, ws.tau_all, dh);
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    const bool is_armature = entry >= layout.armature(0) && entry < layout.gain(0);
    if (is_armature) add_column(at, entry, dzeta[i], u, u, workspace, dh);
  }
}

/// h = M u with its derivatives in q and ζ; the mass matrix too.
void Dynamics::momentum(const DynamicsAt& at, const VectorXd& q, const VectorXd& u,
                        Workspace& workspace, ForceBalance& out) const {
  Workspace::Storage& ws = *workspace;
  expand(robot_, u, ws.a_all);
  rnea_derivatives(*at.weightless, ws.data, q, ws.zero, ws.a_all, ws.tau_all, ws.dtau_dq,
                   ws.dtau_dv, ws.mass);
  reduce(robot_, ws.dtau_dq, ws.product, out.dh_dq);
  reduce(robot_, ws.mass, ws.product, out.mass);
  out.dh_dv.setZero();
  add_armature(at, out.mass);
  out.h.noalias() = out.mass * u;
  momentum_columns(at, u, workspace, out.dh_dzeta);
}

/// ∂(M u)/∂ζ at the motion (0, u) that rnea_derivatives left in the workspace.
void Dynamics::momentum_columns(const DynamicsAt& at, const VectorXd& u, Workspace& workspace,
                                MatrixXd& dh_dzeta) const {
  const PhysicalLayout& layout = parameters_.layout();
  dh_dzeta.setZero();
  inertial_columns(*at.weightless, workspace, dh_dzeta);
  for (int i = 0; i < nzeta(); ++i) {
    const int entry = coordinates_.entries[i];
    const bool is_armature = entry >= layout.armature(0) && entry < layout.gain(0);
    if (is_armature) add_column(at, entry, 1.0, u, u, workspace, dh_dzeta.col(i));
  }
}

void Dynamics::add_armature(const DynamicsAt& at, MatrixXd& mass) const {
  add_inertias(at.eta.armature, mass);
}

/// mass += Σ_d I_d r_d r_dᵀ
void Dynamics::add_inertias(const VectorXd& inertia, MatrixXd& mass) const {
  for (size_t d = 0; d < drives_.size(); ++d) {
    const double own = inertia[static_cast<Eigen::Index>(d)];
    for (const auto& [i, c_i] : drives_[d].joints) {
      for (const auto& [j, c_j] : drives_[d].joints) mass(i, j) += c_i * c_j * own;
    }
  }
}

/// h and mass of a balance at the acceleration a. docs/math/problem.md (2c)
void Dynamics::add_step(const StepInertia& step, const VectorXd& a, ForceBalance& out) const {
  add_inertias(step.inertia, out.mass);
  for (size_t d = 0; d < drives_.size(); ++d) {
    const double beyond = drives_[d].speed(a) - drives_[d].speed(step.a);
    drives_[d].add(step.inertia[static_cast<Eigen::Index>(d)] * beyond, out.h);
  }
}

void Dynamics::friction_slopes(const DynamicsAt& at, const VectorXd& v,
                               Eigen::Ref<VectorXd> out) const {
  for (size_t d = 0; d < drives_.size(); ++d) {
    const auto column = static_cast<Eigen::Index>(d);
    out[column] = 0;
    if (drives_[d].has_friction)
      out[column] = std::max(0.0, friction(drives_[d].speed(v), at.eta.gamma.col(column)).dtau_dv);
  }
}

void Dynamics::add_friction_curvature(
    const DynamicsAt& at, const VectorXd& v, const VectorXd& xi,
    Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> sum) const {
  for (size_t d = 0; d < drives_.size(); ++d) {
    if (!drives_[d].has_friction) continue;
    const auto column = static_cast<Eigen::Index>(d);
    const FrictionCurvature c =
        bayesid::friction_curvature(drives_[d].speed(v), at.eta.gamma.col(column));
    const double weight = drives_[d].speed(xi);
    sum.col(column) +=
        weight *
        (Eigen::Matrix<double, 6, 1>() << c.d01, c.d02, c.d11, c.d22, c.d34, c.d44).finished();
  }
}

MatrixXd Dynamics::friction_curvature(const Eigen::Matrix<double, 6, Eigen::Dynamic>& sum) const {
  // Second derivatives in γ of each drive: (0,1), (0,2), (1,1), (2,2), (3,4), (4,4).
  constexpr int rows[] = {0, 0, 1, 2, 3, 4}, cols[] = {1, 2, 1, 2, 4, 4};
  const PhysicalLayout& layout = parameters_.layout();
  std::vector<int> position(layout.size(), -1);
  for (int i = 0; i < nzeta(); ++i) position[coordinates_.entries[i]] = i;
  MatrixXd out = MatrixXd::Zero(nzeta(), nzeta());
  for (int d = 0; d < static_cast<int>(drives_.size()); ++d) {
    for (int n = 0; n < 6; ++n) {
      const int i = position[layout.gamma(d) + rows[n]], j = position[layout.gamma(d) + cols[n]];
      if (i >= 0 && j >= 0) out(i, j) = out(j, i) = sum(n, d);
    }
  }
  return out;
}

VectorXd Dynamics::zeta(const VectorXd& theta) const {
  return coordinates_.K * stack(parameters_.physical(theta));
}

MatrixXd Dynamics::zeta_curvature(const VectorXd& theta, const VectorXd& s) const {
  return parameters_.physical_curvature(theta, coordinates_.K.transpose() * s);
}

}  // namespace bayesid
