// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bayesid/problem.hpp"
#include "problem/pose_channels.hpp"
#include "robot/rigid_pose.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Calls bridge(last, i, next) for each hole i; −1 where nothing was measured before or after.
template <typename IsMeasured, typename Bridge>
void for_each_hole(Eigen::Index samples, IsMeasured is_measured, Bridge bridge) {
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k <= samples; ++k) {
    if (k < samples && !is_measured(k)) continue;
    for (Eigen::Index i = last + 1; i < k; ++i) bridge(last, i, k < samples ? k : -1);
    last = k;
  }
}

double share(const VectorXd& time, Eigen::Index last, Eigen::Index i, Eigen::Index next) {
  return (time[i] - time[last]) / (time[next] - time[last]);
}

/// Holes between measured positions are bridged by straight lines.
void fill_positions(const VectorXd& time,
                    Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> q) {
  for_each_hole(
      time.size(), [&](Eigen::Index k) { return !std::isnan(q[k]); },
      [&](Eigen::Index last, Eigen::Index i, Eigen::Index next) {
        if (last >= 0 && next >= 0) {
          const double s = share(time, last, i, next);
          q[i] = (1 - s) * q[last] + s * q[next];
        } else {
          q[i] = last >= 0 ? q[last] : next >= 0 ? q[next] : 0.0;
        }
      });
}

/// Holes between measured poses are bridged by screws.
void fill_base(const VectorXd& time, MatrixXd& base) {
  for_each_hole(
      time.size(), [&](Eigen::Index k) { return base.col(k).allFinite(); },
      [&](Eigen::Index last, Eigen::Index i, Eigen::Index next) {
        if (last >= 0 && next >= 0) {
          const PoseTangent step = difference_pose(base.col(last), base.col(next));
          base.col(i) = integrate_pose(base.col(last), share(time, last, i, next) * step);
        } else if (last >= 0 || next >= 0) {
          base.col(i) = base.col(std::max(last, next));
        } else {
          base.col(i) = identity_pose();
        }
      });
}

/// Velocities jump between sample k and the next, or at the next.
bool has_impact(const Recording& recording, Eigen::Index k) {
  return std::ranges::any_of(recording.impacts, [&](const ImpactConfig& impact) {
    return impact.time > recording.time[k] && impact.time <= recording.time[k + 1];
  });
}

/// The samples around k over which a difference is taken: not over an impact, where there is a
/// choice.
std::pair<Eigen::Index, Eigen::Index> neighbours(const Recording& recording, Eigen::Index k) {
  const Eigen::Index last = recording.time.size() - 1;
  Eigen::Index from = std::max<Eigen::Index>(0, k - 1), to = std::min(last, k + 1);
  if (from < k && k < to) {
    const bool before = has_impact(recording, from), after = has_impact(recording, k);
    if (before && !after) from = k;
    if (after && !before) to = k;
  }
  return {from, to};
}

void guess_joint(const Recording& recording, Eigen::Index row, MotionGuess& out) {
  const VectorXd& time = recording.time;
  fill_positions(time, out.position.row(row));
  for (Eigen::Index k = 0; k < time.size(); ++k) {
    if (!std::isnan(out.velocity(row, k))) continue;
    const auto [from, to] = neighbours(recording, k);
    out.velocity(row, k) =
        (out.position(row, to) - out.position(row, from)) / (time[to] - time[from]);
  }
}

/// Velocities are those of the screw between the neighbours, in the axes of the base.
void guess_base(const Robot& robot, const Recording& recording, MotionGuess& out) {
  const VectorXd& time = recording.time;
  out.base = measured_base(robot, recording.poses);
  if (out.base.cols() == 0) out.base = identity_pose().replicate(1, time.size());
  fill_base(time, out.base);
  for (Eigen::Index k = 0; k < time.size(); ++k) {
    const auto [from, to] = neighbours(recording, k);
    out.position.col(k).head<6>() = difference_pose(identity_pose(), out.base.col(k));
    out.velocity.col(k).head<6>() =
        difference_pose(out.base.col(from), out.base.col(to)) / (time[to] - time[from]);
  }
}

}  // namespace

MotionGuess guess_motion(const Robot& robot, const Recording& recording) {
  const Eigen::Index n = recording.time.size();
  MotionGuess out{.position = recording.position,
                  .velocity = recording.velocity,
                  .acceleration = MatrixXd::Zero(robot.nv(), n)};
  if (robot.floating) guess_base(robot, recording, out);
  for (const Joint& joint : robot.joints) guess_joint(recording, joint.idx_v, out);
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    out.acceleration.col(k) = (out.velocity.col(k + 1) - out.velocity.col(k)) /
                              (recording.time[k + 1] - recording.time[k]);
    if (k > 0 && has_impact(recording, k)) out.acceleration.col(k) = out.acceleration.col(k - 1);
  }
  out.acceleration.col(n - 1) = out.acceleration.col(n - 2);
  return out;
}

VectorXd configuration_at(const Robot& robot, const MotionGuess& motion, int k) {
  VectorXd q = make_configuration(robot, motion.position.col(k));
  if (motion.base.cols() > 0) q.head<7>() = motion.base.col(k);
  return q;
}

}  // namespace bayesid
