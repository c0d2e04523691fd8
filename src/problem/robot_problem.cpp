// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem/robot_problem.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/observation/encoder.hpp"
#include "bayesid/observation/imu.hpp"
#include "bayesid/observation/pose.hpp"
#include "bayesid/parameters/presliding.hpp"
#include "bayesid/problem/inputs.hpp"
#include "math/blas.hpp"
#include "problem/scratch.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Std of joint efforts, then of rotor commands; 0: exact. Empty when all are.
VectorXd effort_std(const Dynamics& dynamics, const Noise& noise) {
  if (noise.effort.size() == 0 && noise.thrust.size() == 0) return {};
  VectorXd out = VectorXd::Zero(dynamics.num_efforts());
  if (noise.effort.size() > 0) out.head(dynamics.nv()) = noise.effort;
  if (noise.thrust.size() > 0) out.tail(dynamics.num_rotors()) = noise.thrust;
  return out;
}

/// Springs follow the measured positions, holes filled and smoothed. docs/math/parameters.md (13c)
MatrixXd presliding_of(const Dynamics& dynamics, const Recording& recording) {
  const MatrixXd position = guess_motion(dynamics.robot(), recording).position;
  const double window = dynamics.parameters().layout().presliding_smoothing;
  return presliding_along(dynamics.parameters(),
                          smoothed_positions(recording.time, position, window));
}

}  // namespace

RobotProblem::RobotProblem(std::shared_ptr<const Dynamics> dynamics,
                           std::vector<Recording> recordings, Noise noise, Integrator integrator,
                           ProblemOptions options)
    : dynamics_(std::move(dynamics)),
      recordings_(std::move(recordings)),
      noise_(std::move(noise)),
      effort_std_(effort_std(*dynamics_, noise_)),
      integrator_(integrator),
      options_(std::move(options)),
      position_scale_(noise_.disturbance_position.mean()),
      velocity_scale_(noise_.disturbance_velocity.mean()) {
  const Robot& robot = dynamics_->robot();
  const PhysicalLayout& layout = dynamics_->parameters().layout();
  const std::vector<int>& entries = dynamics_->coordinates().entries;
  sensor_columns_.assign(layout.num_sensors, -1);
  first_row_column_ = dynamics_->nzeta();
  for (int i = dynamics_->nzeta() - 1; i >= 0 && entries[i] >= layout.sensor(0); --i) {
    sensor_columns_[entries[i] - layout.sensor(0)] = i;
    first_row_column_ = i;
  }
  if (noise_.energy || !noise_.wrenches.empty() || options_.limits.see_forces())
    first_row_column_ = 0;
  const VectorXd first_values = dynamics_->parameters().physical(prior_mean()).sensor;
  for (Recording& recording : recordings_) {
    if (recording.presliding.cols() == 0 && dynamics_->num_presliding() > 0)
      recording.presliding = presliding_of(*dynamics_, recording);
    Trajectory& trajectory = trajectories_.emplace_back();
    trajectory.timeline = make_timeline(recording, options_.constraints);
    if (noise_.energy)
      trajectory.windows = make_energy_windows(trajectory.timeline, noise_.energy_window);
    add_encoders(recording, trajectory);
    add_poses(recording, trajectory);
    add_imus(recording, trajectory);
    add_wrenches(recording, trajectory);
    trajectory.schedule = std::make_shared<const Schedule>(
        make_schedule(trajectory.sensors, trajectory.timeline, first_values));
    max_timed_rows_ =
        std::max(max_timed_rows_, max_timed_rows(trajectory.sensors, trajectory.timeline));
    const MotionGuess guess = guess_motion(robot, recording);
    VectorXd angles = guess.position.col(0);
    trajectory.v_mean = guess.velocity.col(0);
    const std::map<std::string, double>& given = options_.initial_mean;
    for (const Joint& joint : robot.joints) {
      const auto q = given.find("q." + joint.name), v = given.find("v." + joint.name);
      if (q != given.end()) angles[joint.idx_v] = q->second;
      if (v != given.end()) trajectory.v_mean[joint.idx_v] = v->second;
    }
    trajectory.q_mean = make_configuration(robot, angles);
    max_rows_ = std::max(max_rows_, trajectory.timeline.max_rows());
    max_slips_ = std::max(max_slips_, trajectory.timeline.max_slips());
    max_force_rows_ = num_rows(trajectory.wrenches) +
                      3 * static_cast<int>(options_.limits.contacts.size()) +
                      static_cast<int>(options_.limits.effort.size());
  }
  if (trajectories_.empty()) return;
  for (const Sensor& sensor : trajectories_[0].sensors)
    own_parameters_.push_back(sensor.term->parameters());
}

/// On the samples of the recording without a series.
void RobotProblem::add_sensor(const std::string& group, std::unique_ptr<Term> term,
                              const Series* series, Trajectory& trajectory) const {
  constexpr double margin = 3;  // standard deviations
  const ParameterSet& parameters = dynamics_->parameters();
  Sensor& added = trajectory.sensors.emplace_back();
  added.term = std::move(term);
  added.is_timed = series || added.term->sees_acceleration();
  if (series) added.time = series->time;
  const std::string name = "delay." + group;
  added.delay = parameters.layout().sensor_index(name);
  for (const Parameter& parameter : parameters.all()) {
    if (parameter.name != name) continue;
    added.first_delay = parameter.prior;
    added.margin = parameter.fixed ? 0 : margin * parameter.std;
  }
}

namespace {

/// Series of a group in a recording; null when its samples are those of the recording.
const Series* find_series(const Recording& recording, const std::string& group) {
  const auto found = recording.series.find(group);
  return found == recording.series.end() ? nullptr : &found->second;
}

}  // namespace

void RobotProblem::add_encoders(const Recording& recording, Trajectory& trajectory) const {
  const Series* position = find_series(recording, "position");
  const Series* velocity = find_series(recording, "velocity");
  add_sensor(
      "position",
      std::make_unique<EncoderPosition>(
          dynamics_->robot(), position ? position->values : recording.position, noise_.position),
      position, trajectory);
  add_sensor("velocity",
             std::make_unique<EncoderVelocity>(velocity ? velocity->values : recording.velocity,
                                               noise_.velocity),
             velocity, trajectory);
}

void RobotProblem::add_imus(const Recording& recording, Trajectory& trajectory) const {
  for (const auto& [name, imu] : noise_.imus) {
    const std::string group = "imu." + name;
    const bool is_measured = std::ranges::any_of(
        recordings_, [&](const Recording& other) { return other.series.contains(group); });
    if (!is_measured) continue;
    Imu::Description description{.name = name,
                                 .frame = imu.frame,
                                 .std = imu.std,
                                 .gravity = dynamics_->robot().gravity(),
                                 .bias = imu_biases(dynamics_->parameters(), name)};
    const Series nothing{.time = VectorXd(0), .values = MatrixXd(10, 0)};
    const Series* found = find_series(recording, group);
    const Series& series = found ? *found : nothing;
    add_sensor(group, std::make_unique<Imu>(std::move(description), series.values), &series,
               trajectory);
  }
}

bool RobotProblem::delays_move() const {
  if (trajectories_.empty()) return false;
  return std::ranges::any_of(trajectories_[0].sensors, [&](const Sensor& sensor) {
    return sensor.delay >= 0 && sensor_columns_[sensor.delay] >= 0;
  });
}

/// All trajectories have the same sensors, those that see nothing too.
void RobotProblem::add_poses(const Recording& recording, Trajectory& trajectory) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, std] : noise_.poses) {
    const bool is_measured = std::ranges::any_of(
        recordings_, [&](const Recording& other) { return other.poses.contains(name); });
    const std::optional<FramePlacement> frame = find_frame(dynamics_->robot(), name);
    if (!is_measured || !frame) continue;
    const auto found = recording.poses.find(name);
    const Series* series = find_series(recording, "pose." + name);
    add_sensor("pose." + name,
               std::make_unique<Pose>(name, *frame,
                                      series ? series->values
                                      : found == recording.poses.end()
                                          ? MatrixXd::Constant(7, recording.num_samples(), nan)
                                          : found->second,
                                      std),
               series, trajectory);
  }
}

StageSize RobotProblem::size(int trajectory) const {
  const int nv = dynamics_->nv();
  // A projection that depends on θ adds its own ways for the parameters into the state.
  const bool adds = options_.projection == Projection::dynamic && max_rows_ > 0;
  const int copies = !adds ? 1 : dynamics_->robot().floating ? 3 : 2;
  return {.nx = nx(),
          .nd = copies * nv + (carries_energy() ? 1 : 0),
          .nw = 2 * nv,
          .nzeta = dynamics_->nzeta(),
          .num_stages = static_cast<int>(trajectories_[trajectory].timeline.stages.size()),
          .nr = max_timed_rows_ + (noise_.energy ? 1 : 0) + max_force_rows_};
}

Point RobotProblem::start() const {
  const Robot& robot = dynamics_->robot();
  const int nq = robot.nq(), nv = robot.nv();
  Point out{.theta = prior_mean(), .paths = {}};
  const auto prior = at(out.theta);
  for (size_t t = 0; t < recordings_.size(); ++t) {
    const MotionGuess guess = guess_motion(robot, recordings_[t]);
    const Timeline& timeline = trajectories_[t].timeline;
    const auto num_stages = static_cast<Eigen::Index>(timeline.stages.size());
    Path& path = out.paths.emplace_back();
    path.x.resize(nq + nv, num_stages + 1);
    path.u = MatrixXd::Zero(nv + dynamics_->num_efforts(), num_stages);
    path.gamma = MatrixXd::Zero(nx(), num_stages);
    path.kappa = MatrixXd::Zero(options_.limits.num_multipliers(), num_stages + 1);
    for (Eigen::Index k = 0; k <= num_stages; ++k) {
      const NodePlan& node = timeline.nodes[k];
      const StagePlan* stage = k < num_stages ? &timeline.stages[k] : nullptr;
      // Between samples, and before an impact at one, the motion of the sample before goes on;
      // after an impact that of the next sample has begun.
      const bool is_between = node.sample < 0;
      const int before = is_between ? timeline.stages[k - 1].sample : node.sample;
      const int sample = is_between && timeline.stages[k - 1].impact ? before + 1 : before;
      const double dt = node.time - recordings_[t].time[sample];
      const VectorXd v = guess.velocity.col(sample) + dt * guess.acceleration.col(sample);
      path.x.col(k) << configuration_at(robot, guess, sample), v;
      if (is_between) {
        const VectorXd q = path.x.col(k).head(nq), step = dt * guess.velocity.col(sample);
        integrate(robot, q, step, path.x.col(k).head(nq));
      }
      if (stage && !stage->impact) path.u.col(k).head(nv) = guess.acceleration.col(sample);
    }
    path.x.col(0) << trajectories_[t].q_mean, trajectories_[t].v_mean;
    for (Eigen::Index k = 0; k < num_stages; ++k) {
      if (!timeline.stages[k].impact) continue;
      path.u.col(k).head(nv) = path.x.col(k + 1).tail(nv) - path.x.col(k).tail(nv);
    }
    path.held.resize(num_held(), num_stages);
    for (int k = 0; k < num_stages; ++k) hold(*prior, static_cast<int>(t), k, path);
  }
  return out;
}

std::unique_ptr<Problem::Workspace> RobotProblem::make_workspace() const {
  return std::make_unique<Scratch>(*this);
}

std::shared_ptr<const Problem::At> RobotProblem::at(const VectorXd& theta) const {
  auto out = std::make_shared<RobotAt>(dynamics_->at(theta));
  if (!delays_move()) return out;
  for (const Trajectory& trajectory : trajectories_) {
    out->schedules.push_back(
        make_schedule(trajectory.sensors, trajectory.timeline, out->dynamics->eta.sensor));
  }
  return out;
}

ParameterConstraints RobotProblem::constraints(const VectorXd& theta) const {
  const auto fill = [&](const std::vector<RelationAt>& rows, MatrixXd& jacobian, VectorXd& value) {
    jacobian.resize(static_cast<Eigen::Index>(rows.size()), theta.size());
    value.resize(static_cast<Eigen::Index>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
      jacobian.row(static_cast<Eigen::Index>(i)) = rows[i].dvalue_dtheta;
      value[static_cast<Eigen::Index>(i)] = rows[i].value;
    }
  };
  ParameterConstraints out;
  fill(dynamics_->parameters().relations().equalities(theta), out.E, out.e);
  fill(dynamics_->parameters().relations().inequalities(theta), out.G, out.g);
  return out;
}

std::vector<std::string> RobotProblem::constraint_names() const {
  const ParameterSet& parameters = dynamics_->parameters();
  std::vector<std::string> out;
  for (const RelationAt& row : parameters.relations().equalities(parameters.prior()))
    out.push_back(row.name);
  for (const RelationAt& row : parameters.relations().inequalities(parameters.prior()))
    out.push_back(row.name);
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

const StagePlan& RobotProblem::plan(int trajectory, int k) const {
  return trajectories_[trajectory].timeline.stages[k];
}

const Mode& RobotProblem::mode(int trajectory, int k) const {
  return trajectories_[trajectory].timeline.modes[plan(trajectory, k).mode];
}

Steps RobotProblem::steps(const StagePlan& plan) const {
  if (plan.impact) return {0, 0, 1};
  const double dt = plan.dt;
  return {dt, integrator_ == Integrator::semi_implicit_euler ? dt * dt : 0.5 * dt * dt, dt};
}

void RobotProblem::read(int trajectory, int k, const Path& path, Scratch& s) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  s.knot.q = path.x.col(k).head(nq);
  s.knot.v = path.x.col(k).tail(nv);
  s.knot.sample = trajectories_[trajectory].timeline.nodes[k].sample;
  if (k >= path.u.cols()) return;
  s.a = path.u.col(k).head(nv);
  s.n = path.u.col(k).tail(dynamics_->num_efforts());
  const int sample = plan(trajectory, k).sample;
  read_inputs(*dynamics_, recordings_[trajectory], sample, s.tau);
  place_forces(trajectory, k, path, s);
}

ArrivalConstraints RobotProblem::arrival(int trajectory, const Path& path) const {
  const int nq = dynamics_->robot().nq(), nv = dynamics_->nv();
  ArrivalConstraints out{MatrixXd(0, nx()), VectorXd(0)};
  if (!options_.on_constraints || path.u.cols() == 0) return out;
  const Mode& all = mode(trajectory, 0);
  if (all.num_rows() == 0) return out;
  // Where a contact stands is where it stood at first: only loops constrain the position.
  Mode loops = all;
  std::erase_if(loops.constraints, [](const MotionConstraint& c) { return c.is_contact; });
  const VectorXd q = path.x.col(0).head(nq), v = path.x.col(0).tail(nv);
  const ConstraintRows position = dynamics_->rows_at(loops, q, v, Level::position);
  const ConstraintRows velocity = dynamics_->rows_at(all, q, v, Level::velocity);
  const Eigen::Index np = position.r.size(), n = velocity.r.size();
  out.E = MatrixXd::Zero(np + n, nx());
  out.E.topLeftCorner(np, nv) = position.dr_dq;
  out.E.bottomLeftCorner(n, nv) = velocity.dr_dq;
  out.E.block(np, nv, n, nv) = velocity.J;
  out.e.resize(np + n);
  out.e << position.r, velocity.r;
  return out;
}

void RobotProblem::node_cost(int trajectory, int k, Scratch& s, Stage& out) const {
  const int n = 2 * dynamics_->nv();
  out.Q.setZero();
  out.q.setZero();
  if (k == 0) {
    // No stage asks for a balance from before the log: any prior will do.
    if (carries_energy()) out.Q(n, n) = 1;
    difference(dynamics_->robot(), trajectories_[trajectory].q_mean, s.knot.q, s.dq);
    s.step = noise_.initial_position.cwiseAbs2().cwiseInverse();
    s.force = noise_.initial_velocity.cwiseAbs2().cwiseInverse();
    out.Q.diagonal().head(n) << s.step, s.force;
    out.q.head(n) << s.step.cwiseProduct(s.dq),
        s.force.cwiseProduct(s.knot.v - trajectories_[trajectory].v_mean);
    if (!dynamics_->robot().floating) return;
    // x₀ ⊖ x̄₀ of the base bends: its derivative is that of the logarithm.
    integrate_jacobians(dynamics_->robot(), s.dq, s.error_q, s.error_u);
    const Eigen::Matrix<double, 6, 6> J = s.error_u.inverse();
    const Eigen::Matrix<double, 6, 1> weight =
        noise_.initial_position.head<6>().cwiseAbs2().cwiseInverse();
    out.q.head<6>() = J.transpose() * weight.cwiseProduct(s.dq.head<6>());
    out.Q.topLeftCorner<6, 6>() = J.transpose() * weight.asDiagonal() * J;
    return;
  }
  if (s.knot.sample < 0) return;
  for (size_t i = 0; i < s.residuals.size(); ++i) {
    Residual& residual = s.residuals[i];
    const Sensor& sensor = trajectories_[trajectory].sensors[i];
    if (sensor.is_timed) continue;
    sensor.term->evaluate(s.knot, Order::derivatives, residual);
    if (residual.rows == 0) continue;
    const auto J = residual.dr_dx.topRows(residual.rows);
    out.q.head(n).noalias() += J.transpose() * residual.r.head(residual.rows);
    blas::multiply(1.0, J, Op::transposed, J, Op::plain, 1.0, out.Q.topLeftCorner(n, n));
  }
}

std::vector<std::string> RobotProblem::cost_parts() const {
  std::vector<std::string> out{"arrival", "disturbance"};
  if (!trajectories_.empty()) {
    for (const Sensor& sensor : trajectories_[0].sensors) out.push_back(sensor.term->kind());
  }
  if (noise_.energy) out.emplace_back("energy");
  if (!trajectories_.empty()) {
    for (const WrenchSensor& sensor : trajectories_[0].wrenches) out.push_back(sensor.kind());
  }
  if (has_inequalities()) out.emplace_back("inequalities");
  if (noisy_effort()) out.emplace_back("effort");
  return out;
}

std::string RobotProblem::place(int trajectory, int k) const {
  return recordings_[trajectory].file + ", time " +
         std::to_string(trajectories_[trajectory].timeline.nodes[k].time) + " s";
}

}  // namespace bayesid
