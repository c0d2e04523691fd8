// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/problem.hpp"
#include "math/median_step.hpp"
#include "math/nearest_name.hpp"
#include "math/text.hpp"
#include "problem/attachment.hpp"
#include "problem/make_noise.hpp"
#include "problem/noise_numbers.hpp"
#include "sensors/joint_channels.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

VectorXd constant(const Robot& robot, double value) {
  return VectorXd::Constant(robot.nv(), value);
}

/// One number for each velocity from one for all, a list or a map; a list counts joints only.
/// NaN: to be found, as are those that nobody has stated, unless that means something else.
VectorXd stated(const Robot& robot, const Config& config, const PerJoint& values,
                const std::string& key, double unstated = std::nan("")) {
  VectorXd out = VectorXd::Constant(robot.nv(), unstated);
  if (values.all) out.setConstant(*values.all);
  if (!values.list.empty()) {
    const std::size_t num_joints = robot.joints.size();
    if (values.list.size() != num_joints) {
      throw InputError(location_of(config, key) + " has " + std::to_string(values.list.size()) +
                       " numbers, expected one for each of the " + std::to_string(num_joints) +
                       " joints");
    }
    for (const Joint& joint : robot.joints)
      out[joint.idx_v] = values.list[joint.idx_v - robot.base_nv()];
  }
  for (const auto& [name, value] : values.by_name) {
    if (robot.floating && name == base_name) {
      out.head(robot.base_nv()).setConstant(value);
      continue;
    }
    const int j = robot.joint_index(name);
    if (j < 0) {
      std::vector<std::string> names;
      for (const Joint& joint : robot.joints) names.push_back(joint.name);
      if (robot.floating) names.emplace_back(base_name);
      const std::string near = nearest_name(name, names);
      throw InputError(location_of(config, key) + " names an unknown joint " + name +
                       (near.empty() ? "" : ", did you mean " + near + "?"));
    }
    out[robot.joints[j].idx_v] = value;
  }
  return out;
}

/// The same, with numbers in the place of NaN.
VectorXd resolve(const Robot& robot, const Config& config, const PerJoint& values,
                 const std::string& key, const VectorXd& defaults) {
  const VectorXd given = stated(robot, config, values, key);
  return given.array().isNaN().select(defaults, given);
}

/// Of the noise of each step; the names of those to be found are kept.
VectorXd disturbance(const Robot& robot, const Config& config, const PerJoint& values,
                     const std::string& key, double otherwise, Noise& out) {
  const VectorXd given = stated(robot, config, values, key);
  const std::vector<std::string> names = joint_channels(robot, key + ".");
  for (Eigen::Index i = 0; i < given.size(); ++i) {
    if (!std::isnan(given[i])) continue;
    out.automatic.insert(names[i].empty() ? key + "." + base_name : names[i]);
  }
  return given.array().isNaN().select(constant(robot, otherwise), given);
}

std::vector<std::string> rotor_names(const Config& config) {
  std::vector<std::string> out;
  for (const RotorConfig& rotor : config.model.rotors) out.push_back(rotor.name);
  return out;
}

/// One number for each rotor; those that nobody has stated are NaN.
VectorXd stated_thrust(const Config& config) {
  const std::vector<std::string> names = rotor_names(config);
  const PerJoint& given = config.measurements.thrust;
  const std::string key = "measurements.thrust";
  VectorXd out = VectorXd::Constant(static_cast<Eigen::Index>(names.size()), std::nan(""));
  if (given.all) out.setConstant(*given.all);
  if (!given.list.empty() && given.list.size() != names.size()) {
    throw InputError(location_of(config, key) + " has " + std::to_string(given.list.size()) +
                     " numbers, expected one for each of the " + std::to_string(names.size()) +
                     " rotors");
  }
  for (std::size_t r = 0; r < given.list.size(); ++r)
    out[static_cast<Eigen::Index>(r)] = given.list[r];
  for (const auto& [name, value] : given.by_name) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) {
      out[found - names.begin()] = value;
      continue;
    }
    const std::string near = nearest_name(name, names);
    throw InputError(location_of(config, key) + " names an unknown rotor " + name +
                     (near.empty() ? "" : ", did you mean " + near + "?"));
  }
  return out;
}

/// Of what nobody has stated, before anything is fitted: what the samples show by themselves, or
/// 1 % of their root mean square where what the model lacks is larger than that.
double first_guess(const std::vector<Recording>& recordings, const NoiseNumber& number) {
  const auto ends_with = [&](const char* what) { return number.key.ends_with(what); };
  const bool is_force = number.key == "effort" || number.key == "thrust" ||
                        number.key == "torque" || number.sensor.starts_with("wrench.");
  if (is_force) return std::max(1e-6, 0.01 * own_rms(recordings, number));
  const double own = own_noise(recordings, number);
  if (own > 0) return own;
  if (number.key == "position") return 1e-4;
  if (number.key == "velocity" || ends_with(".rate")) return 1e-2;
  return ends_with(".acceleration") ? 1e-1 : 1e-3;
}

/// Numbers in the place of NaN, whose names are kept: of so few samples that tell no noise, the
/// first guess stays.
void guess_unstated(const Robot& robot, const Config& config,
                    const std::vector<Recording>& recordings, Noise& out,
                    std::vector<std::string>& warnings) {
  constexpr int fewest = 10;
  for (const NoiseNumber& number : noise_numbers(robot, rotor_names(config), out)) {
    if (!std::isnan(*number.std)) continue;
    *number.std = first_guess(recordings, number);
    const int samples = own_samples(recordings, number);
    if (samples == 0 || samples >= fewest) {
      out.automatic.insert(number.name());
      continue;
    }
    warnings.push_back(number.name() + " was measured " + std::to_string(samples) +
                       (samples == 1 ? " time" : " times") +
                       ", too few to find its std, which is taken as " + rounded(*number.std, 3) +
                       ": state it in measurements");
  }
  // Of a floating base, which no joint sensor measures.
  const auto fill = [](double value, VectorXd& std) {
    std = std.array().isNaN().select(VectorXd::Constant(std.size(), value), std);
  };
  fill(1e-4, out.position);
  fill(1e-2, out.velocity);
  fill(1e-6, out.effort);
}

/// Of a base that poses tell, the first pose and the difference of the first two are what is known:
/// neither is better than the sensor makes them.
void widen_base(const Config& config, const std::vector<Recording>& recordings, VectorXd& position,
                VectorXd& velocity) {
  if (recordings.empty() || recordings[0].num_samples() < 2) return;
  const double per_step = std::sqrt(2.0) / median_step(recordings[0].time);
  const auto widen = [&](Eigen::Index first, double std) {
    position.segment<3>(first) = position.segment<3>(first).cwiseMax(std);
    velocity.segment<3>(first) = velocity.segment<3>(first).cwiseMax(per_step * std);
  };
  for (const auto& [name, pose] : config.measurements.poses) {
    widen(0, pose.position.value_or(0));
    widen(3, pose.orientation.value_or(0));
  }
}

/// Every frame must be one of the robot.
void check_frames(const Robot& robot, const Config& config) {
  for (const auto& [name, std] : config.measurements.poses) {
    if (find_frame(robot, name)) continue;
    const std::string near = nearest_name(name, frame_names(robot));
    throw InputError(location_of(config, "measurements.pose." + name) +
                     ": the robot has no frame " + name +
                     (near.empty() ? "" : ", did you mean " + near + "?"));
  }
}

}  // namespace

Noise make_noise(const Robot& robot, const Config& config,
                 const std::vector<Recording>& recordings) {
  std::vector<std::string> warnings;
  return make_noise(robot, config, recordings, warnings);
}

Noise make_noise(const Robot& robot, const Config& config, const std::vector<Recording>& recordings,
                 std::vector<std::string>& warnings) {
  check_frames(robot, config);
  Noise out;
  out.poses = config.measurements.poses;
  out.energy = config.measurements.energy;
  out.energy_window = config.measurements.energy_window;
  for (const auto& [name, imu] : config.measurements.imus) {
    out.imus[name] = {.frame = attached(robot, config, "measurements.imu." + name, imu.place),
                      .std = imu};
  }
  out.wrenches = config.measurements.wrenches;
  for (const auto& [group, std] : config.measurements.joint_sensors)
    out.joint_sensors[group] = stated(robot, config, std, "measurements." + group, 0);
  const MeasurementConfig& given = config.measurements;
  out.position = stated(robot, config, given.position, "measurements.position");
  out.velocity = stated(robot, config, given.velocity, "measurements.velocity");
  if (!given.effort_exact) out.effort = stated(robot, config, given.effort, "measurements.effort");
  const bool thrust_exact = given.thrust_exact || (given.thrust.empty() && given.effort_exact);
  if (!config.model.rotors.empty() && !thrust_exact) out.thrust = stated_thrust(config);
  guess_unstated(robot, config, recordings, out, warnings);
  out.disturbance_position =
      disturbance(robot, config, config.disturbance.position, "disturbance.position", 1e-6, out);
  out.disturbance_velocity =
      disturbance(robot, config, config.disturbance.velocity, "disturbance.velocity", 1e-3, out);
  VectorXd position = constant(robot, 1e-2), velocity = constant(robot, 1e-1);
  if (robot.floating) widen_base(config, recordings, position, velocity);
  out.initial_position =
      resolve(robot, config, config.initial_state.position, "initial_state.position", position);
  out.initial_velocity =
      resolve(robot, config, config.initial_state.velocity, "initial_state.velocity", velocity);
  return out;
}

}  // namespace bayesid
