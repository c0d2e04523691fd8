// SPDX-License-Identifier: BSD-3-Clause
// Sensors of forces, and inequalities of forces and efforts: rows that depend on a state and, when
// efforts are noisy, on the next one. docs/math/observation.md (7)-(12), docs/math/inequalities.md
#include "stage/force_readings.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/contact_wrench.hpp"
#include "math/blas.hpp"
#include "stage/semidefinite.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::RowVector3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ForceReadings::ForceReadings(const StageSetting& setting, const std::vector<ForceSensor>& sensors)
    : setting_(setting), link_(setting.nv(), setting.nzeta()) {
  const int nv = setting.nv(), num_efforts = setting.dynamics->num_efforts();
  const int most = setting.max_force_numbers;
  for (const ForceSensor& one : sensors) {
    const bool reads_link = one.sensor->reads() == Reads::link_efforts;
    residuals_.emplace_back(one.sensor->max_rows(), 2 * nv,
                            static_cast<int>(one.sensor->parameters().size()), setting.max_rows,
                            reads_link ? nv : 0);
    own_parameters_.push_back(one.sensor->parameters());
    reads_links_ |= reads_link;
  }
  if (reads_links_) {
    by_link_ = by_a_ = F_a_ = work_ = rows_by_a_ = MatrixXd::Zero(nv, most);
    by_zeta_ = MatrixXd::Zero(most, setting.nzeta());
  }
  source.resize(most);
  pi = weight = e = r = p = VectorXd::Zero(most);
  value_ = mean_ = at_ = trial_ = pi_trial_ = e_at_ = pi;
  F0 = F_ = MF_ = MatrixXd::Zero(nv, most);
  by_effort = MatrixXd::Zero(num_efforts, most);
  X = H_ = H_x_ = MatrixXd::Zero(2 * nv, most);
  tau_ = VectorXd::Zero(setting.dynamics->num_inputs());
  S = V = V0_ = SV0_ = MatrixXd::Zero(most, most);
  gamma = VectorXd::Zero(2 * nv);
  RD_ = MatrixXd::Zero(most, 3 * nv);
  by_x_ = MatrixXd::Zero(most, 2 * nv);
  rows_by_q_ = MatrixXd::Zero(1, nv);
  by_lambda_ = VectorXd::Zero(setting.max_rows).transpose();
}

bool ForceReadings::any(const StageSetting& setting, const StageView& at) {
  const StageLimits& limits = setting.limits;
  if (at.force_sensors.empty() && !limits.read_forces()) return false;
  if (at.plan.impact) return false;
  if (!limits.effort.empty()) return true;
  return std::ranges::any_of(at.force_sensors,
                             [&](const ForceSensor& one) { return (*one.samples)[at.k] >= 0; }) ||
         std::ranges::any_of(limits.contacts, [&](const ContactLimit& limit) {
           return find_contact(at.mode, limit.contact).constraint != nullptr;
         });
}

int ForceReadings::begin_number(const Source& from) {
  const int number = num_numbers++;
  source[number] = from;
  F0.col(number).setZero();
  by_effort.col(number).setZero();
  by_x_.row(number).setZero();
  if (reads_links_) by_link_.col(number).setZero();
  return number;
}

/// What the number is of λ, to first order.
void ForceReadings::add_contact_force(const StageDynamics& stage, const Row& by_lambda,
                                      int number) {
  const auto pseudo_inverse = stage.kkt->pseudo_inverse();
  for (Eigen::Index i = 0; i < pseudo_inverse.cols(); ++i) {
    if (by_lambda[i] != 0) F0.col(number) += by_lambda[i] * pseudo_inverse.col(i);
  }
}

/// The numbers of force sensors, whitened. (7)
void ForceReadings::read_sensors(const StageView& at, Order order, const StageMotion& motion,
                                 const StageDynamics& stage, Kinematics& kinematics,
                                 Dynamics::Workspace& workspace) {
  if (reads_links_) {
    setting_.dynamics->link_effort(at.model, motion.acting_v, instant_.a, tau_,
                                   motion.step_friction(), order, workspace, link_);
    instant_.link = &link_;
  }
  instant_.q = motion.acting_q;
  instant_.v = motion.acting_v;
  instant_.tau = tau_.head(motion.n.size());
  instant_.lambda = stage.lambda;
  instant_.mode = &at.mode;
  instant_.parameters = at.model.eta.sensor;
  instant_.kinematics = &kinematics;
  for (std::size_t i = 0; i < at.force_sensors.size(); ++i) {
    instant_.sample = (*at.force_sensors[i].samples)[at.k];
    if (instant_.sample < 0) continue;
    Residual& residual = residuals_[i];
    at.force_sensors[i].sensor->evaluate(instant_, order, residual);
    for (int row = 0; row < residual.rows; ++row) {
      const int number = begin_number(
          {.sensor = static_cast<int>(i), .channel = residual.channel[row], .row = row});
      value_[number] = residual.r[row];
      add_contact_force(stage, residual.dr_dlambda.row(row), number);
      if (residual.dr_dlink.cols() > 0)
        by_link_.col(number) = residual.dr_dlink.row(row).transpose();
      if (order == Order::derivatives) by_x_.row(number) = residual.dr_dx.row(row);
    }
  }
  num_sensed = num_numbers;
}

/// The forces that have to stay in cones, in the axes of the world, and the efforts within limits.
void ForceReadings::read_limits(const StageView& at, Order order, const StageMotion& motion,
                                const StageDynamics& stage, Kinematics& kinematics) {
  const StageLimits& limits = setting_.limits;
  for (std::size_t i = 0; i < limits.contacts.size(); ++i) {
    const ContactRows contact = find_contact(at.mode, limits.contacts[i].contact);
    if (!contact.constraint) continue;
    const bool turns = contact.constraint->axes == Axes::local;
    Matrix3d to_world = Matrix3d::Identity();
    if (turns) to_world = kinematics.pose(motion.acting_q, contact.constraint->first).rotation;
    const Vector3d force = contact_wrench(contact, stage.lambda, to_world).head<3>();
    for (int axis = 0; axis < 3; ++axis) {
      const int number = begin_number({.limit = static_cast<int>(i)});
      value_[number] = force[axis];
      contact_wrench_row(contact, to_world, axis, by_lambda_);
      add_contact_force(stage, by_lambda_, number);
      if (!turns || order == Order::value) continue;
      // A row of −[f]ₓ J_angular
      const RowVector3d turn = force.cross(Vector3d(Vector3d::Unit(axis))).transpose();
      const MatrixXd& J = kinematics.jacobian(motion.acting_q, contact.constraint->first);
      by_x_.row(number).head(J.cols()).noalias() = turn * J.bottomRows<3>();
    }
  }
  num_contact = num_numbers - num_sensed;
  for (std::size_t i = 0; i < limits.effort.size(); ++i)
    value_[begin_number({.limit = static_cast<int>(i)})] = motion.tau[limits.effort[i].idx_v];
}

/// Efforts of links depend on the acceleration, a = … − Z Zᵀ b for a force b on the robot, and
/// friction. docs/math/observation.md (14)
void ForceReadings::add_link_parts(Order order, const StageDynamics& stage) {
  const auto W = by_link_.leftCols(num_sensed);
  auto by_a = by_a_.leftCols(num_sensed);
  const auto Z = stage.kkt->Z();
  auto free = work_.topLeftCorner(Z.cols(), num_sensed);
  blas::multiply(1.0, link_.da, Op::transposed, W, Op::plain, 0.0, by_a);
  blas::multiply(1.0, Z, Op::transposed, by_a, Op::plain, 0.0, free);
  blas::multiply(-1.0, Z, Op::plain, free, Op::plain, 1.0, F0.leftCols(num_sensed));
  if (order == Order::value) return;
  const int nv = setting_.nv();
  blas::multiply(1.0, W, Op::transposed, link_.dv, Op::plain, 1.0,
                 by_x_.block(0, nv, num_sensed, nv));
  blas::multiply(1.0, W, Op::transposed, link_.dzeta, Op::plain, 0.0, by_zeta_.topRows(num_sensed));
}

void ForceReadings::read(const StageView& at, Order order, const StageMotion& motion,
                         const StageDynamics& stage, Kinematics& kinematics,
                         Dynamics::Workspace& workspace, const VectorXd* noise_force) {
  num_numbers = 0;
  tau_ = motion.tau;
  if (noise_force) tau_.head(motion.n.size()) += motion.n;
  instant_.a = noise_force ? motion.a : stage.a;
  read_sensors(at, order, motion, stage, kinematics, workspace);
  read_limits(at, order, motion, stage, kinematics);
  if (reads_links_) add_link_parts(order, stage);
  // Back to the measured effort, of which all numbers are linear.
  if (!noise_force) return;
  value_.head(num_numbers).noalias() += F0.leftCols(num_numbers).transpose() * *noise_force;
  for (int i = 0; reads_links_ && i < num_sensed; ++i)
    value_[i] -= by_link_.col(i).dot(at.model.eta.gain.cwiseProduct(motion.n.head(setting_.nv())));
}

void ForceReadings::add_balance_multiplier(VectorXd& xi) const {
  xi.noalias() += F0.leftCols(num_numbers) * pi.head(num_numbers);
  if (reads_links_) xi.noalias() -= by_link_.leftCols(num_sensed) * pi.head(num_sensed);
}

/// Λ, X and H: what the noise of efforts does to the numbers, and what the transition determines of
/// it. Needs the noise's factor. (9), (10)
void ForceReadings::propagate_noise(const StageView& at, const Steps& steps,
                                    const StageDynamics& stage, const TransitionNoise& noise) {
  const int count = num_numbers, m = noise.num_noises, nv = setting_.nv(),
            num_rotors = setting_.num_rotors();
  const VectorXd& std = at.effort_std;
  const auto F = F0.leftCols(count);
  auto effort = by_effort.leftCols(count);
  for (int i = 0; i < count; ++i) {
    effort.col(i).head(nv) = -at.model.eta.gain.cwiseProduct(std.head(nv)).cwiseProduct(F.col(i));
  }
  if (num_rotors > 0) {
    auto commands = effort.bottomRows(num_rotors);
    blas::multiply(-1.0, stage.balance.rotor_force, Op::transposed, F, Op::plain, 0.0, commands);
    for (int j = 0; j < num_rotors; ++j) commands.row(j) *= std[nv + j];
  }
  for (int i = 0; reads_links_ && i < num_sensed; ++i) {
    effort.col(i).head(nv) +=
        at.model.eta.gain.cwiseProduct(std.head(nv)).cwiseProduct(by_link_.col(i));
  }
  for (int i = num_sensed + num_contact; i < count; ++i) {
    const int joint = setting_.limits.effort[source[i].limit].idx_v;
    effort(joint, i) = std[joint];
  }
  auto X_m = X.topLeftCorner(2 * m, count), H = H_.topLeftCorner(2 * m, count);
  blas::multiply(steps.c, noise.scaled.topRows(m), Op::plain, effort, Op::plain, 0.0,
                 X_m.topRows(m));
  X_m.bottomRows(m) = (steps.e / steps.c) * X_m.topRows(m);
  const auto L = noise.L();
  whiten_columns(L, X_m);
  H = X_m;
  for (int i = 0; i < count; ++i) unwhiten(L, H.col(i));
}

void ForceReadings::whiten_readings(const StageView& at, const Steps& steps,
                                    const StageMotion& motion, const StageDynamics& stage,
                                    TransitionNoise& noise) {
  const int count = num_numbers, m = noise.num_noises;
  mean_.head(count) = value_.head(count);
  if (setting_.noisy_effort()) {
    propagate_noise(at, steps, stage, noise);
    auto V0 = V0_.topLeftCorner(count, count);
    const auto effort = by_effort.leftCols(count);
    const auto X_m = X.topLeftCorner(2 * m, count);
    blas::multiply(1.0, effort, Op::transposed, effort, Op::plain, 0.0, V0);
    blas::multiply(-1.0, X_m, Op::transposed, X_m, Op::plain, 1.0, V0);
    noise.coordinates(motion.defect);
    mean_.head(count).noalias() -= H_.topLeftCorner(2 * m, count).transpose() * noise.y.head(2 * m);
  }
  solve_numbers(at.path, at.k);
}

void ForceReadings::find_multiplier(const Eigen::Ref<const VectorXd>& multiplier,
                                    const StageMotion& motion, const TransitionNoise& noise) {
  const int count = num_numbers, m = noise.num_noises, nv = setting_.nv();
  gamma = multiplier.head(2 * nv);
  if (!setting_.noisy_effort()) return;
  auto H_x = H_x_.leftCols(count);
  if (noise.is_projected) {
    const auto C = noise.C.topRows(m);
    blas::multiply(1.0, C, Op::transposed, H_.topLeftCorner(m, count), Op::plain, 0.0,
                   H_x.topRows(nv));
    blas::multiply(1.0, C, Op::transposed, H_.block(m, 0, m, count), Op::plain, 0.0,
                   H_x.bottomRows(nv));
  } else {
    H_x = H_.leftCols(count);
  }
  if (setting_.floating()) {
    const Eigen::Matrix<double, 6, 6> turn = motion.error_u.inverse().transpose();
    turn_base(turn, H_x.topRows<6>());
  }
  gamma.noalias() -= H_x * pi.head(count);
}

void ForceReadings::find_multiplier_at(const StageView& at, const Steps& steps,
                                       const StageMotion& motion, const StageDynamics& stage,
                                       TransitionNoise& noise) {
  at_ = value_;
  for (int i = num_sensed + num_contact; i < num_numbers; ++i)
    at_[i] += motion.n[setting_.limits.effort[source[i].limit].idx_v];
  for (int i = 0; reads_links_ && i < num_sensed; ++i)
    at_[i] += by_link_.col(i).dot(at.model.eta.gain.cwiseProduct(motion.n.head(setting_.nv())));
  choose_rows(at.path.kappa, at.k, at.path.penalty);
  p.head(n) = weight.head(n).cwiseProduct(e_at_.head(n));
  pi.head(num_numbers).noalias() = S.topLeftCorner(n, num_numbers).transpose() * p.head(n);
  propagate_noise(at, steps, stage, noise);
  find_multiplier(at.path.gamma.col(at.k), motion, noise);
}

void ForceReadings::likeliest_noise(const Steps& steps, const StageMotion& motion,
                                    TransitionNoise& noise, VectorXd& out) const {
  const int count = num_numbers, m = noise.num_noises;
  const auto L = noise.L();
  noise.coordinates(motion.defect);
  auto y = noise.y.head(2 * m);
  y = -y;
  whiten(L, y);
  unwhiten(L, y);
  y.noalias() += H_.topLeftCorner(2 * m, count) * pi.head(count);
  if (m > 0) {
    noise.effort_noise(steps, out);
  } else {
    out.setZero();
  }
  out.noalias() -= by_effort.leftCols(count) * pi.head(count);
}

double ForceReadings::cost(const StageView& at, Eigen::Ref<VectorXd> parts) const {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    // What is left of e once the noise is known: σ² p.
    const double cost = 0.5 * p[i] * p[i] / weight[i];
    parts[i < num_sensed ? source[i].sensor : parts.size() - 1] += cost;
    sum += cost;
  }
  if (setting_.limits.read_forces()) parts[parts.size() - 1] -= multiplier_cost(at.path, at.k);
  return 0.5 * e.head(n).dot(p.head(n)) - sum;
}

/// R_x before whitening, the share of x' left aside: Fᵀ(M a_x + h_x), and axes that turn. (8)
void ForceReadings::state_columns(const StageView& at, const StageMotion& motion,
                                  const StageDynamics& stage, Stage& out) {
  const int nv = setting_.nv();
  const auto F = F_.leftCols(n);
  auto MF = MF_.leftCols(n);
  auto R_q = out.R_x.block(out.nr, 0, n, nv), R_v = out.R_x.block(out.nr, nv, n, nv);
  blas::multiply(1.0, stage.balance.mass, Op::plain, F, Op::plain, 0.0, MF);
  blas::multiply(1.0, F, Op::transposed, stage.balance.dh_dq, Op::plain, 0.0, R_q);
  blas::multiply(1.0, MF, Op::transposed, stage.da_dq, Op::plain, 1.0, R_q);
  blas::multiply(1.0, F, Op::transposed, stage.balance.dh_dv, Op::plain, 0.0, R_v);
  blas::multiply(1.0, MF, Op::transposed, stage.da_dv, Op::plain, 1.0, R_v);
  for (int i = 0; i < num_numbers; ++i) {
    if (by_x_.row(i).isZero(0) || S.col(i).head(n).isZero(0)) continue;
    rows_by_q_ = by_x_.row(i).head(nv);
    motion.turn_to_start(at.plan, rows_by_q_);
    R_q.noalias() += S.col(i).head(n) * rows_by_q_;
    R_v.noalias() += S.col(i).head(n) * by_x_.row(i).tail(nv);
  }
  if (!reads_links_) return;
  // F₀ has no part in how the acceleration moves with the state: Fᵀ(M a_x + h_x) = 0.
  auto by_a = rows_by_a_.leftCols(n);
  blas::multiply(1.0, by_a_.leftCols(num_sensed), Op::plain, S.topLeftCorner(n, num_sensed),
                 Op::transposed, 0.0, by_a);
  blas::multiply(1.0, by_a, Op::transposed, stage.da_dq, Op::plain, 1.0, R_q);
  blas::multiply(1.0, by_a, Op::transposed, stage.da_dv, Op::plain, 1.0, R_v);
}

void ForceReadings::add_rows(const StageView& at, const StageMotion& motion,
                             const StageDynamics& stage, Stage& out) {
  const int nx = 2 * setting_.nv();
  if (n == 0) return;
  // Extra segments of the state have no part in forces.
  out.R_x.middleRows(out.nr, n).setZero();
  out.R_y.middleRows(out.nr, n).setZero();
  auto R_x = out.R_x.block(out.nr, 0, n, nx), R_y = out.R_y.block(out.nr, 0, n, nx);
  auto R_zeta = out.R_zeta.middleRows(out.nr, n);
  const auto S_n = S.topLeftCorner(n, num_numbers);
  blas::multiply(1.0, F0.leftCols(num_numbers), Op::plain, S_n, Op::transposed, 0.0,
                 F_.leftCols(n));
  state_columns(at, motion, stage, out);
  blas::multiply(1.0, F_.leftCols(n), Op::transposed, stage.balance.dh_dzeta, Op::plain, 0.0,
                 R_zeta);
  if (reads_links_) {
    blas::multiply(1.0, S.topLeftCorner(n, num_sensed), Op::plain, by_zeta_.topRows(num_sensed),
                   Op::plain, 1.0, R_zeta);
  }
  if (setting_.noisy_effort()) {
    blas::multiply(1.0, S_n, Op::plain, H_x_.leftCols(num_numbers), Op::transposed, 0.0, R_y);
    blas::multiply(-1.0, R_y, Op::plain, out.A.topLeftCorner(nx, nx), Op::plain, 1.0, R_x);
    auto RD = RD_.topLeftCorner(n, out.nd);
    blas::multiply(1.0, R_y, Op::plain, out.D.topLeftCorner(nx, out.nd), Op::plain, 0.0, RD);
    blas::multiply(-1.0, RD, Op::plain, out.K.topRows(out.nd), Op::plain, 1.0, R_zeta);
  }
  for (int i = 0; i < num_sensed; ++i) {
    const std::vector<int>& own = own_parameters_[source[i].sensor];
    for (std::size_t j = 0; j < own.size(); ++j) {
      const int column = setting_.sensor_columns[own[j]];
      if (column < 0) continue;
      R_zeta.col(column) +=
          residuals_[source[i].sensor].dr_dparameters(source[i].row, static_cast<Eigen::Index>(j)) *
          S_n.col(i);
    }
  }
  const auto V_n = V.topLeftCorner(n, n);
  whiten_columns(V_n, R_x);
  whiten_columns(V_n, R_y);
  whiten_columns(V_n, R_zeta);
  out.r.segment(out.nr, n) = r.head(n);
  out.nr += n;
}

}  // namespace bayesid
