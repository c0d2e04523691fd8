// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/problem.hpp"
#include "math/median_step.hpp"
#include "math/nearest_name.hpp"
#include "problem/attachment.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

/// One number for each velocity from one for all, a list or a map; a list counts joints only.
VectorXd resolve(const Robot& robot, const Config& config, const PerJoint& values,
                 const std::string& key, const VectorXd& defaults) {
  VectorXd out = defaults;
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

VectorXd constant(const Robot& robot, double value) {
  return VectorXd::Constant(robot.nv(), value);
}

/// 1 % of the root mean square of each joint's effort, or of each rotor's command.
VectorXd default_std(Eigen::Index size, const std::vector<Recording>& recordings,
                     Eigen::MatrixXd Recording::* values) {
  VectorXd sum = VectorXd::Zero(size);
  double samples = 0;
  for (const Recording& recording : recordings) {
    sum += (recording.*values).cwiseAbs2().rowwise().sum();
    samples += static_cast<double>(recording.num_samples());
  }
  return (0.01 * (sum / std::max(1.0, samples)).cwiseSqrt()).cwiseMax(1e-6);
}

/// One number for each rotor: given, or 1 % of its root mean square.
VectorXd thrust_std(const Config& config, const std::vector<Recording>& recordings) {
  const std::vector<RotorConfig>& rotors = config.model.rotors;
  const PerJoint& given = config.measurements.thrust;
  const std::string key = "measurements.thrust";
  VectorXd out =
      default_std(static_cast<Eigen::Index>(rotors.size()), recordings, &Recording::thrust);
  if (given.all) out.setConstant(*given.all);
  if (!given.list.empty() && given.list.size() != rotors.size()) {
    throw InputError(location_of(config, key) + " has " + std::to_string(given.list.size()) +
                     " numbers, expected one for each of the " + std::to_string(rotors.size()) +
                     " rotors");
  }
  std::vector<std::string> names;
  for (std::size_t r = 0; r < rotors.size(); ++r) {
    const auto row = static_cast<Eigen::Index>(r);
    names.push_back(rotors[r].name);
    if (!given.list.empty()) out[row] = given.list[r];
    const auto named = given.by_name.find(rotors[r].name);
    if (named != given.by_name.end()) out[row] = named->second;
  }
  for (const auto& [name, value] : given.by_name) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string near = nearest_name(name, names);
    throw InputError(location_of(config, key) + " names an unknown rotor " + name +
                     (near.empty() ? "" : ", did you mean " + near + "?"));
  }
  return out;
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
    out.joint_sensors[group] =
        resolve(robot, config, std, "measurements." + group, constant(robot, 0));
  out.position = resolve(robot, config, config.measurements.position, "measurements.position",
                         constant(robot, 1e-4));
  out.velocity = resolve(robot, config, config.measurements.velocity, "measurements.velocity",
                         constant(robot, 1e-2));
  if (!config.measurements.effort_exact) {
    out.effort = resolve(robot, config, config.measurements.effort, "measurements.effort",
                         default_std(robot.nv(), recordings, &Recording::effort));
  }
  const MeasurementConfig& given = config.measurements;
  const bool thrust_exact = given.thrust_exact || (given.thrust.empty() && given.effort_exact);
  if (!config.model.rotors.empty() && !thrust_exact) out.thrust = thrust_std(config, recordings);
  out.disturbance_position = resolve(robot, config, config.disturbance.position,
                                     "disturbance.position", constant(robot, 1e-6));
  out.disturbance_velocity = resolve(robot, config, config.disturbance.velocity,
                                     "disturbance.velocity", constant(robot, 1e-3));
  VectorXd position = constant(robot, 1e-2), velocity = constant(robot, 1e-1);
  if (robot.floating) widen_base(config, recordings, position, velocity);
  out.initial_position =
      resolve(robot, config, config.initial_state.position, "initial_state.position", position);
  out.initial_velocity =
      resolve(robot, config, config.initial_state.velocity, "initial_state.velocity", velocity);
  return out;
}

}  // namespace bayesid
