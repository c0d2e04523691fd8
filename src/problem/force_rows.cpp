// SPDX-License-Identifier: BSD-3-Clause
// Sensors of contact forces, and inequalities of forces and efforts: rows that see a state and,
// when efforts are noisy, where it went. docs/math/observation.md (7)-(12),
// docs/math/inequalities.md
#include "problem/force_rows.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "bayesid/problem/robot_problem.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using blas::Op;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

/// For each stage that takes time the sample nearest to its start, when it is within half a step.
std::vector<int> samples_at_starts(const Timeline& timeline, const VectorXd& time) {
  std::vector<int> out(timeline.stages.size(), -1);
  const double* begin = time.data();
  const double* end = begin + time.size();
  for (size_t k = 0; k < timeline.stages.size(); ++k) {
    if (timeline.stages[k].impact || time.size() == 0) continue;
    const double start = timeline.nodes[k].time;
    const double* next = std::lower_bound(begin, end, start);
    if (next == end || (next != begin && start - next[-1] < *next - start)) --next;
    if (std::abs(*next - start) <= 0.5 * timeline.stages[k].dt)
      out[k] = static_cast<int>(next - begin);
  }
  return out;
}

/// Columns become L⁻¹ of themselves.
void whiten_columns(const Eigen::Ref<const MatrixXd>& L, Eigen::Ref<MatrixXd> columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) whiten(L, columns.col(j));
}

}  // namespace

/// All trajectories have the same sensors, those that see nothing too.
void RobotProblem::add_wrenches(const Recording& recording, Trajectory& trajectory) const {
  for (const auto& [name, config] : noise_.wrenches) {
    const std::string group = "wrench." + name;
    const bool is_measured = std::ranges::any_of(
        recordings_, [&](const Recording& other) { return other.series.contains(group); });
    if (!is_measured) continue;
    WrenchSensor& added = trajectory.wrenches.emplace_back();
    added.name = name;
    added.contact = config.contact;
    added.std = wrench_std(config);
    added.offset = wrench_offsets(dynamics_->parameters(), name);
    const auto found = recording.series.find(group);
    const bool is_here = found != recording.series.end();
    added.measured = is_here ? found->second.values : MatrixXd(6, 0);
    added.sample =
        samples_at_starts(trajectory.timeline, is_here ? found->second.time : VectorXd(0));
  }
}

int RobotProblem::first_wrench_part() const {
  constexpr int num_others = 2;  // arrival and disturbance
  return num_others + static_cast<int>(trajectories_[0].sensors.size()) + (noise_.energy ? 1 : 0);
}

bool RobotProblem::sees_forces(int trajectory, int k) const {
  const auto& wrenches = trajectories_[trajectory].wrenches;
  const StageLimits& limits = options_.limits;
  if (wrenches.empty() && !limits.see_forces()) return false;
  if (plan(trajectory, k).impact) return false;
  if (!limits.effort.empty()) return true;
  const Mode& mode = this->mode(trajectory, k);
  return std::ranges::any_of(wrenches,
                             [&](const WrenchSensor& sensor) { return sensor.sample[k] >= 0; }) ||
         std::ranges::any_of(limits.contacts, [&](const ContactLimit& limit) {
           return find_contact(mode, limit.contact).constraint != nullptr;
         });
}

/// One component of the force of a contact, in axes that `turn` makes of those of its rows.
void RobotProblem::see_contact(const ContactRows& contact, const Eigen::Matrix3d& turn, int channel,
                               Scratch& s) const {
  ForceRows& rows = s.forces;
  auto column = rows.F0.col(rows.num_seen++);
  column.setZero();
  if (!contact.constraint) return;
  const std::vector<int>& kept = contact.constraint->rows;
  for (size_t j = 0; j < kept.size(); ++j) {
    if (kept[j] / 3 != channel / 3) continue;
    column += turn(channel % 3, kept[j] % 3) *
              s.stage.response->lift().col(contact.first + static_cast<Eigen::Index>(j));
  }
}

/// The numbers of force sensors, in the axes of the contact's frame. (7)
void RobotProblem::see_sensors(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  ForceRows& rows = s.forces;
  const std::vector<WrenchSensor>& sensors = trajectories_[trajectory].wrenches;
  for (size_t i = 0; i < sensors.size(); ++i) {
    const WrenchSensor& sensor = sensors[i];
    const int sample = sensor.sample[k];
    if (sample < 0) continue;
    const ContactRows contact = find_contact(mode(trajectory, k), sensor.contact);
    const bool turns = contact.constraint && contact.constraint->axes == Axes::world_aligned;
    Matrix3d to_frame = Matrix3d::Identity();
    if (turns) to_frame = to_frame_axes(*contact.constraint, s.acting_q, s.kinematics);
    const ContactWrench wrench = contact_wrench(contact, s.stage.lambda, to_frame);
    for (int channel = 0; channel < 6; ++channel) {
      if (!sensor.has_row(channel, sample)) continue;
      const int j = rows.num_seen;
      see_contact(contact, to_frame, channel, s);
      ForceRows::Seen& seen = rows.seen[j];
      seen = {.sensor = static_cast<int>(i), .channel = channel, .turn = Vector3d::Zero()};
      rows.value[j] = wrench[channel] - sensor.measured(channel, sample);
      if (sensor.offset[channel] >= 0) rows.value[j] += model.eta.sensor[sensor.offset[channel]];
      if (!turns) continue;
      // A row of [Rᵀf]ₓ Rᵀ J_angular
      const Vector3d part = wrench.segment<3>(3 * (channel / 3));
      seen.turning = &contact.constraint->first;
      seen.turn = to_frame.transpose() * Vector3d(Vector3d::Unit(channel % 3).cross(part));
    }
  }
  rows.num_sensed = rows.num_seen;
}

/// The forces that have to stay in cones, in the axes of the world, and the efforts within limits.
void RobotProblem::see_limits(int trajectory, int k, Scratch& s) const {
  ForceRows& rows = s.forces;
  const StageLimits& limits = options_.limits;
  for (size_t i = 0; i < limits.contacts.size(); ++i) {
    const ContactRows contact = find_contact(mode(trajectory, k), limits.contacts[i].contact);
    if (!contact.constraint) continue;
    const bool turns = contact.constraint->axes == Axes::local;
    Matrix3d to_world = Matrix3d::Identity();
    if (turns) to_world = s.kinematics.pose(s.acting_q, contact.constraint->first).rotation;
    const Vector3d force = contact_wrench(contact, s.stage.lambda, to_world).head<3>();
    for (int axis = 0; axis < 3; ++axis) {
      const int j = rows.num_seen;
      see_contact(contact, to_world, axis, s);
      ForceRows::Seen& seen = rows.seen[j];
      seen = {.limit = static_cast<int>(i), .turn = Vector3d::Zero()};
      rows.value[j] = force[axis];
      if (!turns) continue;
      // A row of −[f]ₓ J_angular
      seen.turning = &contact.constraint->first;
      seen.turn = force.cross(Vector3d(Vector3d::Unit(axis)));
    }
  }
  rows.num_contact = rows.num_seen - rows.num_sensed;
  for (size_t i = 0; i < limits.effort.size(); ++i) {
    const int j = rows.num_seen++;
    rows.seen[j] = {.limit = static_cast<int>(i), .turn = Vector3d::Zero()};
    rows.F0.col(j).setZero();
    rows.value[j] = s.tau[limits.effort[i].idx_v];
  }
}

/// The numbers of the stage and F₀, from the stage as it was solved or linearised last. (7), (8)
void RobotProblem::read_forces(const DynamicsAt& model, int trajectory, int k, Scratch& s) const {
  s.forces.num_seen = 0;
  see_sensors(model, trajectory, k, s);
  see_limits(trajectory, k, s);
}

/// Λ, X and H: what the noise of efforts does to the numbers, and what the transition tells of it.
/// Needs the noise's factor. (9), (10)
void RobotProblem::spread_forces(const DynamicsAt& model, const Steps& steps, Scratch& s) const {
  ForceRows& rows = s.forces;
  const int n = rows.num_seen, m = s.num_noises, nv = dynamics_->nv(),
            num_rotors = dynamics_->num_rotors();
  const auto F = rows.F0.leftCols(n);
  auto by_effort = rows.by_effort.leftCols(n);
  for (int i = 0; i < n; ++i) {
    by_effort.col(i).head(nv) =
        -model.eta.gain.cwiseProduct(effort_std_.head(nv)).cwiseProduct(F.col(i));
  }
  if (num_rotors > 0) {
    auto commands = by_effort.bottomRows(num_rotors);
    blas::multiply(-1.0, s.stage.balance.rotor_force, Op::transposed, F, Op::plain, 0.0, commands);
    for (int r = 0; r < num_rotors; ++r) commands.row(r) *= effort_std_[nv + r];
  }
  for (int i = rows.num_sensed + rows.num_contact; i < n; ++i) {
    const int joint = options_.limits.effort[rows.seen[i].limit].idx_v;
    by_effort(joint, i) = effort_std_[joint];
  }
  auto X = rows.X.topLeftCorner(2 * m, n), H = rows.H.topLeftCorner(2 * m, n);
  blas::multiply(steps.c, s.scaled.topRows(m), Op::plain, by_effort, Op::plain, 0.0, X.topRows(m));
  X.bottomRows(m) = (steps.e / steps.c) * X.topRows(m);
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  whiten_columns(L, X);
  H = X;
  for (int i = 0; i < n; ++i) unwhiten(L, H.col(i));
}

/// What forces and efforts are at the likeliest noise, and the rows there. Needs the noise's
/// factor, and the defect at the measured effort. (9)-(11)
void RobotProblem::weigh_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                                Scratch& s) const {
  ForceRows& rows = s.forces;
  const int n = rows.num_seen, m = s.num_noises;
  rows.mean.head(n) = rows.value.head(n);
  if (noisy_effort()) {
    spread_forces(model, steps(plan(trajectory, k)), s);
    auto V0 = rows.V0.topLeftCorner(n, n);
    const auto by_effort = rows.by_effort.leftCols(n);
    const auto X = rows.X.topLeftCorner(2 * m, n);
    blas::multiply(1.0, by_effort, Op::transposed, by_effort, Op::plain, 0.0, V0);
    blas::multiply(-1.0, X, Op::transposed, X, Op::plain, 1.0, V0);
    noise_coordinates(s.defect, s, s.y);
    rows.mean.head(n).noalias() -= rows.H.topLeftCorner(2 * m, n).transpose() * s.y.head(2 * m);
  }
  settle_forces(trajectory, k, path, rows);
}

/// γ of the problem with all noises, from that of the reduced one. (12)
void RobotProblem::force_multiplier(const Eigen::Ref<const VectorXd>& gamma, Scratch& s) const {
  ForceRows& rows = s.forces;
  const int n = rows.num_seen, m = s.num_noises, nv = dynamics_->nv();
  rows.gamma = gamma.head(2 * nv);
  if (!noisy_effort()) return;
  auto H_x = rows.H_x.leftCols(n);
  if (s.is_projected) {
    const auto C = s.C.topRows(m);
    blas::multiply(1.0, C, Op::transposed, rows.H.topLeftCorner(m, n), Op::plain, 0.0,
                   H_x.topRows(nv));
    blas::multiply(1.0, C, Op::transposed, rows.H.block(m, 0, m, n), Op::plain, 0.0,
                   H_x.bottomRows(nv));
  } else {
    H_x = rows.H.leftCols(n);
  }
  if (dynamics_->robot().floating) {
    const Eigen::Matrix<double, 6, 6> turn = s.error_u.inverse().transpose();
    turn_base(turn, H_x.topRows<6>());
  }
  rows.gamma.noalias() -= H_x * rows.pi.head(n);
}

/// All of the above for a stage linearised at the noise s.n of its efforts.
void RobotProblem::linearise_forces(const DynamicsAt& model, int trajectory, int k,
                                    const Path& path, Scratch& s) const {
  ForceRows& rows = s.forces;
  read_forces(model, trajectory, k, s);
  const int n = rows.num_seen;
  if (noisy_effort()) {
    // Back to the measured effort, of which the forces are linear.
    dynamics_->effort_force(model, s.stage.balance, s.n, s.force);
    rows.value.head(n).noalias() += rows.F0.leftCols(n).transpose() * s.force;
  }
  weigh_forces(model, trajectory, k, path, s);
  force_multiplier(path.gamma.col(k), s);
}

/// Coordinates of the multiplier with the forces' share, at inputs that are consistent.
void RobotProblem::add_force_multiplier(const DynamicsAt& model, int trajectory, int k,
                                        const Path& path, Scratch& s) const {
  ForceRows& rows = s.forces;
  if (!noisy_effort() || !sees_forces(trajectory, k)) return;
  const Steps steps = this->steps(plan(trajectory, k));
  noise_factor(model.eta, steps, s);
  read_forces(model, trajectory, k, s);
  rows.at = rows.value;
  for (int i = rows.num_sensed + rows.num_contact; i < rows.num_seen; ++i)
    rows.at[i] += s.n[options_.limits.effort[rows.seen[i].limit].idx_v];
  choose_rows(trajectory, path.kappa, k, path.penalty, rows);
  rows.p.head(rows.n) = rows.weight.head(rows.n).cwiseProduct(rows.e_at.head(rows.n));
  rows.pi.head(rows.num_seen).noalias() =
      rows.S.topLeftCorner(rows.n, rows.num_seen).transpose() * rows.p.head(rows.n);
  spread_forces(model, steps, s);
  force_multiplier(path.gamma.col(k), s);
  multiplier_coordinates(rows.gamma, s);
}

/// The noise of efforts that states and forces tell together, in s.n and in standard deviations.
/// (11)
void RobotProblem::likeliest_noise(const Steps& steps, Scratch& s) const {
  const ForceRows& rows = s.forces;
  const int n = rows.num_seen, m = s.num_noises;
  const auto L = s.factor.topLeftCorner(2 * m, 2 * m);
  const auto pi = rows.pi.head(n);
  noise_coordinates(s.defect, s, s.y);
  auto y = s.y.head(2 * m);
  y = -y;
  whiten(L, y);
  unwhiten(L, y);
  y.noalias() += rows.H.topLeftCorner(2 * m, n) * pi;
  s.n.noalias() = -(rows.by_effort.leftCols(n) * pi);
  if (m > 0) {
    s.force.head(m) = steps.c * y.head(m) + steps.e * y.tail(m);
    s.n.noalias() += s.scaled.topRows(m).transpose() * s.force.head(m);
  }
}

/// Parts of the sensors and, last, of the inequalities, and what the noise of efforts costs beyond
/// the transition.
double RobotProblem::evaluate_forces(const DynamicsAt& model, int trajectory, int k,
                                     const Path& path, Scratch& s,
                                     Eigen::Ref<VectorXd> parts) const {
  const ForceRows& rows = s.forces;
  read_forces(model, trajectory, k, s);
  weigh_forces(model, trajectory, k, path, s);
  double sum = 0;
  for (int i = 0; i < rows.n; ++i) {
    // What is left of e once the noise is known: σ² p.
    const double cost = 0.5 * rows.p[i] * rows.p[i] / rows.weight[i];
    parts[i < rows.num_sensed ? rows.seen[i].sensor : parts.size() - 1] += cost;
    sum += cost;
  }
  if (options_.limits.see_forces()) parts[parts.size() - 1] -= multiplier_cost(path, k, rows);
  return 0.5 * rows.e.head(rows.n).dot(rows.p.head(rows.n)) - sum;
}

/// Where a stage with forces is linearised when efforts are noisy: at the noise that states and
/// forces tell, and the acceleration it makes.
void RobotProblem::follow_forces(const DynamicsAt& model, int trajectory, int k, const Path& path,
                                 Scratch& s) const {
  const StagePlan& plan = this->plan(trajectory, k);
  const Steps steps = this->steps(plan);
  solve_stage(model, trajectory, k, s);
  transition_defect(steps, path.x.col(k + 1), s);
  noise_basis(plan, mode(trajectory, k), s);
  noise_factor(model.eta, steps, s);
  read_forces(model, trajectory, k, s);
  weigh_forces(model, trajectory, k, path, s);
  likeliest_noise(steps, s);
  s.n = effort_std_.cwiseProduct(s.n);
  s.knot.q = path.x.col(k).head(dynamics_->robot().nq());
  follow_noise(model, s);
}

/// R_x before whitening, the share of x' left aside: Fᵀ(M a_x + h_x), and the frame that turns. (8)
void RobotProblem::force_state_columns(const StagePlan& plan, Scratch& s, Stage& out) const {
  ForceRows& rows = s.forces;
  const int n = rows.n, nv = dynamics_->nv();
  const auto F = rows.F.leftCols(n);
  auto MF = rows.MF.leftCols(n);
  auto R_q = out.R_x.block(out.nr, 0, n, nv), R_v = out.R_x.block(out.nr, nv, n, nv);
  blas::multiply(1.0, s.stage.balance.mass, Op::plain, F, Op::plain, 0.0, MF);
  blas::multiply(1.0, F, Op::transposed, s.stage.balance.dh_dq, Op::plain, 0.0, R_q);
  blas::multiply(1.0, MF, Op::transposed, s.stage.da_dq, Op::plain, 1.0, R_q);
  blas::multiply(1.0, F, Op::transposed, s.stage.balance.dh_dv, Op::plain, 0.0, R_v);
  blas::multiply(1.0, MF, Op::transposed, s.stage.da_dv, Op::plain, 1.0, R_v);
  for (int i = 0; i < rows.num_seen; ++i) {
    const ForceRows::Seen& seen = rows.seen[i];
    if (!seen.turning || rows.S.col(i).head(n).isZero(0)) continue;
    const MatrixXd& J = s.kinematics.jacobian(s.acting_q, *seen.turning);
    rows.turning.noalias() = seen.turn.transpose() * J.bottomRows<3>();
    turn_to_start(plan, rows.turning, s);
    R_q.noalias() += rows.S.col(i).head(n) * rows.turning;
  }
}

/// Rows of the stage, whitened; its A, D and K are those of the linearisation. (11)
void RobotProblem::force_rows(int trajectory, int k, Scratch& s, Stage& out) const {
  ForceRows& rows = s.forces;
  const int n = rows.n, nx = 2 * dynamics_->nv();
  if (n == 0) return;
  // A balance of energy that a state carries has no part in forces.
  out.R_x.middleRows(out.nr, n).setZero();
  out.R_y.middleRows(out.nr, n).setZero();
  auto R_x = out.R_x.block(out.nr, 0, n, nx), R_y = out.R_y.block(out.nr, 0, n, nx);
  auto R_zeta = out.R_zeta.middleRows(out.nr, n);
  const auto S = rows.S.topLeftCorner(n, rows.num_seen);
  blas::multiply(1.0, rows.F0.leftCols(rows.num_seen), Op::plain, S, Op::transposed, 0.0,
                 rows.F.leftCols(n));
  force_state_columns(plan(trajectory, k), s, out);
  blas::multiply(1.0, rows.F.leftCols(n), Op::transposed, s.stage.balance.dh_dzeta, Op::plain, 0.0,
                 R_zeta);
  if (noisy_effort()) {
    blas::multiply(1.0, S, Op::plain, rows.H_x.leftCols(rows.num_seen), Op::transposed, 0.0, R_y);
    blas::multiply(-1.0, R_y, Op::plain, out.A.topLeftCorner(nx, nx), Op::plain, 1.0, R_x);
    auto RD = rows.RD.topLeftCorner(n, out.nd);
    blas::multiply(1.0, R_y, Op::plain, out.D.topLeftCorner(nx, out.nd), Op::plain, 0.0, RD);
    blas::multiply(-1.0, RD, Op::plain, out.K.topRows(out.nd), Op::plain, 1.0, R_zeta);
  }
  for (int i = 0; i < rows.num_sensed; ++i) {
    const ForceRows::Seen& seen = rows.seen[i];
    const int offset = trajectories_[trajectory].wrenches[seen.sensor].offset[seen.channel];
    if (offset >= 0 && sensor_columns_[offset] >= 0)
      R_zeta.col(sensor_columns_[offset]) += S.col(i);
  }
  const auto V = rows.V.topLeftCorner(n, n);
  whiten_columns(V, R_x);
  whiten_columns(V, R_y);
  whiten_columns(V, R_zeta);
  out.r.segment(out.nr, n) = rows.r.head(n);
  out.nr += n;
}

}  // namespace bayesid
