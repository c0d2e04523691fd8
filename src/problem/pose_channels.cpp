// SPDX-License-Identifier: BSD-3-Clause
#include "problem/pose_channels.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "bayesid/error.hpp"
#include "robot/rigid_pose.hpp"

namespace bayesid {

using Eigen::MatrixXd;

namespace {

constexpr std::array<const char*, 7> axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::set<std::string> frames_in_log(const Log& log) {
  std::set<std::string> out;
  for (const auto& [name, values] : log.channels) {
    if (name.starts_with("pose.")) out.insert(name.substr(5, name.rfind('.') - 5));
  }
  return out;
}

/// Rows first … first + count − 1 of a pose: all of them are channels, or none.
void gather_part(const Log& log, const std::string& frame, int first, int count, MatrixXd& out) {
  std::string found, missing;
  for (int i = first; i < first + count; ++i) {
    const std::string name = "pose." + frame + "." + axes[i];
    const auto channel = log.channels.find(name);
    (channel == log.channels.end() ? missing : found) = name;
    if (channel == log.channels.end()) continue;
    out.row(i) = Eigen::Map<const Eigen::RowVectorXd>(channel->second.data(), out.cols());
  }
  if (!found.empty() && !missing.empty()) {
    throw InputError(log.file + ": there is a channel " + found + " but no " + missing +
                     "; position and orientation need all their numbers");
  }
  for (Eigen::Index k = 0; k < out.cols(); ++k) {
    if (!out.col(k).segment(first, count).allFinite()) out.col(k).segment(first, count).fill(nan);
  }
}

}  // namespace

std::map<std::string, MatrixXd> gather_poses(const Robot& robot, const Log& log,
                                             const MeasurementConfig& measurements,
                                             std::vector<std::string>& warnings) {
  std::map<std::string, MatrixXd> out;
  for (const std::string& frame : frames_in_log(log)) {
    if (!measurements.poses.contains(frame)) {
      warnings.push_back(log.file + ": pose." + frame +
                         " is not fitted: measurements has no standard deviations pose." + frame);
      if (!find_frame(robot, frame)) continue;
    }
    MatrixXd pose = MatrixXd::Constant(7, static_cast<Eigen::Index>(log.time.size()), nan);
    gather_part(log, frame, 0, 3, pose);
    gather_part(log, frame, 3, 4, pose);
    out.emplace(frame, std::move(pose));
  }
  for (const auto& [frame, std] : measurements.poses) {
    if (out.contains(frame)) continue;
    warnings.push_back(log.file + ": no channels pose." + frame +
                       ".*, which measurements configures");
  }
  return out;
}

MatrixXd measured_base(const Robot& robot, const std::map<std::string, MatrixXd>& poses) {
  MatrixXd out(7, 0);
  if (!robot.floating) return out;
  Eigen::Index most = 0;
  for (const auto& [name, pose] : poses) {
    const std::optional<FramePlacement> frame = find_frame(robot, name);
    if (!frame || frame->body != 1) continue;
    MatrixXd base = MatrixXd::Constant(7, pose.cols(), nan);
    Eigen::Index count = 0;
    for (Eigen::Index k = 0; k < pose.cols(); ++k) {
      if (!pose.col(k).allFinite()) continue;
      base.col(k) = body_pose(pose.col(k), *frame);
      ++count;
    }
    if (count <= most) continue;
    most = count;
    out = std::move(base);
  }
  return out;
}

}  // namespace bayesid
