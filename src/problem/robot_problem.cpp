// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem/robot_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/observation/encoder.hpp"
#include "bayesid/observation/pose.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Parts of the objective; the terms of the recording follow the first two, the effort comes last.
constexpr int arrival_part = 0;
constexpr int disturbance_part = 1;
constexpr int first_term_part = 2;

const RobotAt& cast(const Problem::At& at) {
  return static_cast<const RobotAt&>(at);
}

}  // namespace

RobotProblem::RobotProblem(std::shared_ptr<const Dynamics> dynamics,
                           std::vector<Recording> recordings, Noise noise, Integrator integrator,
                           std::map<std::string, double> initial_mean)
    : dynamics_(std::move(dynamics)),
      recordings_(std::move(recordings)),
      noise_(std::move(noise)),
      integrator_(integrator) {
  const Robot& robot = dynamics_->robot();
  for (const Recording& recording : recordings_) {
    Trajectory& trajectory = trajectories_.emplace_back();
    trajectory.terms.push_back(
        std::make_unique<EncoderPosition>(robot, recording.position, noise_.position));
    trajectory.terms.push_back(
        std::make_unique<EncoderVelocity>(recording.velocity, noise_.velocity));
    add_poses(recording, trajectory);
    const MotionGuess guess = guess_motion(robot, recording);
    VectorXd angles = guess.position.col(0);
    trajectory.v_mean = guess.velocity.col(0);
    for (const Joint& joint : robot.joints) {
      const auto q = initial_mean.find("q." + joint.name), v = initial_mean.find("v." + joint.name);
      if (q != initial_mean.end()) angles[joint.idx_v] = q->second;
      if (v != initial_mean.end()) trajectory.v_mean[joint.idx_v] = v->second;
    }
    trajectory.q_mean = make_configuration(robot, angles);
  }
}

/// All trajectories have the same terms, those that see nothing too.
void RobotProblem::add_poses(const Recording& recording, Trajectory& trajectory) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, std] : noise_.poses) {
    const bool is_measured = std::ranges::any_of(
        recordings_, [&](const Recording& other) { return other.poses.contains(name); });
    const std::optional<FramePlacement> frame = find_frame(dynamics_->robot(), name);
    if (!is_measured || !frame) continue;
    const auto found = recording.poses.find(name);
    trajectory.terms.push_back(std::make_unique<Pose>(
        name, *frame,
        found == recording.poses.end() ? MatrixXd::Constant(7, recording.num_samples(), nan)
                                       : found->second,
        std));
  }
}

StageSize RobotProblem::size(int trajectory) const {
  const int nv = dynamics_->nv();
  return {.nx = 2 * nv,
          .nd = nv,
          .nzeta = dynamics_->nzeta(),
          .num_stages = recordings_[trajectory].num_samples() - 1};
}

Point RobotProblem::start() const {
  const Robot& robot = dynamics_->robot();
  const int nq = robot.nq(), nv = robot.nv();
  Point out{.theta = prior_mean(), .paths = {}};
  for (size_t t = 0; t < recordings_.size(); ++t) {
    const MotionGuess guess = guess_motion(robot, recordings_[t]);
    const int n = recordings_[t].num_samples();
    Path& path = out.paths.emplace_back();
    path.x.resize(nq + nv, n);
    path.u = MatrixXd::Zero(2 * nv, n - 1);
    path.gamma = MatrixXd::Zero(2 * nv, n - 1);
    for (int k = 0; k < n; ++k) {
      path.x.col(k) << make_configuration(robot, guess.position.col(k)), guess.velocity.col(k);
      if (k + 1 < n) path.u.col(k).head(nv) = guess.acceleration.col(k);
    }
    path.x.col(0) << trajectories_[t].q_mean, trajectories_[t].v_mean;
  }
  return out;
}

std::unique_ptr<Problem::Workspace> RobotProblem::make_workspace() const {
  return std::make_unique<Scratch>(*this);
}

std::shared_ptr<const Problem::At> RobotProblem::at(const VectorXd& theta) const {
  return std::make_shared<RobotAt>(dynamics_->at(theta));
}

ParameterConstraints RobotProblem::constraints(const VectorXd& theta) const {
  const std::vector<ParameterInequality> rows = dynamics_->parameters().inequalities(theta);
  ParameterConstraints out{MatrixXd(0, theta.size()), VectorXd(0),
                           MatrixXd(static_cast<Eigen::Index>(rows.size()), theta.size()),
                           VectorXd(static_cast<Eigen::Index>(rows.size()))};
  for (size_t i = 0; i < rows.size(); ++i) {
    out.G.row(static_cast<Eigen::Index>(i)) = rows[i].dvalue_dtheta;
    out.g[static_cast<Eigen::Index>(i)] = rows[i].value;
  }
  return out;
}

int RobotProblem::ncurvature() const {
  return 6 * static_cast<int>(dynamics_->parameters().drives().size());
}

MatrixXd RobotProblem::stage_curvature(const VectorXd& sums) const {
  const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> friction(sums.data(), 6,
                                                                            sums.size() / 6);
  return dynamics_->friction_curvature(friction);
}

int RobotProblem::memory_size() const {
  return dynamics_->nv() * dynamics_->nv() +
         dynamics_->nv();  // inverse mass matrix and effort gains
}

double RobotProblem::time_step(int trajectory, int k) const {
  return recordings_[trajectory].time[k + 1] - recordings_[trajectory].time[k];
}

double RobotProblem::position_gain(double dt) const {
  return integrator_ == Integrator::semi_implicit_euler ? dt * dt : 0.5 * dt * dt;
}

void RobotProblem::read(int trajectory, int k, const Path& path, Scratch& s) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  s.knot.q = path.x.col(k).head(nq);
  s.knot.v = path.x.col(k).tail(nv);
  s.knot.sample = k;
  if (k >= path.u.cols()) return;
  s.a = path.u.col(k).head(nv);
  s.n = path.u.col(k).tail(nv);
  s.tau = recordings_[trajectory].effort.col(k);
}

/// defect = Ψ(x, a) ⊖ x' with a in s.a docs/math/problem.md (2)
void RobotProblem::transition_defect(double dt, const Eigen::Ref<const VectorXd>& next,
                                     Scratch& s) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  s.dq = dt * s.knot.v + position_gain(dt) * s.a;
  integrate(dynamics_->robot(), s.knot.q, s.dq, s.q_next);
  s.dq = dt * s.a + s.knot.v - next.tail(nv);
  s.defect.tail(nv) = s.dq;
  s.knot.q = next.head(nq);
  difference(dynamics_->robot(), s.knot.q, s.q_next, s.dq);
  s.defect.head(nv) = s.dq;
}

/// N with N Nᵀ = W = diag(σ²) + D M⁻¹ gain Σ_τ gain M⁻ᵀ Dᵀ docs/math/problem.md (4)
void RobotProblem::noise_factor(const PhysicalParameters& eta, double dt, Scratch& s,
                                MatrixXd& factor) const {
  const int nv = dynamics_->nv();
  const double c = position_gain(dt);
  factor.setZero();
  if (!noisy_effort()) {
    factor.diagonal().head(nv) = noise_.disturbance_position;
    factor.diagonal().tail(nv) = noise_.disturbance_velocity;
    return;
  }
  for (int j = 0; j < nv; ++j)
    s.scaled.col(j) = s.mass_inverse.col(j) * (eta.gain[j] * noise_.effort[j]);
  s.effort_cov.noalias() = s.scaled * s.scaled.transpose();
  factor.topLeftCorner(nv, nv) = c * c * s.effort_cov;
  factor.bottomLeftCorner(nv, nv) = c * dt * s.effort_cov;
  factor.bottomRightCorner(nv, nv) = dt * dt * s.effort_cov;
  factor.diagonal().head(nv) += noise_.disturbance_position.cwiseAbs2();
  factor.diagonal().tail(nv) += noise_.disturbance_velocity.cwiseAbs2();
  semidefinite_cholesky(factor);
}

void RobotProblem::node_cost(int trajectory, int k, Scratch& s, Stage& out) const {
  const int nv = dynamics_->nv();
  out.Q.setZero();
  out.q.setZero();
  if (k == 0) {
    difference(dynamics_->robot(), trajectories_[trajectory].q_mean, s.knot.q, s.dq);
    for (int j = 0; j < nv; ++j) {
      const double position_weight =
          1.0 / (noise_.initial_position[j] * noise_.initial_position[j]);
      const double velocity_weight =
          1.0 / (noise_.initial_velocity[j] * noise_.initial_velocity[j]);
      out.Q(j, j) = position_weight;
      out.Q(nv + j, nv + j) = velocity_weight;
      out.q[j] = position_weight * s.dq[j];
      out.q[nv + j] = velocity_weight * (s.knot.v[j] - trajectories_[trajectory].v_mean[j]);
    }
    return;
  }
  for (size_t i = 0; i < s.residuals.size(); ++i) {
    Residual& residual = s.residuals[i];
    trajectories_[trajectory].terms[i]->evaluate(s.knot, Order::derivatives, residual);
    if (residual.rows == 0) continue;
    const auto J = residual.dr_dx.topRows(residual.rows);
    out.q.noalias() += J.transpose() * residual.r.head(residual.rows);
    blas::multiply(1.0, J, Op::transposed, J, Op::plain, 1.0, out.Q);
  }
}

void RobotProblem::linearise(const At& at, int trajectory, int k, const Path& path,
                             Workspace& workspace, Stage& out, double* memory) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = *cast(at).dynamics;
  const int nv = dynamics_->nv();
  read(trajectory, k, path, s);
  node_cost(trajectory, k, s, out);
  if (k == path.u.cols()) return;
  const double dt = time_step(trajectory, k), c = position_gain(dt);
  out.gamma = path.gamma.col(k);

  // Balance of forces at the measured effort plus what its sensor missed.
  s.tau += s.n;
  dynamics_->balance(model, s.knot.q, s.knot.v, s.a, s.tau, Order::derivatives, s.dynamics,
                     s.balance);
  s.mass = s.balance.mass;
  invert_positive(s.mass, s.mass_inverse);
  Eigen::Map<MatrixXd>(memory, nv, nv) = s.mass_inverse;
  Eigen::Map<VectorXd>(memory + nv * nv, nv) = model.eta.gain;

  // δa = −M⁻¹(h_q δq + h_v δv + h_ζ δζ): the nullspace of the stage is known. docs/math/problem.md
  // (3)
  blas::multiply(-1.0, s.mass_inverse, Op::plain, s.balance.dh_dzeta, Op::plain, 0.0, out.K);
  blas::multiply(-dt, s.mass_inverse, Op::plain, s.balance.dh_dq, Op::plain, 0.0,
                 out.A.bottomLeftCorner(nv, nv));
  blas::multiply(-dt, s.mass_inverse, Op::plain, s.balance.dh_dv, Op::plain, 0.0,
                 out.A.bottomRightCorner(nv, nv));
  out.A.topRows(nv) = (c / dt) * out.A.bottomRows(nv);
  out.A.diagonal().array() += 1.0;
  out.A.topRightCorner(nv, nv).diagonal().array() += dt;
  out.D.setZero();
  out.D.topRows(nv).diagonal().setConstant(c);
  out.D.bottomRows(nv).diagonal().setConstant(dt);
  noise_factor(model.eta, dt, s, out.N);

  // Curvature of friction, weighted with the multiplier ξ = −M⁻¹Dᵀγ of the balance.
  s.force = -c * out.gamma.head(nv) - dt * out.gamma.tail(nv);
  s.xi.noalias() = s.mass_inverse * s.force;
  out.curvature.setZero();
  Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> sums(out.curvature.data(), 6,
                                                            out.curvature.size() / 6);
  dynamics_->add_friction_curvature(model, s.knot.v, s.xi, sums);

  // Defect with the acceleration that satisfies the balance at the measured effort alone.
  s.force = s.balance.h + model.eta.gain.cwiseProduct(s.n);
  s.a.noalias() -= s.mass_inverse * s.force;
  transition_defect(dt, path.x.col(k + 1), s);
  out.d = s.defect;
}

void RobotProblem::parameter_shift(const At& at, int trajectory, int k, const Path& path,
                                   const VectorXd& dzeta, Workspace& workspace,
                                   const double* memory, Eigen::Ref<VectorXd> out) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const int nv = dynamics_->nv();
  read(trajectory, k, path, s);
  s.tau += s.n;
  dynamics_->balance_along(*cast(at).dynamics, s.knot.q, s.knot.v, s.a, s.tau, dzeta, s.dynamics,
                           s.force);
  s.a.noalias() = Eigen::Map<const MatrixXd>(memory, nv, nv) * s.force;
  const double dt = time_step(trajectory, k);
  out.head(nv) = -position_gain(dt) * s.a;
  out.tail(nv) = -dt * s.a;
}

/// n = −Σ_τ gain M⁻¹ Dᵀγ: what the effort sensor missed, as the multiplier tells it.
/// docs/math/problem.md (5)
void RobotProblem::effort_noise(const VectorXd& gain, double dt,
                                const Eigen::Ref<const VectorXd>& gamma,
                                const MatrixXd& mass_inverse, Eigen::Ref<VectorXd> out) const {
  const int nv = dynamics_->nv();
  const double c = position_gain(dt);
  for (int j = 0; j < nv; ++j) {
    double sum = 0;
    for (int i = 0; i < nv; ++i) sum += mass_inverse(i, j) * (c * gamma[i] + dt * gamma[nv + i]);
    out[j] = -noise_.effort[j] * noise_.effort[j] * gain[j] * sum;
  }
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
  // The full step satisfies the transition: v' = v + dt a + w with w = −σ²γ.
  const double dt = time_step(trajectory, k);
  s.defect = path.gamma.col(k) + dgamma.col(k);
  s.a = path.x.col(k + 1).tail(nv) + dx.col(k + 1).tail(nv) - path.x.col(k).tail(nv) -
        dx.col(k).tail(nv) +
        noise_.disturbance_velocity.cwiseAbs2().cwiseProduct(s.defect.tail(nv));
  s.a /= dt;
  out.u.col(k).head(nv) = path.u.col(k).head(nv) + length * (s.a - path.u.col(k).head(nv));
  if (noisy_effort()) {
    s.mass_inverse = Eigen::Map<const MatrixXd>(memory, nv, nv);
    s.tau = Eigen::Map<const VectorXd>(memory + nv * nv, nv);
    effort_noise(s.tau, dt, s.defect, s.mass_inverse, s.n);
    out.u.col(k).tail(nv) = path.u.col(k).tail(nv) + length * (s.n - path.u.col(k).tail(nv));
  }
  out.gamma.col(k) = path.gamma.col(k) + length * dgamma.col(k);
}

std::vector<std::string> RobotProblem::cost_parts() const {
  std::vector<std::string> out{"arrival", "disturbance"};
  if (!trajectories_.empty()) {
    for (const auto& term : trajectories_[0].terms) out.push_back(term->kind());
  }
  if (noisy_effort()) out.emplace_back("effort");
  return out;
}

bool RobotProblem::evaluate(const At& at, int trajectory, int k, const Path& path,
                            Workspace& workspace, Eigen::Ref<VectorXd> parts) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = *cast(at).dynamics;
  const int nv = dynamics_->nv();
  parts.setZero();
  read(trajectory, k, path, s);
  if (k == 0) {
    difference(dynamics_->robot(), trajectories_[trajectory].q_mean, s.knot.q, s.dq);
    parts[arrival_part] = 0.5 * (s.dq.cwiseQuotient(noise_.initial_position).squaredNorm() +
                                 (s.knot.v - trajectories_[trajectory].v_mean)
                                     .cwiseQuotient(noise_.initial_velocity)
                                     .squaredNorm());
  } else {
    for (size_t i = 0; i < s.residuals.size(); ++i) {
      trajectories_[trajectory].terms[i]->evaluate(s.knot, Order::value, s.residuals[i]);
      parts[first_term_part + static_cast<Eigen::Index>(i)] =
          0.5 * s.residuals[i].r.head(s.residuals[i].rows).squaredNorm();
    }
  }
  if (k == path.u.cols()) return parts.allFinite();

  // Transition: the noise that closes it at least cost, γ = W⁻¹ defect.
  const double dt = time_step(trajectory, k);
  dynamics_->acceleration(model, s.knot.q, s.knot.v, s.tau, s.dynamics, s.a, s.mass);
  transition_defect(dt, path.x.col(k + 1), s);
  if (noisy_effort()) invert_positive(s.mass, s.mass_inverse);
  noise_factor(model.eta, dt, s, s.noise);
  s.noise.triangularView<Eigen::Lower>().solveInPlace(s.defect);
  const double total = 0.5 * s.defect.squaredNorm();
  s.noise.transpose().triangularView<Eigen::Upper>().solveInPlace(s.defect);
  parts[disturbance_part] = total;
  if (noisy_effort()) {
    effort_noise(model.eta.gain, dt, s.defect, s.mass_inverse, s.n);
    double effort = 0;
    for (int j = 0; j < nv; ++j)
      effort += 0.5 * (s.n[j] / noise_.effort[j]) * (s.n[j] / noise_.effort[j]);
    parts[parts.size() - 1] = effort;
    parts[disturbance_part] = total - effort;
  }
  return parts.allFinite();
}

void RobotProblem::restore(const At& at, int trajectory, int k, Workspace& workspace,
                           Path& path) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const DynamicsAt& model = *cast(at).dynamics;
  const int nv = dynamics_->nv();
  const double dt = time_step(trajectory, k);
  read(trajectory, k, path, s);
  dynamics_->acceleration(model, s.knot.q, s.knot.v, s.tau, s.dynamics, s.a, s.mass);
  path.u.col(k).head(nv) = s.a;
  transition_defect(dt, path.x.col(k + 1), s);
  invert_positive(s.mass, s.mass_inverse);
  noise_factor(model.eta, dt, s, s.noise);
  s.noise.triangularView<Eigen::Lower>().solveInPlace(s.defect);
  s.noise.transpose().triangularView<Eigen::Upper>().solveInPlace(s.defect);
  path.gamma.col(k) = s.defect;
  if (!noisy_effort()) return;
  effort_noise(model.eta.gain, dt, s.defect, s.mass_inverse, s.n);
  path.u.col(k).tail(nv) = s.n;
  s.force = model.eta.gain.cwiseProduct(s.n);
  path.u.col(k).head(nv) += s.mass_inverse * s.force;
}

VectorXd RobotProblem::disturbance(int, int k, const Path& path) const {
  const int nv = dynamics_->nv();
  VectorXd out(2 * nv);
  out << -noise_.disturbance_position.cwiseAbs2().cwiseProduct(path.gamma.col(k).head(nv)),
      -noise_.disturbance_velocity.cwiseAbs2().cwiseProduct(path.gamma.col(k).tail(nv));
  return out;
}

std::pair<double, double> RobotProblem::violation(const VectorXd& theta, int trajectory,
                                                  const Path& path) const {
  Scratch s(*this);
  const std::shared_ptr<const DynamicsAt> model = dynamics_->at(theta);
  double gap = 0, balance = 0;
  for (int k = 0; k < path.u.cols(); ++k) {
    read(trajectory, k, path, s);
    s.tau += s.n;
    dynamics_->balance(*model, s.knot.q, s.knot.v, s.a, s.tau, Order::value, s.dynamics, s.balance);
    transition_defect(time_step(trajectory, k), path.x.col(k + 1), s);
    gap = std::max(gap, (s.defect + disturbance(trajectory, k, path)).lpNorm<Eigen::Infinity>());
    balance = std::max(balance, s.balance.h.lpNorm<Eigen::Infinity>());
  }
  return {gap, balance};
}

std::string RobotProblem::place(int trajectory, int k) const {
  return recordings_[trajectory].file + ", time " +
         std::to_string(recordings_[trajectory].time[k]) + " s";
}

}  // namespace bayesid
