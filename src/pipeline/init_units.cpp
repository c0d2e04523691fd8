// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_units.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "log/column_words.hpp"
#include "log/time_check.hpp"
#include "math/fit_line.hpp"
#include "math/median.hpp"
#include "math/parse_number.hpp"
#include "math/text.hpp"

namespace bayesid::pipeline {
namespace {

constexpr double degree = M_PI / 180;
constexpr double slowest = 2;    // Hz, of the log of a robot that moves
constexpr double fastest = 2e4;  // Hz

struct Increments {
  std::vector<double> position, velocity;
};

Increments increments(const std::vector<double>& time, const std::vector<double>& q,
                      const std::vector<double>& v, std::size_t window) {
  std::vector<double> integral(time.size(), 0);
  for (std::size_t k = 1; k < time.size(); ++k)
    integral[k] = integral[k - 1] + 0.5 * (time[k] - time[k - 1]) * (v[k] + v[k - 1]);
  Increments out;
  for (std::size_t k = 0; k + window < time.size(); ++k) {
    out.position.push_back(q[k + window] - q[k]);
    out.velocity.push_back(integral[k + window] - integral[k]);
  }
  return out;
}

/// Median of the steps forward; 0: there is none.
double step_of(const std::vector<long double>& stamps) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < stamps.size(); ++k)
    if (stamps[k] > stamps[k - 1]) steps.push_back(static_cast<double>(stamps[k] - stamps[k - 1]));
  return median(steps);
}

const std::map<std::string, double>& time_units() {
  static const std::map<std::string, double> units{
      {"seconds", 1}, {"milliseconds", 1e-3}, {"microseconds", 1e-6}, {"nanoseconds", 1e-9}};
  return units;
}

std::string time_unit_name(double scale) {
  for (const auto& [name, unit] : time_units())
    if (unit == scale) return name;
  return "seconds";
}

std::optional<double> time_unit_by_name(const std::string& name) {
  static const std::map<std::string, double> words{
      {"ms", 1e-3},           {"msec", 1e-3},         {"msecs", 1e-3},       {"millis", 1e-3},
      {"milliseconds", 1e-3}, {"us", 1e-6},           {"usec", 1e-6},        {"usecs", 1e-6},
      {"micros", 1e-6},       {"microseconds", 1e-6}, {"ns", 1e-9},          {"nsec", 1e-9},
      {"nsecs", 1e-9},        {"nanos", 1e-9},        {"nanoseconds", 1e-9}, {"nanosec", 1e-9}};
  for (const std::string& word : words_of(name)) {
    const auto found = words.find(word);
    if (found != words.end()) return found->second;
  }
  return {};
}

/// ∫v dt / Δq is 1 in consistent units, and 57.3 or its inverse when one of them is in degrees.
std::optional<double> time_unit_by_velocity(const std::vector<VelocityRatio>& revolute) {
  std::vector<double> ratios;
  for (const VelocityRatio& one : revolute)
    if (one.is_clear()) ratios.push_back(std::abs(one.ratio));
  if (ratios.empty()) return {};
  const double ratio = median(ratios);
  for (const auto& [name, scale] : time_units())
    for (const double angle : {1.0, degree, 1 / degree})
      if (is_near(ratio * scale, angle)) return scale;
  return {};
}

}  // namespace

bool is_near(double value, double other) {
  constexpr double factor = 1.25;
  return value > 0 && std::max(value / other, other / value) < factor;
}

bool VelocityRatio::is_clear() const {
  constexpr double clear = 0.9;
  return std::abs(correlation) > clear && ratio != 0;
}

VelocityRatio velocity_ratio(const std::vector<long double>& stamps,
                             const std::vector<double>& position,
                             const std::vector<double>& velocity) {
  std::vector<double> time, q, v;
  for (std::size_t k = 0; k < stamps.size(); ++k) {
    if (!std::isfinite(position[k]) || !std::isfinite(velocity[k])) continue;
    time.push_back(static_cast<double>(stamps[k] - stamps[0]));
    q.push_back(position[k]);
    v.push_back(velocity[k]);
  }
  constexpr std::size_t longest = 64, fewest = 50;
  VelocityRatio out;
  // Of longer windows more is motion and less is noise, until it turns.
  for (std::size_t window = 1; window <= longest && time.size() > 2 * window + fewest;
       window *= 2) {
    const Increments found = increments(time, q, v, window);
    const Line line = fit_line(found.position, found.velocity);
    if (std::abs(line.correlation) <= std::abs(out.correlation)) continue;
    out = {.ratio = std::copysign(line.y_std / line.x_std, line.correlation),
           .correlation = line.correlation};
  }
  return out;
}

UnitGuess guess_time(const std::string& name, const std::vector<long double>& stamps,
                     const std::vector<VelocityRatio>& revolute) {
  const double step = step_of(stamps);
  if (!(step > 0)) return {};
  const double start = std::abs(static_cast<double>(stamps[0]));
  const std::string read = "median step " + rounded(step, 6);
  const auto guess = [&](double scale, const std::string& reason) {
    return UnitGuess{.scale = scale,
                     .evidence = time_unit_name(scale) + reason + ", " + read + ": " +
                                 rounded(1 / (step * scale), 4) + " Hz"};
  };
  const auto may_be = [&](const std::optional<double>& scale) {
    return scale && may_be_seconds(start * *scale, step * *scale) && step * *scale * fastest > 1;
  };
  const std::optional<double> named = time_unit_by_name(name);
  if (may_be(named)) return guess(*named, " by its name");
  const std::optional<double> moved = time_unit_by_velocity(revolute);
  if (may_be(moved))
    return *moved == 1 ? UnitGuess{} : guess(*moved, ", by velocities and positions");
  if (!may_be_seconds(start, step)) {
    const TimeUnit unit = likely_unit(start, step);
    return guess(parse_number(unit.scale).value_or(1), " by its size");
  }
  if (step * slowest <= 1) return {};
  UnitGuess out{.scale = 1e-3};
  out.question = "samples are " + rounded(step, 4) + " s apart (" + rounded(1 / step, 3) +
                 " Hz) if the clock counts seconds: does it count milliseconds?";
  return out;
}

}  // namespace bayesid::pipeline
