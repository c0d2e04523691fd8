// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulate.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>
#include <map>
#include <random>

#include "bayesid/dynamics.hpp"
#include "bayesid/error.hpp"
#include "bayesid/integrator.hpp"
#include "bayesid/sensor.hpp"
#include "blocks/presliding.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "simulation/flight.hpp"
#include "simulation/reference.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double tracking_frequency = 5.0;  // rad/s, of the controller
constexpr double balance_frequency = 20.0;  // of one that has to keep its balance

/// One run: state, controller and what is recorded.
class Run {
 public:
  Run(const Dynamics& dynamics, const VectorXd& theta, const Noise& noise, Integrator integrator,
      const SimulationConfig& options, std::optional<unsigned> seed,
      const MotionConstraints& constraints, Projection projection, const MotionTable* motion)
      : dynamics_(dynamics),
        robot_(dynamics.robot()),
        noise_(noise),
        options_(options),
        constraints_(constraints),
        projection_(projection),
        is_noisy_(seed.has_value()),
        random_(seed.value_or(0)),
        reference_(dynamics, options, constraints, random_, motion),
        model_(dynamics.at(theta)),
        workspace_(dynamics),
        kinematics_(robot_),
        stage_(dynamics.nv(), dynamics.nzeta(), num_rows(), dynamics.num_rotors()),
        link_(dynamics.nv(), dynamics.nzeta()),
        dt_(1.0 / options.rate),
        rule_(rule_of(integrator)),
        presliding_(VectorXd::Zero(dynamics.num_presliding())),
        sensors_{robot_, dynamics.parameters(), noise},
        draw_([this](const VectorXd& std) { return draw(std); }) {}

  Simulation run();

 private:
  int num_rows() const {
    int out = 0;
    for (const MotionConstraint& c : constraints_.loops) out += c.num_rows();
    for (const MotionConstraint& c : constraints_.contacts) out += c.num_rows();
    return out;
  }
  VectorXd draw(const VectorXd& std) {
    if (!is_noisy_) return VectorXd::Zero(std.size());
    return VectorXd::NullaryExpr(std.size(),
                                 [&](Eigen::Index i) { return std[i] * normal_(random_); });
  }
  Mode mode_of(const std::vector<bool>& closed) const;
  void start();
  void touch_down(const std::vector<bool>& before, const std::vector<bool>& now);
  VectorXd reference_velocity(const ReferencePoint& desired) const;
  VectorXd reference_acceleration(const ReferencePoint& desired) const;
  /// On rotors alone: nothing holds the base.
  bool flies() const { return robot_.floating && dynamics_.num_rotors() > 0 && num_rows() == 0; }
  VectorXd control(double time, const Mode& mode);
  VectorXd projected(const VectorXd& w);
  /// Samples of a sensor with times of its own.
  struct Samples {
    std::vector<double> time;
    std::vector<VectorXd> values;
    Series series() const;
  };
  bool is_timed(const std::string& group) const;
  int stride(const std::string& group) const;
  double delay(const std::string& group) const;
  Instant instant();
  void sample(const SensorKind& kind, int k, double time, const Instant& at);
  void measure_step(int k, const VectorXd& q, const VectorXd& v);
  void measure_forces(int k, double time, const Mode& mode, const VectorXd& effort);
  void measure(int k, Simulation& out);
  VectorXd inputs(const VectorXd& effort) const;
  void slide(const VectorXd& q_before);
  void solve(int k, const Mode& mode, const VectorXd& effort);
  void advance(const VectorXd& kick);
  void step(int k, const Mode& mode, const VectorXd& effort, Simulation& out);

  const Dynamics& dynamics_;
  const Robot& robot_;
  const Noise& noise_;
  const SimulationConfig& options_;
  const MotionConstraints& constraints_;
  Projection projection_;
  bool is_noisy_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  Reference reference_;
  std::shared_ptr<const DynamicsAt> model_;
  Dynamics::Workspace workspace_;
  Kinematics kinematics_;
  StageDynamics stage_;
  LinkEffort link_;
  double dt_;
  const IntegratorRule& rule_;
  VectorXd q_, v_, acting_q_, acting_v_;  // the last two: where forces act
  VectorXd presliding_;                   // z of each presliding drive
  SensorSetting sensors_;
  Draw draw_;
  std::map<std::string, Samples> samples_;  // by group
};

Series Run::Samples::series() const {
  const auto count = static_cast<Eigen::Index>(time.size());
  Series out{.time = Eigen::Map<const VectorXd>(time.data(), count),
             .values = MatrixXd(values.empty() ? 0 : values[0].size(), count)};
  for (Eigen::Index k = 0; k < count; ++k) out.values.col(k) = values[static_cast<size_t>(k)];
  return out;
}

bool Run::is_timed(const std::string& group) const {
  return options_.rates.contains(group) ||
         dynamics_.parameters().layout().sensor_index("delay." + group) >= 0;
}

/// Steps between two samples.
int Run::stride(const std::string& group) const {
  const auto rate = options_.rates.find(group);
  return rate == options_.rates.end()
             ? 1
             : std::max(1, static_cast<int>(std::lround(options_.rate / rate->second)));
}

double Run::delay(const std::string& group) const {
  const int index = dynamics_.parameters().layout().sensor_index("delay." + group);
  return index < 0 ? 0 : model_->eta.sensor[index];
}

Mode Run::mode_of(const std::vector<bool>& closed) const {
  Mode out{constraints_.loops};
  for (size_t i = 0; i < closed.size(); ++i) {
    if (closed[i]) out.constraints.push_back(constraints_.contacts[i]);
  }
  return out;
}

/// On the reference, loops closed, and at a velocity that the constraints allow.
void Run::start() {
  const ReferencePoint desired = reference_.at(0.0);
  if (reference_.motion()) {
    q_ = close_loops(dynamics_, {constraints_.loops}, desired.configuration,
                     VectorXd::Zero(robot_.nv()));
    v_ = desired.v;
    return;
  }
  if (flies()) {
    start_flight(dynamics_, *model_, desired, workspace_, stage_, q_, v_);
    return;
  }
  // To the start of the motion in small steps, so that loops keep to the branch of the posture.
  constexpr int num_steps = 50;
  const Mode loops{constraints_.loops};
  q_ = close_loops(dynamics_, loops, make_configuration(robot_, reference_.posture()),
                   VectorXd::Zero(robot_.nv()));
  const int count = loops.num_rows() > 0 ? num_steps : 1;
  for (int i = 1; i <= count; ++i) {
    const VectorXd now = joint_angles(robot_, q_);
    VectorXd numbers = now;
    for (int j = 0; j < robot_.nv(); ++j) {
      const double goal =
          reference_.posture()[j] + (desired.q[j] - reference_.posture()[j]) * i / count;
      if (desired.weight[j] > 0) numbers[j] = goal;
    }
    q_ = close_loops(dynamics_, loops, make_configuration(robot_, numbers), desired.weight);
  }
  v_ = reference_velocity(desired).cwiseProduct(desired.weight);
  // On its feet it starts at rest; in flight, where no motor turns the base, that would only fall.
  if (robot_.floating && !constraints_.contacts.empty()) v_.setZero();
  const Mode mode = mode_of(reference_.closed(0.0));
  if (mode.num_rows() == 0) return;
  const ConstraintRows rows = dynamics_.rows_at(mode, q_, v_, Level::velocity);
  const MatrixXd free =
      rows.J * (VectorXd::Ones(robot_.nv()) - (1 - 1e-6) * desired.weight).asDiagonal();
  v_ -= (VectorXd::Ones(robot_.nv()) - (1 - 1e-6) * desired.weight)
            .cwiseProduct(free.completeOrthogonalDecomposition().solve(rows.r));
  const ConstraintRows left = dynamics_.rows_at(mode, q_, v_, Level::velocity);
  v_ -= left.J.completeOrthogonalDecomposition().solve(left.r);
}

void Run::touch_down(const std::vector<bool>& before, const std::vector<bool>& now) {
  bool closes = false;
  for (size_t i = 0; i < now.size(); ++i) closes |= now[i] && !before[i];
  if (!closes) return;
  dynamics_.solve_impact(*model_, mode_of(now), q_, v_, workspace_, stage_);
  v_ += stage_.a;
}

/// The reference's numbers are small turns of the world's axes; the base's velocity is in its own.
VectorXd Run::reference_velocity(const ReferencePoint& desired) const {
  VectorXd out = desired.v;
  if (!robot_.floating || reference_.motion()) return out;
  const Eigen::Matrix3d R =
      Eigen::Quaterniond(q_[6], q_[3], q_[4], q_[5]).toRotationMatrix().transpose();
  out.head<3>() = R * desired.v.head<3>();
  out.segment<3>(3) = R * desired.v.segment<3>(3);
  return out;
}

VectorXd Run::reference_acceleration(const ReferencePoint& desired) const {
  const double frequency = robot_.floating ? balance_frequency : tracking_frequency;
  VectorXd error(robot_.nv());
  const bool is_given = desired.configuration.size() > 0;
  difference(robot_, q_, is_given ? desired.configuration : make_configuration(robot_, desired.q),
             error);
  return desired.a + frequency * (2 * (reference_velocity(desired) - v_) + frequency * error);
}

/// Efforts that bring the robot as near to its reference as motors can: with a free of motor
/// forces, Z y of it is to be added, and Zᵀ gain τ = y since Zᵀ M Z = 1.
VectorXd Run::control(double time, const Mode& mode) {
  const ReferencePoint desired = reference_.at(time);
  const int nv = robot_.nv();
  VectorXd known = VectorXd::Zero(dynamics_.num_efforts());
  known.head(desired.effort.size()) = desired.effort;
  dynamics_.solve(*model_, mode, q_, v_, inputs(known), workspace_, stage_);
  if (flies()) return flight_efforts(dynamics_, *model_, desired, q_, v_, stage_);
  const MatrixXd Z = stage_.kkt->Z();
  if (Z.cols() == 0) return known;
  const VectorXd missing = desired.weight.cwiseProduct(reference_acceleration(desired) - stage_.a);
  const MatrixXd weighted = desired.weight.asDiagonal() * Z;
  const VectorXd y = weighted.completeOrthogonalDecomposition().solve(missing);
  VectorXd effort =
      known + motor_efforts(*stage_.kkt, model_->eta.gain, stage_.balance.rotor_force, y);
  for (int i = 0; i < nv; ++i) {
    if (model_->eta.gain[i] == 0) effort[i] = 0;
  }
  return effort;
}

/// P w at the stage solved last.
VectorXd Run::projected(const VectorXd& w) {
  const Eigen::Index num_rows = stage_.kkt->pseudo_inverse().cols();
  if (projection_ == Projection::none || num_rows == 0) return w;
  if (projection_ == Projection::dynamic) {
    const MatrixXd Z = stage_.kkt->Z();
    return Z * (Z.transpose() * (stage_.balance.mass * w));
  }
  const MatrixXd J = stage_.rows.J.topRows(num_rows);
  return w - J.completeOrthogonalDecomposition().solve(J * w);
}

Instant Run::instant() {
  return {.q = q_, .v = v_, .parameters = model_->eta.sensor, .kinematics = &kinematics_};
}

/// Every sensor of a kind with a clock of its own, where it ticks.
void Run::sample(const SensorKind& kind, int k, double time, const Instant& at) {
  for (const std::string& group : kind.groups(noise_)) {
    if (k % stride(group) != 0) continue;
    samples_[group].time.push_back(time + delay(group));
    samples_[group].values.push_back(kind.simulate(sensors_, group, at, draw_));
  }
}

void Run::measure(int k, Simulation& out) {
  out.configuration.col(k) = q_;
  out.position.col(k) = joint_angles(robot_, q_);
  out.velocity.col(k) = v_;
  const Instant at = instant();
  for (const SensorKind* kind : sensor_kinds()) {
    if (kind->sampled_at() != SampledAt::states) continue;
    for (const std::string& group : kind->groups(noise_)) {
      const auto seen = [&] { return kind->simulate(sensors_, group, at, draw_); };
      if (group == "position") {
        out.measured.position.col(k) = seen();
      } else if (group == "velocity") {
        out.measured.velocity.col(k) = seen();
      } else if (!is_timed(group)) {
        out.measured.poses.at(group.substr(kind->prefix().size())).col(k) = seen();
      } else if (k % stride(group) == 0) {
        samples_[group].time.push_back(out.measured.time[k] + delay(group));
        samples_[group].values.push_back(seen());
      }
    }
  }
}

/// Readings of sensors with a clock of their own in the middle of the step that ended in the
/// present state.
void Run::measure_step(int k, const VectorXd& q, const VectorXd& v) {
  const VectorXd a = (v_ - v) / dt_, step = 0.5 * dt_ * v + rule_.part(0.5 * dt_, dt_).c * a;
  Instant at = instant();
  integrate(robot_, q, step, at.q);
  at.v = v + 0.5 * dt_ * a;
  at.a = a;
  for (const SensorKind* kind : sensor_kinds()) {
    if (kind->sampled_at() == SampledAt::own_times) sample(*kind, k, (k + 0.5) * dt_, at);
  }
}

/// Readings of force sensors at the start of the step that was solved last.
void Run::measure_forces(int k, double time, const Mode& mode, const VectorXd& effort) {
  Instant at = instant();
  at.q = acting_q_;
  at.v = acting_v_;
  at.a = stage_.a;
  at.tau = effort;
  at.lambda = stage_.lambda;
  at.mode = &mode;
  dynamics_.link_effort(*model_, acting_v_, stage_.a, inputs(effort), nullptr, Order::value,
                        workspace_, link_);
  at.link = &link_;
  for (const SensorKind* kind : sensor_kinds()) {
    if (kind->sampled_at() == SampledAt::stage_starts) sample(*kind, k, time, at);
  }
}

/// Efforts, and where the springs of presliding frictions stand.
VectorXd Run::inputs(const VectorXd& effort) const {
  VectorXd out = VectorXd::Zero(dynamics_.num_inputs());
  out.head(effort.size() + presliding_.size()) << effort, presliding_;
  return out;
}

void Run::slide(const VectorXd& q_before) {
  const ParameterSet& parameters = dynamics_.parameters();
  if (presliding_.size() == 0) return;
  VectorXd way(robot_.nv());
  difference(robot_, q_before, q_, way);
  for (Eigen::Index p = 0; p < presliding_.size(); ++p) {
    const Presliding& one = parameters.presliding()[p];
    presliding_[p] =
        presliding_step(presliding_[p], parameters.drives()[one.drive].row.dot(way), one.distance);
  }
}

/// With rules that lag, forces act where a part of the substep leads, with the acceleration they
/// make: found by repetition, friction following its slope, with shorter steps where it circles.
void Run::solve(int k, const Mode& mode, const VectorXd& effort) {
  constexpr int most = 200;
  const VectorXd forces = inputs(effort);
  acting_q_ = q_;
  dynamics_.solve(*model_, mode, q_, v_, forces, workspace_, stage_);
  acting_v_ = v_;
  const double half = rule_.force_at * dt_ / options_.substeps;
  VectorXd a = stage_.a;
  StepInertia step{VectorXd(std::ssize(dynamics_.parameters().drives())), a};
  double share = 1, change = std::numeric_limits<double>::infinity();
  for (int i = 0; rule_.lags() && i < most && change > 1e-13 * (1 + a.norm()); ++i) {
    const VectorXd way = half * v_ + 0.5 * half * half * a;
    integrate(robot_, q_, way, acting_q_);
    step.a = a;
    dynamics_.friction_slopes(*model_, v_ + half * a, step.inertia);
    step.inertia *= half;
    acting_v_ = v_ + half * a;
    dynamics_.solve(*model_, mode, acting_q_, acting_v_, forces, workspace_, stage_, &step);
    const double before = change;
    change = (stage_.a - a).norm();
    if (change > 0.5 * before) share = std::max(0.5 * share, 0.05);
    a += share * (stage_.a - a);
  }
  if (stage_.a.allFinite() && stage_.a.norm() < 1e7) return;
  throw InputError("the simulation diverges at " + std::to_string(k * dt_) +
                   " s: choose slower or smaller motions");
}

/// One of the substeps of a step, with the acceleration solved last and a kick at its end.
void Run::advance(const VectorXd& kick) {
  const double share = 1.0 / options_.substeps;
  const VectorXd dq = share * dt_ * v_ + share * share * rule_.step(dt_).c * stage_.a;
  VectorXd next(q_.size());
  integrate(robot_, q_, dq, next);
  q_ = next;
  v_ += share * dt_ * stage_.a + kick;
}

void Run::step(int k, const Mode& mode, const VectorXd& effort, Simulation& out) {
  solve(k, mode, effort);
  measure_forces(k, out.measured.time[k], mode, effort);
  out.acceleration.col(k) = stage_.a;
  out.effort.col(k) = effort.head(robot_.nv());
  out.thrust.col(k) = effort.tail(dynamics_.num_rotors());
  const VectorXd q_before = q_, v_before = v_;
  for (int i = 1; i < options_.substeps; ++i) {
    advance(VectorXd::Zero(robot_.nv()));
    solve(k, mode, effort);
  }
  const VectorXd shift = projected(draw(noise_.disturbance_position));
  advance(projected(draw(noise_.disturbance_velocity)));
  VectorXd moved(q_.size());
  integrate(robot_, q_, shift, moved);
  q_ = moved;
  slide(q_before);
  measure_step(k, q_before, v_before);
}

Simulation Run::run() {
  const int nv = robot_.nv();
  const int samples = static_cast<int>(std::lround(options_.duration * options_.rate)) + 1;
  Simulation out;
  out.configuration = MatrixXd::Zero(robot_.nq(), samples);
  out.position = out.velocity = MatrixXd::Zero(nv, samples);
  out.acceleration = out.effort = MatrixXd::Zero(nv, samples - 1);
  out.thrust = MatrixXd::Zero(dynamics_.num_rotors(), samples - 1);
  out.closed = MatrixXd::Zero(static_cast<Eigen::Index>(constraints_.contacts.size()), samples);
  out.measured.file = "simulation";
  out.measured.time = VectorXd::LinSpaced(samples, 0.0, dt_ * (samples - 1));
  out.measured.position = out.measured.velocity = out.measured.effort = MatrixXd::Zero(nv, samples);
  out.measured.thrust = MatrixXd::Zero(dynamics_.num_rotors(), samples);
  for (const auto& [name, std] : noise_.poses)
    out.measured.poses[name] = MatrixXd::Zero(7, samples);
  start();
  const Mode loops{constraints_.loops};
  std::vector<bool> before = reference_.closed(0.0);
  for (int k = 0; k < samples; ++k) {
    const double time = k * dt_;
    // Half a step of tolerance: a touchdown belongs to one sample whatever the round-off.
    const std::vector<bool> closed = reference_.closed(time + 1e-6 * dt_);
    touch_down(before, closed);
    before = closed;
    for (size_t i = 0; i < closed.size(); ++i)
      out.closed(static_cast<Eigen::Index>(i), k) = closed[i] ? 1 : 0;
    measure(k, out);
    const Mode mode = mode_of(closed);
    if (loops.num_rows() > 0) {
      const VectorXd error = dynamics_.rows_at(loops, q_, v_, Level::position).r;
      out.drift = std::max(out.drift, error.lpNorm<Eigen::Infinity>());
    }
    const VectorXd effort = control(time, mode);
    out.measured.effort.col(k) = effort.head(nv);
    out.measured.thrust.col(k) = effort.tail(dynamics_.num_rotors());
    if (noise_.thrust.size() > 0) out.measured.thrust.col(k) -= draw(noise_.thrust);
    if (noise_.effort.size() > 0) out.measured.effort.col(k) -= draw(noise_.effort);
    for (int i = 0; i < nv; ++i) {
      if (model_->eta.gain[i] == 0) out.measured.effort(i, k) = 0;
    }
    if (k + 1 < samples) step(k, mode, effort, out);
  }
  for (const auto& [group, taken] : samples_) {
    out.measured.series[group] = taken.series();
    if (group.starts_with("pose.")) {
      out.measured.poses[group.substr(5)] =
          nearest_samples(out.measured.series[group], out.measured.time);
    }
  }
  // The same schedule as phases, one for each stretch of a contact.
  for (size_t i = 0; i < constraints_.contacts.size(); ++i) {
    const auto row = out.closed.row(static_cast<Eigen::Index>(i));
    for (int k = 0; k < samples; ++k) {
      if (row[k] == 0 || (k > 0 && row[k - 1] == 1)) continue;
      int end = k;
      while (end < samples && row[end] == 1) ++end;
      const double to = end < samples ? out.measured.time[end] : out.measured.time[end - 1] + dt_;
      out.measured.phases.push_back({out.measured.time[k], to, {constraints_.contacts[i].name}});
    }
  }
  return out;
}

}  // namespace

Simulation simulate(const Dynamics& dynamics, const VectorXd& theta, const Noise& noise,
                    Integrator integrator, const SimulationConfig& options,
                    std::optional<unsigned> seed, const MotionConstraints& constraints,
                    Projection projection, const MotionTable* motion) {
  return Run(dynamics, theta, noise, integrator, options, seed, constraints, projection, motion)
      .run();
}

}  // namespace bayesid
