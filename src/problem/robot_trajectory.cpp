// SPDX-License-Identifier: BSD-3-Clause
#include "problem/robot_trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "problem/inputs.hpp"
#include "stage/state_limits.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

int most_rows(const RobotLog& log) {
  int out = 0;
  for (const SensorTrack& track : log.tracks) out = std::max(out, track.sensor->max_rows());
  return out;
}

StageRecord& record(Trajectory::Records& records, int k) {
  return static_cast<StageRecords&>(records).stages[k];
}
const StageRecord& record(const Trajectory::Records& records, int k) {
  return static_cast<const StageRecords&>(records).stages[k];
}

}  // namespace

RobotTrajectory::Scratch::Scratch(const StageSetting& setting, const RobotLog& log,
                                  const std::vector<ForceSensor>& force_sensors)
    : transition(setting, force_sensors),
      energy(setting),
      timed(setting, most_rows(log), transition.kinematics) {
  const int nv = setting.nv();
  node.q = VectorXd::Zero(setting.nq());
  node.v = dq = position_weight = velocity_weight = VectorXd::Zero(nv);
  effort_std = setting.effort_std;
  node.kinematics = &transition.kinematics;
  for (const SensorTrack& track : log.tracks) {
    residuals.emplace_back(track.sensor->max_rows(), 2 * nv,
                           static_cast<int>(track.sensor->parameters().size()));
  }
}

RobotTrajectory::RobotTrajectory(std::shared_ptr<const StageSetting> setting,
                                 std::shared_ptr<const std::vector<Recording>> recordings,
                                 RobotLog log)
    : setting_(std::move(setting)), recordings_(std::move(recordings)), log_(std::move(log)) {
  for (const SensorTrack& track : log_.of_forces)
    force_sensors_.push_back({track.sensor.get(), &track.samples});
  for (const SensorTrack& track : log_.tracks) {
    own_parameters_.push_back(track.sensor->parameters());
    delays_move_ |= track.delay >= 0 && setting_->sensor_columns[track.delay] >= 0;
  }
  const ParameterSet& parameters = setting_->dynamics->parameters();
  schedule_ = std::make_shared<const Schedule>(
      make_schedule(log_.tracks, log_.timeline, parameters.physical(parameters.prior()).sensor));
}

StageSize RobotTrajectory::size() const {
  const int nv = setting_->nv(), extra = setting_->layout.ndx() - 2 * nv;
  // A projection that depends on θ adds its own ways for the parameters into the state.
  const bool adds = setting_->projection == Projection::dynamic && setting_->max_rows > 0;
  const int copies = !adds ? 1 : setting_->floating() ? 3 : 2;
  return {.nx = setting_->layout.ndx(),
          .nd = copies * nv + extra,
          .nw = 2 * nv,
          .nzeta = setting_->nzeta(),
          .num_stages = static_cast<int>(log_.timeline.stages.size()),
          .nr = setting_->max_timed_rows + (setting_->noise.energy ? 1 : 0) +
                setting_->max_force_numbers};
}

std::vector<std::string> RobotTrajectory::cost_parts() const {
  std::vector<std::string> out{"arrival", "disturbance"};
  for (const SensorTrack& track : log_.tracks) out.push_back(track.sensor->kind());
  if (setting_->noise.energy) out.emplace_back("energy");
  for (const SensorTrack& track : log_.of_forces) out.push_back(track.sensor->kind());
  if (has_inequalities()) out.emplace_back("inequalities");
  if (setting_->noisy_effort()) out.emplace_back("effort");
  return out;
}

std::shared_ptr<const Trajectory::At> RobotTrajectory::at(
    std::shared_ptr<const ParameterSpace::At> parameters) const {
  auto out = std::make_shared<RobotAt>();
  out->dynamics = static_cast<const RobotSpace::RobotAt&>(*parameters).dynamics;
  out->schedule = schedule_;
  if (delays_move_) {
    out->schedule = std::make_shared<const Schedule>(
        make_schedule(log_.tracks, log_.timeline, out->dynamics->eta.sensor));
  }
  return out;
}

Path RobotTrajectory::start(const At& at) const {
  const Robot& robot = setting_->robot();
  const int nq = setting_->nq(), nv = setting_->nv();
  const Timeline& timeline = log_.timeline;
  const MotionGuess guess = guess_motion(robot, recording());
  const auto num_stages = static_cast<Eigen::Index>(timeline.stages.size());
  Path path;
  path.x = MatrixXd::Zero(setting_->layout.nx(), num_stages + 1);
  path.u = MatrixXd::Zero(nv + setting_->dynamics->num_efforts(), num_stages);
  path.gamma = MatrixXd::Zero(setting_->layout.ndx(), num_stages);
  path.kappa = MatrixXd::Zero(setting_->limits.num_multipliers(), num_stages + 1);
  for (Eigen::Index k = 0; k <= num_stages; ++k) {
    const NodePlan& node = timeline.nodes[k];
    const StagePlan* stage = k < num_stages ? &timeline.stages[k] : nullptr;
    // Between samples, and before an impact at one, the motion of the sample before goes on; after
    // an impact that of the next sample has begun.
    const bool is_between = node.sample < 0;
    const int before = is_between ? timeline.stages[k - 1].sample : node.sample;
    const int sample = is_between && timeline.stages[k - 1].impact ? before + 1 : before;
    const double dt = node.time - recording().time[sample];
    path.x.col(k).head(nq) = configuration_at(robot, guess, sample);
    path.x.col(k).segment(nq, nv) =
        guess.velocity.col(sample) + dt * guess.acceleration.col(sample);
    if (is_between) {
      const VectorXd q = path.x.col(k).head(nq), step = dt * guess.velocity.col(sample);
      integrate(robot, q, step, path.x.col(k).head(nq));
    }
    if (stage && !stage->impact) path.u.col(k).head(nv) = guess.acceleration.col(sample);
  }
  path.x.col(0).head(nq) = log_.q_mean;
  path.x.col(0).segment(nq, nv) = log_.v_mean;
  for (Eigen::Index k = 0; k < num_stages; ++k) {
    if (!timeline.stages[k].impact) continue;
    path.u.col(k).head(nv) = path.x.col(k + 1).segment(nq, nv) - path.x.col(k).segment(nq, nv);
  }
  path.lagged.resize(num_lagged(), num_stages);
  for (int k = 0; k < num_stages; ++k) lag(at, k, path);
  return path;
}

std::unique_ptr<Trajectory::Workspace> RobotTrajectory::make_workspace() const {
  return std::make_unique<Scratch>(*setting_, log_, force_sensors_);
}

std::unique_ptr<Trajectory::Records> RobotTrajectory::make_records() const {
  return std::make_unique<StageRecords>(static_cast<int>(log_.timeline.stages.size()));
}

void RobotTrajectory::read_node(int k, const Path& path, Scratch& s) const {
  s.node.q = path.x.col(k).head(setting_->nq());
  s.node.v = path.x.col(k).segment(setting_->nq(), setting_->nv());
  s.node.sample = log_.timeline.nodes[k].sample;
}

StageView RobotTrajectory::view(const At& at, int k, const Path& path, Scratch& s) const {
  const DynamicsAt& model = *static_cast<const RobotAt&>(at).dynamics;
  read_inputs(*setting_->dynamics, model.eta, recording(), plan(k).sample,
              setting_->integrator->force_at * plan(k).dt, s.transition.motion.tau);
  return view_without_inputs(at, k, path, s);
}

StageView RobotTrajectory::view_without_inputs(const At& at, int k, const Path& path,
                                               Scratch& s) const {
  if (log_.standstill) {
    s.effort_std.head(setting_->nv()) =
        (setting_->noise.effort.cwiseAbs2() + log_.standstill->col(plan(k).sample).cwiseAbs2())
            .cwiseSqrt();
  }
  return {*static_cast<const RobotAt&>(at).dynamics,
          plan(k),
          mode(k),
          force_sensors_,
          s.effort_std,
          path,
          k};
}

ArrivalConstraints RobotTrajectory::arrival(const Path& path) const {
  const int nq = setting_->nq(), nv = setting_->nv(), ndx = setting_->layout.ndx();
  ArrivalConstraints out{MatrixXd(0, ndx), VectorXd(0)};
  if (!log_.on_constraints || path.u.cols() == 0) return out;
  const Mode& all = mode(0);
  if (all.num_rows() == 0) return out;
  // Where a contact stands is where it stood at first: only loops constrain the position.
  Mode loops = all;
  std::erase_if(loops.constraints, [](const MotionConstraint& c) { return c.is_contact; });
  const VectorXd q = path.x.col(0).head(nq), v = path.x.col(0).segment(nq, nv);
  const Dynamics& dynamics = *setting_->dynamics;
  const ConstraintRows position = dynamics.rows_at(loops, q, v, Level::position);
  const ConstraintRows velocity = dynamics.rows_at(all, q, v, Level::velocity);
  const Eigen::Index np = position.r.size(), n = velocity.r.size();
  out.E = MatrixXd::Zero(np + n, ndx);
  out.E.topLeftCorner(np, nv) = position.dr_dq;
  out.E.bottomLeftCorner(n, nv) = velocity.dr_dq;
  out.E.block(np, nv, n, nv) = velocity.J;
  out.e.resize(np + n);
  out.e << position.r, velocity.r;
  return out;
}

void RobotTrajectory::linearise(const At& at, int k, const Path& path, Workspace& workspace,
                                Stage& out, Records* records, SensorRows* rows) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const auto& robot_at = static_cast<const RobotAt&>(at);
  const bool is_last = k == path.u.cols();
  if (rows) {
    rows->clear();
    name_node_rows(k, path, s, *rows);
    if (!is_last) name_stage_rows(robot_at, k, path, s, *rows);
  }
  read_node(k, path, s);
  add_node_cost(k, path, s, out);
  out.nr = 0;
  if (is_last) return;
  add_timed_rows(robot_at, k, path, s, out);
  StageRecord& kept = records ? record(*records, k) : s.spare;
  s.transition.linearise(view(at, k, path, s), out, kept);
  if (setting_->noise.energy) s.energy.carry(energy_log(), k, out, kept);
  if (rows) name_inputs(*robot_at.dynamics, k, out, s.transition, *rows);
}

void RobotTrajectory::parameter_shift(const At& at, int k, const Path& path, const VectorXd& dzeta,
                                      Workspace& workspace, const Records& records,
                                      Eigen::Ref<VectorXd> out, Eigen::Ref<VectorXd> rows) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const StageRecord& kept = record(records, k);
  rows.noalias() = kept.R_zeta * dzeta.tail(setting_->num_row_columns());
  out.tail(out.size() - 2 * setting_->nv()).setZero();
  if (kept.open_window.size() > 0) {
    const StateSegment& open = *setting_->layout.find("energy_window");
    out[open.first_tangent] = kept.open_window.dot(dzeta);
  }
  s.transition.parameter_shift(view(at, k, path, s), kept, dzeta, out);
}

void RobotTrajectory::move(const At& at, int k, const Path& path,
                           const Eigen::Ref<const MatrixXd>& dx,
                           const Eigen::Ref<const MatrixXd>& dgamma, double length,
                           Workspace& workspace, const Records& records, Path& out) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const int nq = setting_->nq(), nv = setting_->nv();
  s.node.q = path.x.col(k).head(nq);
  s.dq = length * dx.col(k).head(nv);
  integrate(setting_->robot(), s.node.q, s.dq, out.x.col(k).head(nq));
  out.x.col(k).segment(nq, nv) = path.x.col(k).segment(nq, nv) + length * dx.col(k).segment(nv, nv);
  if (has_inequalities()) out.kappa.col(k) = path.kappa.col(k);
  if (k == path.u.cols()) return;
  s.transition.step.move_inputs(view_without_inputs(at, k, path, s), record(records, k), dx, dgamma,
                                length, out);
  out.gamma.col(k) = path.gamma.col(k) + length * dgamma.col(k);
  out.lagged.col(k) = path.lagged.col(k);
}

void RobotTrajectory::lag(const At& at, int k, Path& path) const {
  bayesid::lag(*setting_, *static_cast<const RobotAt&>(at).dynamics, plan(k), k, path);
}

double RobotTrajectory::update_multipliers(const At& at, int k, Workspace& workspace, bool change,
                                           Path& path) const {
  Scratch& s = static_cast<Scratch&>(workspace);
  const double gap = update_state_multipliers(*setting_, k, change, path);
  if (k == path.u.cols()) return gap;
  return std::max(gap, s.transition.update_multipliers(view(at, k, path, s), change, path));
}

std::string RobotTrajectory::location(int k) const {
  return recording().file + ", time " + std::to_string(log_.timeline.nodes[k].time) + " s";
}

}  // namespace bayesid
