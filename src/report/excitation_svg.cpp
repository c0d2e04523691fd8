// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bayesid/report/excitation_report.hpp"
#include "report/number.hpp"

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr double width = 260, height = 90, left = 130, top = 40, gap = 50;
constexpr Eigen::Index most_points = 400;  // of a line

std::string text_of(double value) {
  std::string out;
  append_number(out, value, 4);
  return out;
}

/// & and < in names of joints.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string label(double x, double y, const std::string& text, const std::string& anchor) {
  return "<text x=\"" + text_of(x) + "\" y=\"" + text_of(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + text_of(x1) + "\" y1=\"" + text_of(y1) + "\" x2=\"" + text_of(x2) +
         "\" y2=\"" + text_of(y2) + "\" class=\"" + style + "\"/>\n";
}

/// One number over time, with its limits as dashed lines where they are near.
class Panel {
 public:
  Panel(double x, double y, const VectorXd& time, const VectorXd& values, double lower,
        double upper)
      : x_(x), y_(y), time_(time), values_(values) {
    lowest_ = values.minCoeff();
    highest_ = values.maxCoeff();
    const double span = std::max(highest_ - lowest_, 1e-9);
    // Limits far away would flatten the line.
    if (lower > lowest_ - 3 * span) limits_.push_back(lower);
    if (upper < highest_ + 3 * span) limits_.push_back(upper);
    for (const double limit : limits_) {
      lowest_ = std::min(lowest_, limit);
      highest_ = std::max(highest_, limit);
    }
    const double rim = 0.05 * std::max(highest_ - lowest_, 1e-9);
    lowest_ -= rim;
    highest_ += rim;
  }

  std::string svg() const {
    std::string out = "<rect x=\"" + text_of(x_) + "\" y=\"" + text_of(y_) + "\" width=\"" +
                      text_of(width) + "\" height=\"" + text_of(height) + "\"/>\n";
    for (const double limit : limits_)
      out += line(x_, place(limit), x_ + width, place(limit), "limit");
    if (lowest_ < 0 && highest_ > 0) out += line(x_, place(0), x_ + width, place(0), "zero");
    out += "<polyline points=\"";
    const Eigen::Index step = std::max<Eigen::Index>(1, time_.size() / most_points);
    for (Eigen::Index k = 0; k < time_.size(); k += step) {
      const double share = time_[k] / time_[time_.size() - 1];
      out += text_of(x_ + width * share) + "," + text_of(place(values_[k])) + " ";
    }
    out += "\"/>\n";
    out += label(x_ - 4, y_ + 9, text_of(highest_), "end");
    return out + label(x_ - 4, y_ + height, text_of(lowest_), "end");
  }

 private:
  double place(double value) const {
    return y_ + height * (highest_ - value) / (highest_ - lowest_);
  }

  double x_, y_;
  const VectorXd& time_;
  const VectorXd& values_;
  double lowest_, highest_;
  std::vector<double> limits_;
};

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
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + text_of(full_width) +
                    "\" height=\"" + text_of(full_height) +
                    "\" font-family=\"sans-serif\" font-size=\"10\">\n<style>rect{fill:none;"
                    "stroke:#999}polyline{fill:none;stroke:#1f5fa8;stroke-width:1.2}.limit{stroke:"
                    "#c0392b;stroke-dasharray:5 3}.zero{stroke:#ddd}</style>\n"
                    "<rect width=\"100%\" height=\"100%\" style=\"fill:white;stroke:none\"/>\n";
  double x = left;
  for (const char* title : {"position, rad or m", "velocity, rad/s or m/s", "effort, N·m or N"}) {
    out += label(x + 0.5 * width, top - 12, title, "middle");
    x += step_x;
  }
  double y = top;
  for (const Joint& joint : robot.joints) {
    out += label(4, y + 0.5 * height, joint.name, "start");
    const VectorXd position = angles(robot, motion, joint);
    const VectorXd velocity = motion.v.row(joint.idx_v), effort = motion.tau.row(joint.idx_v);
    const double lower = joint.continuous ? -INFINITY : joint.lower;
    const double upper = joint.continuous ? INFINITY : joint.upper;
    out += Panel(left, y, motion.time, position, lower, upper).svg();
    out += Panel(left + step_x, y, motion.time, velocity, -joint.velocity, joint.velocity).svg();
    if (!effort.isZero(0))
      out += Panel(left + 2 * step_x, y, motion.time, effort, -joint.effort, joint.effort).svg();
    y += step_y;
  }
  out += label(left, y + 14, "0 s", "start");
  out += label(left + width, y + 14, text_of(motion.time[motion.time.size() - 1]) + " s", "end");
  return out + label(left + width + 80, y + 14, "dashed: limits of the robot", "start") +
         "</svg>\n";
}

}  // namespace bayesid
