// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bayesid/report.hpp"
#include "report/svg.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr double width = 260, height = 90, left = 130, top = 40, gap = 50;
/// One number over time, with its limits as dashed lines where they are near.
std::string panel(double x, double y, const VectorXd& time, const VectorXd& values, double lower,
                  double upper) {
  svg::Panel out(x, y, width, height);
  out.fit_x(time);
  out.fit_y(values);
  const double span = std::max(out.highest() - out.lowest(), 1e-9);
  // Limits far away would flatten the line.
  std::vector<double> limits;
  if (lower > out.lowest() - 3 * span) limits.push_back(lower);
  if (upper < out.highest() + 3 * span) limits.push_back(upper);
  for (const double limit : limits) out.fit_y(limit);
  for (const double limit : limits) out.level(limit, "limit");
  out.curve(time, values, "identified");
  return out.svg();
}

VectorXd angles(const Robot& robot, const MotionTable& motion, const Joint& joint) {
  VectorXd out(motion.time.size());
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const VectorXd q = motion.q.col(k);
    out[k] = joint_angles(robot, q)[joint.idx_v];
  }
  return out;
}

}  // namespace

std::string excitation_svg(const Robot& robot, const Excitation& excitation) {
  const MotionTable& motion = excitation.motion;
  const double step_x = width + 80, step_y = height + 18;
  const double full_width = left + 3 * step_x;
  const double full_height = top + step_y * static_cast<double>(robot.joints.size()) + gap;
  std::string out;
  double x = left;
  for (const char* title : {"position, rad or m", "velocity, rad/s or m/s", "effort, N·m or N"}) {
    out += svg::label(x + 0.5 * width, top - 12, title, "middle");
    x += step_x;
  }
  double y = top;
  for (const Joint& joint : robot.joints) {
    out += svg::label(4, y + 0.5 * height, joint.name, "start");
    const VectorXd position = angles(robot, motion, joint);
    const VectorXd velocity = motion.v.row(joint.idx_v), effort = motion.tau.row(joint.idx_v);
    const double lower = joint.continuous ? -INFINITY : joint.lower;
    const double upper = joint.continuous ? INFINITY : joint.upper;
    out += panel(left, y, motion.time, position, lower, upper);
    out += panel(left + step_x, y, motion.time, velocity, -joint.velocity, joint.velocity);
    if (!effort.isZero(0))
      out += panel(left + 2 * step_x, y, motion.time, effort, -joint.effort, joint.effort);
    y += step_y;
  }
  out += svg::label(left, y + 14, "0 s", "start");
  out += svg::label(left + width, y + 14, svg::number(motion.time[motion.time.size() - 1]) + " s",
                    "end");
  out += svg::label(left + width + 80, y + 14, "dashed: limits of the robot", "start");
  return svg::picture(full_width, full_height, out);
}

}  // namespace bayesid
