// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bayesid/error.hpp"
#include "math/median_step.hpp"
#include "math/nearest_name.hpp"
#include "math/text.hpp"
#include "problem/pose_channels.hpp"
#include "robot/angle_unit.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// A pause longer than this many median steps splits the log.
constexpr double gap_factor = 5.0;

/// Joints the log speaks of, from q.<joint>, v.<joint>, tau.<joint>.
std::set<std::string> joints_in_log(const Log& log) {
  std::set<std::string> out;
  for (const auto& [name, values] : log.channels) {
    for (const std::string prefix : {"q.", "v.", "tau."}) {
      if (name.rfind(prefix, 0) == 0) out.insert(name.substr(prefix.size()));
    }
  }
  return out;
}

bool is_actuated(const ModelConfig& model, const std::string& joint) {
  return model.actuated.all || std::find(model.actuated.names.begin(), model.actuated.names.end(),
                                         joint) != model.actuated.names.end();
}

/// The log and the robot must speak of the same joints.
void check_names(const Robot& robot, const Log& log, const ModelConfig& model) {
  const std::set<std::string> in_log = joints_in_log(log);
  std::vector<std::string> in_model, missing, unknown;
  for (const Joint& joint : robot.joints) in_model.push_back(joint.name);
  for (const std::string& joint : in_model) {
    if (!in_log.count(joint)) missing.push_back(joint);
  }
  for (const std::string& joint : in_log) {
    const bool moves =
        std::any_of(robot.coordinates.begin(), robot.coordinates.end(),
                    [&](const Coordinate& coordinate) { return coordinate.name == joint; });
    if (!moves && !model.lock.count(joint)) unknown.push_back(joint);
  }
  if (missing.empty() && unknown.empty()) return;
  std::string message = log.file + ": joints of the log and of the model differ";
  if (!unknown.empty()) message += "; only in the log: " + join(unknown);
  if (!missing.empty()) message += "; only in the model: " + join(missing);
  for (const std::string& joint : unknown) {
    const std::string near = nearest_name(joint, missing.empty() ? in_model : missing);
    if (!near.empty()) message += "; did you mean " + near + " instead of " + joint + "?";
  }
  if (unknown.empty()) message += "; add the channels, or freeze the joints with model.lock";
  throw InputError(message);
}

const std::vector<double>* channel(const Log& log, const std::string& name) {
  const auto found = log.channels.find(name);
  return found == log.channels.end() ? nullptr : &found->second;
}

void check_units(const Robot& robot, const Log& log) {
  for (const Joint& joint : robot.joints) {
    const std::vector<double>* values = channel(log, "q." + joint.name);
    if (!values) continue;
    double largest = 0;
    for (const double value : *values) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    if (!is_in_degrees(joint, largest)) continue;
    throw InputError(log.file + ": q." + joint.name + " reaches " + rounded(largest, 6) +
                     ", which looks like degrees; expected radians: map it with logs[].columns and "
                     "scale 0.0174532925");
  }
}

void require_channels(const Robot& robot, const Log& log, const ModelConfig& model) {
  for (const Joint& joint : robot.joints) {
    if (!channel(log, "q." + joint.name)) {
      throw InputError(log.file + ": no channel q." + joint.name +
                       "; every joint needs its position");
    }
    if (is_actuated(model, joint.name) && !channel(log, "tau." + joint.name)) {
      throw InputError(log.file + ": no channel tau." + joint.name +
                       "; every actuated joint needs its effort (or list " +
                       "the actuated joints in model.actuation.joints)");
    }
  }
}

/// Every rotor needs its command; commands of unknown rotors are left aside.
void check_rotors(const Log& log, const std::vector<RotorConfig>& rotors,
                  std::vector<std::string>& warnings) {
  std::vector<std::string> in_log;
  for (const auto& [name, values] : log.channels) {
    if (!name.starts_with("thrust.")) continue;
    in_log.push_back(name);
    const bool is_known = std::ranges::any_of(
        rotors, [&](const RotorConfig& rotor) { return "thrust." + rotor.name == name; });
    if (!is_known)
      warnings.push_back(log.file + ": " + name + " is not used: model.actuation.rotors has no " +
                         name.substr(7));
  }
  for (const RotorConfig& rotor : rotors) {
    const std::string name = "thrust." + rotor.name;
    if (channel(log, name)) continue;
    const std::string near = nearest_name(name, in_log);
    throw InputError(log.file + ": no channel " + name + "; every rotor needs its command" +
                     (near.empty() ? "" : ", did you mean " + near + "?"));
  }
}

/// Commands of the rotors; each holds until the next one is measured.
MatrixXd gather_thrust(const Log& log, const std::vector<RotorConfig>& rotors) {
  const auto samples = static_cast<Eigen::Index>(log.time.size());
  MatrixXd out(static_cast<Eigen::Index>(rotors.size()), samples);
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    const std::vector<double>& values = *channel(log, "thrust." + rotors[r].name);
    out.row(r) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), samples);
    for (Eigen::Index k = 1; k < samples; ++k) {
      if (std::isnan(out(r, k))) out(r, k) = out(r, k - 1);
    }
  }
  return out;
}

/// A matrix of one kind of channel, NaN where there is none.
MatrixXd gather(const Robot& robot, const Log& log, const std::string& prefix) {
  const auto samples = static_cast<Eigen::Index>(log.time.size());
  MatrixXd out = MatrixXd::Constant(robot.nv(), samples, std::numeric_limits<double>::quiet_NaN());
  for (const Joint& joint : robot.joints) {
    if (const std::vector<double>* values = channel(log, prefix + joint.name)) {
      out.row(joint.idx_v) = Eigen::Map<const Eigen::RowVectorXd>(values->data(), samples);
    }
  }
  return out;
}

/// Efforts hold until the next one is measured.
void hold_efforts(const Robot& robot, const ModelConfig& model, MatrixXd& effort) {
  effort.topRows(robot.base_nv()).setZero();
  for (const Joint& joint : robot.joints) {
    const int j = joint.idx_v;
    if (!is_actuated(model, joint.name)) {
      effort.row(j).setZero();
      continue;
    }
    for (Eigen::Index k = 1; k < effort.cols(); ++k) {
      if (std::isnan(effort(j, k))) effort(j, k) = effort(j, k - 1);
    }
  }
}

/// All channels of a log as matrices.
struct Channels {
  MatrixXd position, velocity, effort, thrust;
  std::map<std::string, MatrixXd> poses;
  MatrixXd base;  // measured_base of the poses

  /// A trajectory begins where every position and effort, and the base, has been measured once.
  bool can_begin(Eigen::Index k, Eigen::Index num_joints) const {
    return position.col(k).tail(num_joints).allFinite() && effort.col(k).allFinite() &&
           thrust.col(k).allFinite() && (base.cols() == 0 || base.col(k).allFinite());
  }

  Recording segment(const GriddedLog& gridded, const Config& config, Eigen::Index begin,
                    Eigen::Index count) const {
    const Log& log = gridded.log;
    Recording out;
    out.file = log.file;
    out.time = Eigen::Map<const VectorXd>(log.time.data() + begin, count);
    out.position = position.middleCols(begin, count);
    out.velocity = velocity.middleCols(begin, count);
    out.effort = effort.middleCols(begin, count);
    out.thrust = thrust.middleCols(begin, count);
    for (const auto& [frame, pose] : poses) out.poses.emplace(frame, pose.middleCols(begin, count));
    for (const auto& [group, series] : gridded.series) {
      const auto delay = config.parameters.delay.find(group);
      const double late = delay == config.parameters.delay.end() ? 0 : delay->second.prior;
      out.series.emplace(group, between(series, out.time[0] + late, out.time[count - 1] + late));
    }
    return out;
  }

  /// The samples stamped from one time to another, each included.
  static Series between(const Series& series, double from, double to) {
    const double* begin = series.time.data();
    const double slack = 1e-9 * std::max(1.0, std::abs(to));
    const Eigen::Index first =
        std::lower_bound(begin, begin + series.time.size(), from - slack) - begin;
    const Eigen::Index count =
        std::upper_bound(begin, begin + series.time.size(), to + slack) - begin - first;
    return {.time = series.time.segment(first, count),
            .values = series.values.middleCols(first, count)};
  }
};

Channels gather_channels(const Robot& robot, const Log& log, const Config& config,
                         std::vector<std::string>& warnings) {
  Channels out{.position = gather(robot, log, "q."),
               .velocity = gather(robot, log, "v."),
               .effort = gather(robot, log, "tau."),
               .thrust = gather_thrust(log, config.model.rotors),
               .poses = gather_poses(robot, log, config.measurements, warnings),
               .base = {}};
  hold_efforts(robot, config.model, out.effort);
  out.base = measured_base(robot, out.poses);
  if (robot.floating && out.base.cols() == 0) {
    warnings.push_back(log.file +
                       ": no sensor gives the pose of the floating base (channels pose.<frame>.* "
                       "of a frame on it): it is assumed at rest at the origin at first");
  }
  return out;
}

}  // namespace

std::vector<Recording> make_recordings(const Robot& robot, const Log& log, const Config& config,
                                       std::vector<std::string>& warnings) {
  return make_recordings(robot, place_on_grid(robot, log, config, {}, warnings), config, warnings);
}

std::vector<Recording> make_recordings(const Robot& robot, const GriddedLog& gridded,
                                       const Config& config, std::vector<std::string>& warnings) {
  const Log& log = gridded.log;
  check_names(robot, log, config.model);
  require_channels(robot, log, config.model);
  check_rotors(log, config.model.rotors, warnings);
  check_units(robot, log);
  const Channels channels = gather_channels(robot, log, config, warnings);

  const double longest = gap_factor * median_step(log.time);
  const auto num_joints = static_cast<Eigen::Index>(robot.joints.size());
  std::vector<Recording> out;
  const auto samples = static_cast<Eigen::Index>(log.time.size());
  Eigen::Index begin = 0, short_segments = 0;
  for (Eigen::Index k = 0; k < samples; ++k) {
    const bool is_last = k + 1 == samples;
    const bool gap_follows = !is_last && log.time[k + 1] - log.time[k] > longest;
    if (!is_last && !gap_follows) continue;
    if (gap_follows) {
      warnings.push_back(log.file + ": gap of " + rounded(log.time[k + 1] - log.time[k], 6) +
                         " s after time " + rounded(log.time[k], 6) + " s (line " +
                         std::to_string(log.lines[k]) + "): the log is split there");
    }
    while (begin <= k && !channels.can_begin(begin, num_joints)) ++begin;
    const Eigen::Index count = k - begin + 1;
    if (count >= 3) {
      out.push_back(channels.segment(gridded, config, begin, count));
    } else {
      ++short_segments;
    }
    begin = k + 1;
  }
  if (out.empty())
    throw InputError(log.file +
                     ": no segment of three samples with all positions and efforts measured");
  if (short_segments > 0) {
    warnings.push_back(log.file + ": " + std::to_string(short_segments) +
                       " segments of fewer than three samples are left out");
  }
  return out;
}

}  // namespace bayesid
