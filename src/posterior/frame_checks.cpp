// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "bayesid/dynamics.hpp"
#include "bayesid/error.hpp"
#include "math/fit_line.hpp"
#include "math/median.hpp"
#include "math/text.hpp"
#include "posterior/channel_checks.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr int fewest_samples = 20;

std::string number(double value) {
  return rounded(value, 3);
}

/// The four numbers as given, x, y, z, w, …
Quaterniond as_given(const VectorXd& pose) {
  return Quaterniond(pose[6], pose[3], pose[4], pose[5]);
}

/// … and read as w, x, y, z.
Quaterniond reordered(const VectorXd& pose) {
  return Quaterniond(pose[3], pose[4], pose[5], pose[6]);
}

/// Median of how well the two orders fit something: the size of a turn, or a cosine.
struct Orders {
  std::vector<double> given, other;
  double median_given() const { return median(given); }
  double median_other() const { return median(other); }
  bool is_enough() const { return given.size() >= fewest_samples; }
};

[[noreturn]] void refuse_order(const std::string& file, const std::string& group,
                               const std::string& against) {
  throw InputError(file + ": the quaternion " + group + ".q* contradicts " + against +
                   ", and agrees when it is read as w, x, y, z: map the columns in the order "
                   "qx, qy, qz, qw with logs[].columns");
}

// ---- a frame of a robot whose base stands: the joints determine its pose

struct FrameFit {
  Orders turn;                          // rad, between measured and expected orientation
  std::vector<double> place, expected;  // steps from the first sample, m, along x, y and z
};

void compare(const Robot& robot, const Recording& recording, const FramePlacement& frame,
             const MatrixXd& poses, FrameFit& out) {
  Kinematics kinematics(robot);
  const MotionGuess guess = guess_motion(robot, recording);
  for (Eigen::Index k = 0; k < poses.cols(); ++k) {
    const VectorXd q = configuration_at(robot, guess, static_cast<int>(k));
    const FramePose expected = kinematics.pose(q, frame);
    if (poses.col(k).tail<4>().allFinite()) {
      const Quaterniond turned(expected.rotation);
      out.turn.given.push_back(as_given(poses.col(k)).angularDistance(turned));
      out.turn.other.push_back(reordered(poses.col(k)).angularDistance(turned));
    }
    if (!poses.col(k).head<3>().allFinite()) continue;
    for (int i = 0; i < 3; ++i) {
      out.place.push_back(poses(i, k));
      out.expected.push_back(expected.translation[i]);
    }
  }
}

/// Half a radian is no calibration error; 0.2 rad is close. Metres and millimetres differ by 1000.
void diagnose_frame(const LogSegments& segments, const std::string& name, const FrameFit& fit,
                    LogDiagnostics& out) {
  constexpr double wrong = 0.5, close = 0.2, clear = 0.9, factor = 10;
  const std::string& file = segments.log.file;
  if (fit.turn.is_enough() && fit.turn.median_given() > wrong && fit.turn.median_other() < close)
    refuse_order(file, "pose." + name, "the joints");
  if (fit.place.size() < 3 * fewest_samples) return;
  const Line line = fit_line(fit.expected, fit.place);
  if (line.correlation < clear || (line.slope > 1 / factor && line.slope < factor)) return;
  out.diagnostics.push_back(file + ": the position pose." + name + ".p* moves " +
                            number(line.slope) +
                            " times as far as the joint positions imply: convert it to metres with "
                            "scale in logs[].columns");
}

// ---- a floating base

/// The place of a base that no robot reaches; 1000 times the speed of a walk is far above it.
void diagnose_speed(const LogSegments& segments, const std::string& name, LogDiagnostics& out) {
  constexpr double fastest = 50;  // m/s
  std::vector<double> speed;
  for (const Recording& recording : segments.recordings) {
    const MatrixXd& pose = recording.poses.at(name);
    Eigen::Index last = -1;
    for (Eigen::Index k = 0; k < pose.cols(); ++k) {
      if (!pose.col(k).head<3>().allFinite()) continue;
      if (last >= 0) {
        const double dt = recording.time[k] - recording.time[last];
        speed.push_back((pose.col(k) - pose.col(last)).head<3>().norm() / dt);
      }
      last = k;
    }
  }
  if (speed.size() < fewest_samples || median(speed) < fastest) return;
  out.diagnostics.push_back(segments.log.file + ": the position pose." + name + ".p* moves at " +
                            number(median(speed)) +
                            " m/s: convert it to metres with scale in logs[].columns");
}

/// A robot with a closed contact that lies on its back as given and stands upright in the other
/// order.
void diagnose_upright(const LogSegments& segments, const std::string& name,
                      const FramePlacement& frame, LogDiagnostics& out) {
  constexpr double on_its_back = -0.5, upright = 0.8;
  Orders up;  // cosine between the base's z and the world's
  for (const Recording& recording : segments.recordings) {
    if (recording.phases.empty()) continue;
    const MatrixXd& pose = recording.poses.at(name);
    const Vector3d z = frame.rotation.transpose() * Vector3d::UnitZ();
    for (Eigen::Index k = 0; k < pose.cols(); ++k) {
      if (!pose.col(k).tail<4>().allFinite()) continue;
      up.given.push_back((as_given(pose.col(k)) * z).z());
      up.other.push_back((reordered(pose.col(k)) * z).z());
    }
  }
  if (!up.is_enough() || up.median_given() > on_its_back || up.median_other() < upright) return;
  out.diagnostics.push_back(
      segments.log.file + ": by the quaternion pose." + name +
      ".q* the robot stands on its feet upside down; read as w, x, y, z it is "
      "upright: map the columns in the order qx, qy, qz, qw");
}

// ---- inertial sensors

/// At rest the specific force points up. In free flight it is zero.
bool feels_gravity(const Robot& robot, const LogSegments& segments) {
  return !robot.floating ||
         std::ranges::any_of(segments.recordings,
                             [](const Recording& recording) { return !recording.phases.empty(); });
}

void diagnose_force(const Robot& robot, const LogSegments& segments, const std::string& group,
                    LogDiagnostics& out) {
  // Robots that people move accelerate by less than half of gravity, most of the time.
  constexpr double unit_slack = 0.15, weightless = 0.1;
  std::vector<double> sizes;
  for (const Recording& recording : segments.recordings) {
    const auto series = recording.series.find(group);
    if (series == recording.series.end()) continue;
    for (Eigen::Index k = 0; k < series->second.values.cols(); ++k) {
      const Vector3d force = series->second.values.col(k).head<3>();
      if (force.allFinite()) sizes.push_back(force.norm());
    }
  }
  const double gravity = robot.gravity().norm();
  if (sizes.size() < fewest_samples || gravity == 0 || !feels_gravity(robot, segments)) return;
  const double usual = median(sizes);
  const std::string place = segments.log.file + ": the specific force " + group +
                            ".a* is usually " + number(usual) + ", ";
  if (std::abs(usual - 1) < unit_slack && std::abs(gravity - 1) > unit_slack) {
    out.diagnostics.push_back(place +
                              "as if in units of gravity (g); expected m/s²: set scale: 9.80665 in "
                              "logs[].columns");
  } else if (usual < weightless * gravity) {
    out.diagnostics.push_back(
        place + "but gravity is " + number(gravity) +
        ": gravity was removed; log the raw specific force, which points upward "
        "at rest");
  }
}

/// Gravity in the axes of the sensor, turned by its own orientation, must point up.
void check_imu_order(const Robot& robot, const LogSegments& segments, const std::string& group) {
  constexpr double wrong = 0.5, close = 0.9;
  const Vector3d up = -robot.gravity();
  Orders cosine;
  for (const Recording& recording : segments.recordings) {
    const auto series = recording.series.find(group);
    if (series == recording.series.end()) continue;
    for (Eigen::Index k = 0; k < series->second.values.cols(); ++k) {
      const VectorXd values = series->second.values.col(k);
      if (!values.head<3>().allFinite() || !values.tail<4>().allFinite()) continue;
      const Vector3d force = values.head<3>();
      const double size = up.norm() * force.norm();
      if (size == 0) continue;
      const VectorXd pose = values.tail<7>();  // the rates stand where a place would
      cosine.given.push_back((as_given(pose) * force).dot(up) / size);
      cosine.other.push_back((reordered(pose) * force).dot(up) / size);
    }
  }
  if (!cosine.is_enough() || !feels_gravity(robot, segments)) return;
  if (cosine.median_given() < wrong && cosine.median_other() > close)
    refuse_order(segments.log.file, group, "its own specific force");
}

}  // namespace

void diagnose_frames(const RobotProblem& problem, const LogSegments& segments,
                     LogDiagnostics& out) {
  const Robot& robot = problem.dynamics().robot();
  for (const auto& [name, std] : problem.noise().poses) {
    const std::optional<FramePlacement> frame = find_frame(robot, name);
    const bool is_measured = std::ranges::all_of(
        segments.recordings, [&](const Recording& one) { return one.poses.contains(name); });
    if (!frame || !is_measured) continue;
    if (robot.floating) {
      if (frame->body != 1) continue;
      diagnose_speed(segments, name, out);
      diagnose_upright(segments, name, *frame, out);
      continue;
    }
    FrameFit fit;
    for (const Recording& recording : segments.recordings)
      compare(robot, recording, *frame, recording.poses.at(name), fit);
    diagnose_frame(segments, name, fit, out);
  }
  for (const auto& [name, imu] : problem.noise().imus) {
    check_imu_order(robot, segments, "imu." + name);
    diagnose_force(robot, segments, "imu." + name, out);
  }
}

}  // namespace bayesid
