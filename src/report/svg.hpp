// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace bayesid::svg {

/// Four digits.
std::string number(double value);
std::string label(double x, double y, const std::string& text, const std::string& anchor);
std::string line(double x1, double y1, double x2, double y2, const std::string& style);

/// A picture with the styles of all drawings here: limit, zero, nominal, identified, band, point.
std::string picture(double width, double height, const std::string& body);

/// A frame with two axes, and what is drawn in it. Numbers that are not finite are left out.
class Panel {
 public:
  Panel(double x, double y, double width, double height)
      : x_(x), y_(y), width_(width), height_(height) {}

  /// The axes reach all that was fitted, and a little more.
  void fit_x(const Eigen::VectorXd& values);
  void fit_y(const Eigen::VectorXd& values);
  void fit_y(double value);

  /// At most 2 × 400 points: the extremes of each interval.
  void curve(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const std::string& style);
  void band(const Eigen::VectorXd& x, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);
  void points(const Eigen::VectorXd& x, const Eigen::VectorXd& y);
  void bar(double from, double to, double value);
  void level(double value, const std::string& style);
  void title(const std::string& text);
  /// What the axes show, with units: ticks with numbers, x below the frame and y beside it.
  void axes(const std::string& x, const std::string& y);

  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  std::string svg() const;

 private:
  double at_x(double value) const;
  double at_y(double value) const;
  std::string ticks() const;
  std::vector<Eigen::Index> shown(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;

  double x_, y_, width_, height_;
  double first_ = 0, last_ = 1, lowest_ = 0, highest_ = 1;
  bool has_x_ = false, has_y_ = false;
  std::string body_, x_label_, y_label_;
};

}  // namespace bayesid::svg
