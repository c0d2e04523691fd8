// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "math/text.hpp"
#include "pipeline/init_units.hpp"
#include "robot/angle_unit.hpp"

namespace bayesid::pipeline {
namespace {

constexpr double degree = M_PI / 180, millimetre = 1e-3;

std::string number(double value) {
  return rounded(value, 4);
}

/// The unit beside rad or m that a joint may be in.
struct SmallUnit {
  double scale;
  const char *name, *velocity, *si;
};

SmallUnit small_unit(const JointSignals& one) {
  if (one.joint->prismatic) return {millimetre, "millimetres", "millimetres per second", "m"};
  return {degree, "degrees", "degrees per second", "rad"};
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

/// Far beyond the limits, but not in the small unit.
bool is_beyond_limits(const JointSignals& one) {
  if (!has_limits(one)) return false;
  if (!one.joint->prismatic) return is_in_degrees(*one.joint, largest_of(one));
  constexpr double far = 30, slack = 1.5;
  const double reach = std::max(std::abs(one.joint->lower), std::abs(one.joint->upper));
  return largest_of(one) > far * reach && largest_of(one) * millimetre < slack * reach;
}

std::string compared(const VelocityRatio& v) {
  return number(v.ratio) + " times dq/dt (correlation " + number(std::abs(v.correlation)) + ")";
}

/// Why the position of a joint is in its small unit; "" when nothing tells.
std::string small_reason(const JointSignals& one) {
  const SmallUnit unit = small_unit(one);
  if (one.q_says_degrees && !one.joint->prismatic) return "degrees, by its name";
  const VelocityRatio& v = one.velocity;
  if (v.is_clear() && is_near(std::abs(v.ratio), unit.scale))
    return std::string(unit.name) + ": v is " + compared(v);
  if (is_beyond_limits(one))
    return std::string(unit.name) + ": it reads " + range_of(one) + ", the limits are " +
           number(one.joint->lower) + " … " + number(one.joint->upper) + ' ' + unit.si;
  return "";
}

/// A joint without limits may as well have made many turns.
UnitGuess guess_position(const JointSignals& one, const std::string& reason) {
  if (!reason.empty()) return {.scale = small_unit(one).scale, .evidence = reason};
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

/// Of a velocity that the position does not tell about.
UnitGuess guess_alone(const JointSignals& one, bool q_is_small) {
  const SmallUnit unit = small_unit(one);
  if (one.v_says_degrees && !one.joint->prismatic)
    return {.scale = degree, .evidence = "degrees per second, by its name"};
  if (!q_is_small) return {};
  UnitGuess out{.scale = unit.scale};
  out.question = std::string("the positions are in ") + unit.name + ": is v." + one.joint->name +
                 " in " + unit.velocity + "?";
  return out;
}

UnitGuess guess_velocity(const JointSignals& one, bool q_is_small) {
  const VelocityRatio& v = one.velocity;
  if (!v.is_clear()) return guess_alone(one, q_is_small);
  const SmallUnit unit = small_unit(one);
  UnitGuess out{.sign = v.ratio < 0 ? -1.0 : 1.0};
  if (out.sign < 0) out.evidence = "reversed: it is " + compared(v);
  // Times the velocity in SI units.
  const double factor = std::abs(v.ratio) / (q_is_small ? unit.scale : 1);
  if (is_near(factor, 1)) return out;
  if (is_near(factor, 1 / unit.scale)) {
    out.scale = unit.scale;
    out.evidence = std::string(unit.velocity) + ": it is " + compared(v) +
                   (q_is_small ? std::string(", both in ") + unit.name : "");
  } else {
    out.scale = 1 / factor;
    out.question = "v." + one.joint->name + " is " + compared(v) + ": what is its unit?";
  }
  return out;
}

}  // namespace

std::vector<JointUnits> guess_joints(const std::vector<JointSignals>& joints) {
  std::string first;  // joint in degrees
  for (const JointSignals& one : joints)
    if (first.empty() && !one.joint->prismatic && !small_reason(one).empty())
      first = one.joint->name;
  std::vector<JointUnits> out;
  for (const JointSignals& one : joints) {
    JointUnits& units = out.emplace_back();
    std::string reason = small_reason(one);
    if (reason.empty() && !first.empty() && !one.joint->prismatic && !is_in_radians(one))
      reason = "degrees, as q." + first;
    units.position = guess_position(one, reason);
    if (one.has_velocity) units.velocity = guess_velocity(one, !reason.empty());
  }
  return out;
}

}  // namespace bayesid::pipeline
