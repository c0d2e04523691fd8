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
#include "robot/angle_unit.hpp"

namespace bayesid::pipeline {
namespace {

constexpr double degree = M_PI / 180;
constexpr double near_factor = 1.25;  // two numbers of the same unit
constexpr double slowest = 2;         // Hz, of the log of a robot that moves
constexpr double fastest = 2e4;       // Hz

std::string number(double value) {
  return rounded(value, 4);
}

bool is_near(double value, double other) {
  return value > 0 && std::max(value / other, other / value) < near_factor;
}

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

std::string range_of(const JointSignals& one) {
  return number(one.lowest) + " … " + number(one.highest);
}

double largest_of(const JointSignals& one) {
  return std::max(std::abs(one.lowest), std::abs(one.highest));
}

bool has_limits(const JointSignals& one) {
  return std::isfinite(one.joint->lower) && std::isfinite(one.joint->upper);
}

/// Why the position of a joint is in degrees; "" when nothing tells.
std::string degrees_of(const JointSignals& one) {
  if (one.joint->prismatic) return "";
  if (one.q_says_degrees) return "degrees, by its name";
  const VelocityRatio& v = one.velocity;
  if (v.is_clear() && is_near(std::abs(v.ratio), degree))
    return "degrees: v is " + number(std::abs(v.ratio)) + " times dq/dt (correlation " +
           number(std::abs(v.correlation)) + ")";
  if (has_limits(one) && is_in_degrees(*one.joint, largest_of(one)))
    return "degrees: it reads " + range_of(one) + ", the limits are " + number(one.joint->lower) +
           " … " + number(one.joint->upper) + " rad";
  return "";
}

/// A joint without limits may as well have made many turns.
UnitGuess guess_position(const JointSignals& one, const std::string& reason) {
  if (!reason.empty()) return {.scale = degree, .evidence = reason};
  if (has_limits(one) || !is_in_degrees(*one.joint, largest_of(one))) return {};
  UnitGuess out{.scale = degree};
  out.question = "q." + one.joint->name + " reads " + range_of(one) +
                 ": is it in degrees? In radians it is many turns, which bayesid check refuses";
  return out;
}

/// Its own numbers say radians.
bool is_in_radians(const JointSignals& one) {
  return one.velocity.is_clear() && is_near(std::abs(one.velocity.ratio), 1 / degree);
}

UnitGuess guess_velocity(const JointSignals& one, bool q_is_in_degrees) {
  UnitGuess out;
  const VelocityRatio& v = one.velocity;
  const std::string name = "v." + one.joint->name;
  if (!v.is_clear()) {
    if (one.joint->prismatic) return out;
    if (one.v_says_degrees) return {.scale = degree, .evidence = "degrees per second, by its name"};
    if (q_is_in_degrees) {
      out.scale = degree;
      out.question = "the positions are in degrees: is " + name + " in degrees per second?";
    }
    return out;
  }
  // As it should read in SI units.
  const double factor = std::abs(v.ratio) / (q_is_in_degrees ? degree : 1);
  const std::string compared =
      number(v.ratio) + " times dq/dt (correlation " + number(std::abs(v.correlation)) + ")";
  out.sign = v.ratio < 0 ? -1 : 1;
  if (out.sign < 0) out.evidence = "reversed: it is " + compared;
  if (is_near(factor, 1)) return out;
  if (!one.joint->prismatic && is_near(factor, 1 / degree)) {
    out.scale = degree;
    out.evidence =
        "degrees per second: it is " + compared + (q_is_in_degrees ? ", both in degrees" : "");
  } else {
    out.scale = 1 / factor;
    out.question = name + " is " + number(v.ratio) + " times dq/dt (correlation " +
                   number(std::abs(v.correlation)) + "): what is its unit?";
  }
  return out;
}

}  // namespace

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

std::vector<JointUnits> guess_angles(const std::vector<JointSignals>& joints) {
  std::string first;  // joint in degrees
  for (const JointSignals& one : joints)
    if (first.empty() && !degrees_of(one).empty()) first = one.joint->name;
  std::vector<JointUnits> out;
  for (const JointSignals& one : joints) {
    JointUnits& units = out.emplace_back();
    std::string reason = degrees_of(one);
    if (reason.empty() && !first.empty() && !one.joint->prismatic && !is_in_radians(one))
      reason = "degrees, as q." + first;
    units.position = guess_position(one, reason);
    if (one.has_velocity) units.velocity = guess_velocity(one, !reason.empty());
  }
  return out;
}

}  // namespace bayesid::pipeline
