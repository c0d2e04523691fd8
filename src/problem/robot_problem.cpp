// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem.hpp"

#include <algorithm>
#include <limits>

#include "blocks/presliding.hpp"
#include "problem/inputs.hpp"
#include "problem/robot_trajectory.hpp"

namespace bayesid {

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

/// With what a recording does not have: deflections of springs, rates of efforts.
std::shared_ptr<const std::vector<Recording>> complete(const Dynamics& dynamics,
                                                       std::vector<Recording> recordings) {
  for (Recording& recording : recordings) {
    if (recording.presliding.cols() == 0 && dynamics.num_presliding() > 0)
      recording.presliding = presliding_of(dynamics, recording);
    if (recording.effort_rate.cols() == 0 && dynamics.has_effort_delay())
      recording.effort_rate = effort_rates(recording);
  }
  return std::make_shared<const std::vector<Recording>>(std::move(recordings));
}

/// The samples of a group in a recording; null: it was not measured there.
const MatrixXd* find_samples(const Recording& recording, const std::string& group) {
  if (group == "position") return &recording.position;
  if (group == "velocity") return &recording.velocity;
  if (!group.starts_with("pose.")) return nullptr;
  const auto found = recording.poses.find(group.substr(5));
  return found == recording.poses.end() ? nullptr : &found->second;
}

const Series* find_series(const Recording& recording, const std::string& group) {
  const auto found = recording.series.find(group);
  return found == recording.series.end() ? nullptr : &found->second;
}

/// One sensor along one recording.
class TrackMaker {
 public:
  TrackMaker(const Dynamics& dynamics, const Noise& noise)
      : dynamics_(dynamics), setting_{dynamics.robot(), dynamics.parameters(), noise} {}

  SensorTrack make(const SensorKind& kind, const std::string& group, const Recording& recording,
                   const Timeline& timeline) const {
    const Series* series = find_series(recording, group);
    const MatrixXd* samples = find_samples(recording, group);
    const auto num_rows = static_cast<Eigen::Index>(kind.channels(setting_.robot, group).size());
    const bool has_clock = series || kind.sampled_at() != SampledAt::states;
    SensorTrack out;
    out.sensor =
        kind.make(setting_, group,
                  series    ? series->values
                  : samples ? *samples
                            : MatrixXd::Constant(num_rows, has_clock ? 0 : recording.num_samples(),
                                                 std::numeric_limits<double>::quiet_NaN()));
    if (series) out.time = series->time;
    out.sampled_at = kind.sampled_at();
    if (out.sampled_at == SampledAt::stage_starts) {
      out.samples = samples_at_starts(timeline, out.time);
      return out;
    }
    if (series || out.sensor->reads() == Reads::acceleration) out.sampled_at = SampledAt::own_times;
    set_delay("delay." + group, out);
    return out;
  }

 private:
  void set_delay(const std::string& name, SensorTrack& out) const {
    constexpr double margin = 3;  // standard deviations
    out.delay = dynamics_.parameters().layout().sensor_index(name);
    for (const Parameter& parameter : dynamics_.parameters().all()) {
      if (parameter.name != name) continue;
      out.first_delay = parameter.prior;
      out.margin = parameter.fixed ? 0 : margin * parameter.std;
    }
  }

  const Dynamics& dynamics_;
  SensorSetting setting_;
};

/// Where the first sample puts the arrival prior, and what replaces it.
void set_arrival(const Robot& robot, const std::map<std::string, double>& given, RobotLog& out) {
  const MotionGuess guess = guess_motion(robot, *out.recording);
  VectorXd angles = guess.position.col(0);
  out.v_mean = guess.velocity.col(0);
  for (const Joint& joint : robot.joints) {
    const auto q = given.find("q." + joint.name), v = given.find("v." + joint.name);
    if (q != given.end()) angles[joint.idx_v] = q->second;
    if (v != given.end()) out.v_mean[joint.idx_v] = v->second;
  }
  out.q_mean = make_configuration(robot, angles);
}

/// Where the parameters of sensors stand among the columns of ζ; other columns occur in rows of
/// stages that read energy or forces.
void place_sensor_columns(const Dynamics& dynamics, bool reads_forces, StageSetting& out) {
  const PhysicalLayout& layout = dynamics.parameters().layout();
  const std::vector<int>& entries = dynamics.coordinates().entries;
  out.sensor_columns.assign(layout.num_sensors, -1);
  out.first_row_column = dynamics.nzeta();
  for (int i = dynamics.nzeta() - 1; i >= 0 && entries[i] >= layout.sensor(0); --i) {
    out.sensor_columns[entries[i] - layout.sensor(0)] = i;
    out.first_row_column = i;
  }
  if (out.noise.energy || reads_forces) out.first_row_column = 0;
}

/// A sensor that some recording has.
struct ListedSensor {
  const SensorKind* kind;
  std::string group;
};

std::vector<ListedSensor> list_sensors(const Noise& noise,
                                       const std::vector<Recording>& recordings) {
  std::vector<ListedSensor> out;
  for (const SensorKind* kind : sensor_kinds()) {
    for (const std::string& group : kind->groups(noise)) {
      const bool is_measured = std::ranges::any_of(recordings, [&](const Recording& recording) {
        return find_samples(recording, group) || find_series(recording, group);
      });
      if (is_measured) out.push_back({kind, group});
    }
  }
  return out;
}

}  // namespace

struct RobotProblem::Parts {
  std::shared_ptr<const Dynamics> dynamics;
  std::shared_ptr<const std::vector<Recording>> recordings;
  std::shared_ptr<const StageSetting> setting;
  std::vector<std::shared_ptr<const Trajectory>> trajectories;
};

RobotProblem::Parts RobotProblem::make_parts(
    std::shared_ptr<const Dynamics> dynamics,
    std::shared_ptr<const std::vector<Recording>> recordings, const Noise& noise,
    Integrator integrator, const ProblemOptions& options) {
  const std::vector<ListedSensor> listed = list_sensors(noise, *recordings);
  const auto reads_link = [](const ListedSensor& one) {
    return one.kind->reads() == Reads::link_efforts;
  };
  if (std::ranges::any_of(listed, reads_link) && !dynamics->shows_link_efforts()) {
    dynamics = std::make_shared<const Dynamics>(dynamics->robot(), dynamics->parameters(), true);
  }
  const Robot& robot = dynamics->robot();
  StateLayout layout(robot);
  if (noise.energy && noise.energy_window > 1) layout.add("energy_window", 0, 1);
  auto setting = std::make_shared<StageSetting>(
      StageSetting{.dynamics = dynamics,
                   .noise = noise,
                   .effort_std = effort_std(*dynamics, noise),
                   .integrator = &rule_of(integrator),
                   .projection = options.projection,
                   .formulation = options.formulation,
                   .limits = options.limits,
                   .layout = std::move(layout),
                   .position_scale = noise.disturbance_position.mean(),
                   .velocity_scale = noise.disturbance_velocity.mean()});
  Parts out{.dynamics = dynamics,
            .recordings = std::move(recordings),
            .setting = setting,
            .trajectories = {}};
  const TrackMaker tracks(*dynamics, setting->noise);
  const bool sensor_reads_forces = std::ranges::any_of(listed, [](const ListedSensor& one) {
    return one.kind->sampled_at() == SampledAt::stage_starts;
  });
  place_sensor_columns(*dynamics, sensor_reads_forces || options.limits.read_forces(), *setting);
  std::vector<RobotLog> logs;
  for (const Recording& recording : *out.recordings) {
    RobotLog& log = logs.emplace_back();
    log.recording = &recording;
    if (setting->noise.standstill && setting->noise.effort.size() > 0)
      log.standstill = &setting->noise.standstill->at(logs.size() - 1);
    log.on_constraints = options.on_constraints;
    log.timeline = make_timeline(recording, options.constraints);
    if (noise.energy) log.windows = make_energy_windows(log.timeline, noise.energy_window);
    set_arrival(robot, options.initial_mean, log);
    int num_force_rows = 0;
    for (const ListedSensor& one : listed) {
      SensorTrack track = tracks.make(*one.kind, one.group, recording, log.timeline);
      const bool of_forces = track.sampled_at == SampledAt::stage_starts;
      if (of_forces) num_force_rows += track.sensor->max_rows();
      (of_forces ? log.of_forces : log.tracks).push_back(std::move(track));
    }
    setting->max_timed_rows =
        std::max(setting->max_timed_rows, max_timed_rows(log.tracks, log.timeline));
    setting->max_rows = std::max(setting->max_rows, log.timeline.max_rows());
    setting->max_slips = std::max(setting->max_slips, log.timeline.max_slips());
    setting->max_force_numbers = num_force_rows +
                                 3 * static_cast<int>(options.limits.contacts.size()) +
                                 static_cast<int>(options.limits.effort.size());
  }
  for (RobotLog& log : logs) {
    out.trajectories.push_back(
        std::make_shared<const RobotTrajectory>(setting, out.recordings, std::move(log)));
  }
  return out;
}

RobotProblem::RobotProblem(Parts parts, Integrator integrator, ProblemOptions options)
    : Problem(std::make_shared<const RobotSpace>(parts.dynamics), std::move(parts.trajectories)),
      dynamics_(std::move(parts.dynamics)),
      recordings_(std::move(parts.recordings)),
      setting_(std::move(parts.setting)),
      integrator_(integrator),
      options_(std::move(options)) {}

RobotProblem::RobotProblem(std::shared_ptr<const Dynamics> dynamics,
                           std::vector<Recording> recordings, const Noise& noise,
                           Integrator integrator, const ProblemOptions& options)
    : RobotProblem(
          [&] {
            auto all = complete(*dynamics, std::move(recordings));
            return make_parts(std::move(dynamics), std::move(all), noise, integrator, options);
          }(),
          integrator, options) {}

RobotProblem RobotProblem::with_noise(const Noise& noise) const {
  return {make_parts(dynamics_, recordings_, noise, integrator_, options_), integrator_, options_};
}

const Noise& RobotProblem::noise() const {
  return setting_->noise;
}

const RobotTrajectory& RobotProblem::robot_trajectory(int t) const {
  return static_cast<const RobotTrajectory&>(trajectory(t));
}

const Timeline& RobotProblem::timeline(int t) const {
  return robot_trajectory(t).timeline();
}

int RobotProblem::num_energy_rows(int t) const {
  return static_cast<int>(
      std::ranges::count_if(robot_trajectory(t).log().windows, &EnergyWindow::ends));
}

PathDetails RobotProblem::details(const VectorXd& theta, int t, const Path& path) const {
  return robot_trajectory(t).details(*trajectory(t).at(space().at(theta)), path);
}

ChannelName RobotProblem::channel_name(const RowName& row) const {
  return robot_trajectory(0).channel_name(row);
}

}  // namespace bayesid
