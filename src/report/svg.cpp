// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.hpp"

#include <algorithm>
#include <cmath>

#include "report/number.hpp"

namespace bayesid::svg {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr Index most_segments = 400;  // of a curve

/// What would be markup, in names of joints.
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

std::string point(double x, double y) {
  return number(x) + "," + number(y) + " ";
}

void widen(double value, double& lowest, double& highest, bool& has) {
  if (!std::isfinite(value)) return;
  lowest = has ? std::min(lowest, value) : value;
  highest = has ? std::max(highest, value) : value;
  has = true;
}

/// Some five round numbers between two.
std::vector<double> round_numbers(double from, double to) {
  std::vector<double> out;
  if (!(to > from)) return {from};
  const double desired = (to - from) / 5, decade = std::pow(10.0, std::floor(std::log10(desired)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * decade >= desired) step = factor * decade;
  }
  for (double i = std::ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; ++i)
    out.push_back(i * step + 0.0);  // −0 becomes 0
  return out;
}

}  // namespace

std::string number(double value) {
  std::string out;
  append_number(out, value, 4);
  return out;
}

std::string label(double x, double y, const std::string& text, const std::string& anchor) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" class=\"" + style + "\"/>\n";
}

std::string picture(double width, double height, const std::string& body) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" +
         number(height) +
         "\" font-family=\"sans-serif\" font-size=\"10\">\n<style>rect{fill:none;stroke:#999}"
         "polyline{fill:none;stroke:#1f5fa8;stroke-width:1.2}.limit{stroke:#c0392b;"
         "stroke-dasharray:5 "
         "3}.zero{stroke:#ddd}.tick{stroke:#999}.measured{stroke:#999}.nominal{stroke:#d4a017}"
         ".identified{stroke:#1f5fa8}.band{fill:#1f5fa8;fill-opacity:0.2;stroke:none}"
         ".point{fill:#999;fill-opacity:0.5;stroke:none}.bar{fill:#1f5fa8;stroke:none}</style>\n"
         "<rect width=\"100%\" height=\"100%\" style=\"fill:white;stroke:none\"/>\n" +
         body + "</svg>\n";
}

void Panel::fit_x(const VectorXd& values) {
  for (const double value : values) widen(value, first_, last_, has_x_);
}

void Panel::fit_y(const VectorXd& values) {
  for (const double value : values) widen(value, lowest_, highest_, has_y_);
}

void Panel::fit_y(double value) {
  widen(value, lowest_, highest_, has_y_);
}

double Panel::at_x(double value) const {
  const double span = last_ > first_ ? last_ - first_ : 1;
  return x_ + width_ * (value - first_) / span;
}

double Panel::at_y(double value) const {
  const double rim = 0.05 * std::max(highest_ - lowest_, 1e-9);
  return y_ + height_ * (highest_ + rim - value) / (highest_ - lowest_ + 2 * rim);
}

/// The lowest and the highest of each interval, in their order.
std::vector<Index> Panel::shown(const VectorXd& x, const VectorXd& y) const {
  std::vector<Index> out;
  const Index segment = std::max<Index>(1, x.size() / most_segments);
  for (Index begin = 0; begin < x.size(); begin += segment) {
    Index low = -1, high = -1;
    for (Index k = begin; k < std::min(begin + segment, x.size()); ++k) {
      if (!std::isfinite(x[k]) || !std::isfinite(y[k])) continue;
      if (low < 0 || y[k] < y[low]) low = k;
      if (high < 0 || y[k] > y[high]) high = k;
    }
    if (low < 0) continue;
    out.push_back(std::min(low, high));
    if (low != high) out.push_back(std::max(low, high));
  }
  return out;
}

void Panel::curve(const VectorXd& x, const VectorXd& y, const std::string& style) {
  body_ += "<polyline class=\"" + style + "\" points=\"";
  for (const Index k : shown(x, y)) body_ += point(at_x(x[k]), at_y(y[k]));
  body_ += "\"/>\n";
}

void Panel::band(const VectorXd& x, const VectorXd& lower, const VectorXd& upper) {
  std::string there, back;
  const Index step = std::max<Index>(1, x.size() / most_segments);
  for (Index k = 0; k < x.size(); k += step) {
    if (!std::isfinite(lower[k]) || !std::isfinite(upper[k])) continue;
    there += point(at_x(x[k]), at_y(upper[k]));
    back = point(at_x(x[k]), at_y(lower[k])) + back;
  }
  body_ += "<polygon class=\"band\" points=\"" + there + back + "\"/>\n";
}

void Panel::points(const VectorXd& x, const VectorXd& y) {
  const Index step = 1 + x.size() / (2 * most_segments);
  for (Index k = 0; k < x.size(); k += step) {
    if (!std::isfinite(x[k]) || !std::isfinite(y[k])) continue;
    body_ += "<circle class=\"point\" cx=\"" + number(at_x(x[k])) + "\" cy=\"" +
             number(at_y(y[k])) + "\" r=\"1\"/>\n";
  }
}

void Panel::bar(double from, double to, double value) {
  body_ += "<rect class=\"bar\" x=\"" + number(at_x(from)) + "\" y=\"" + number(at_y(value)) +
           "\" width=\"" + number(at_x(to) - at_x(from)) + "\" height=\"" +
           number(at_y(0) - at_y(value)) + "\"/>\n";
}

void Panel::level(double value, const std::string& style) {
  body_ += line(x_, at_y(value), x_ + width_, at_y(value), style);
}

void Panel::title(const std::string& text) {
  body_ += label(x_ + 0.5 * width_, y_ - 4, text, "middle");
}

void Panel::axes(const std::string& x, const std::string& y) {
  x_label_ = x;
  y_label_ = y;
}

std::string Panel::ticks() const {
  constexpr double length = 3;
  const double bottom = y_ + height_;
  std::string out;
  for (const double value : round_numbers(first_, last_)) {
    out += line(at_x(value), bottom, at_x(value), bottom + length, "tick");
    out += label(at_x(value), bottom + 12, number(value), "middle");
  }
  for (const double value : round_numbers(lowest_, highest_)) {
    out += line(x_ - length, at_y(value), x_, at_y(value), "tick");
    out += label(x_ - 5, at_y(value) + 3, number(value), "end");
  }
  out += label(x_ + 0.5 * width_, bottom + 24, x_label_, "middle");
  const std::string centre = number(x_ - 46) + " " + number(y_ + 0.5 * height_);
  return out + "<g transform=\"translate(" + centre + ") rotate(-90)\">" +
         label(0, 0, y_label_, "middle") + "</g>\n";
}

std::string Panel::svg() const {
  std::string out = "<rect x=\"" + number(x_) + "\" y=\"" + number(y_) + "\" width=\"" +
                    number(width_) + "\" height=\"" + number(height_) + "\"/>\n";
  if (lowest_ < 0 && highest_ > 0) out += line(x_, at_y(0), x_ + width_, at_y(0), "zero");
  out += body_;
  if (!x_label_.empty()) return out + ticks();
  out += label(x_ - 4, y_ + 9, number(highest_), "end");
  return out + label(x_ - 4, y_ + height_, number(lowest_), "end");
}

}  // namespace bayesid::svg
