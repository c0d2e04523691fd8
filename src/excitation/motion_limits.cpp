// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/motion_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"

namespace bayesid {

using Eigen::VectorXd;
using Kind = MotionLimit::Kind;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tip =
    1e-3;  // of the weight: the tip of the cone, where it has no slope, is left out

constexpr double least_conditioning =
    0.5;  // of the start: away from straight legs and folded loops

constexpr double room = 0.02;  // of half a range, around a start beyond its share

void add_joint(const Joint& joint, const ExcitationConfig& config, double start, bool is_actuated,
               std::vector<MotionLimit>& out) {
  const std::string length = joint.prismatic ? "m" : "rad";
  const double half = 0.5 * (joint.upper - joint.lower);
  if (!joint.continuous && std::isfinite(half)) {
    const double middle = 0.5 * (joint.upper + joint.lower), used = config.position * half;
    double lower = middle - used, upper = middle + used;
    if (start >= joint.lower && start <= joint.upper) {
      lower = std::max(joint.lower, std::min(lower, start - room * half));
      upper = std::min(joint.upper, std::max(upper, start + room * half));
    }
    out.push_back({Kind::position, joint.idx_v, joint.idx_q, lower, upper, joint.lower, joint.upper,
                   std::max(half, 1e-6), 0, 0, "position", joint.name, length});
  }
  const auto add = [&](Kind kind, double limit, double share, const char* name,
                       const std::string& unit) {
    if (!std::isfinite(limit) || limit <= 0) return;
    out.push_back({kind, joint.idx_v, joint.idx_q, -share * limit, share * limit, -limit, limit,
                   limit, 0, 0, name, joint.name, unit});
  };
  add(Kind::velocity, joint.velocity, config.velocity, "velocity", length + "/s");
  if (is_actuated)
    add(Kind::effort, joint.effort, config.effort, "effort", joint.prismatic ? "N" : "N·m");
}

double friction_of(const Config& config, const std::string& contact) {
  const StageConstraintsConfig& stage = config.constraints.stage;
  if (config.excitation.mu) return *config.excitation.mu;
  const auto own = stage.mu_by_contact.find(contact);
  if (own != stage.mu_by_contact.end()) return own->second;
  if (stage.mu) return *stage.mu;
  throw InputError(location_of(config, "excitation") +
                   ": contacts need a friction coefficient: add `mu: 0.6`");
}

/// Null: far from each other.
const ShapeDistance* find_pair(const MotionLimit& limit, const MotionInstant& at) {
  const auto found = std::ranges::lower_bound(at.near, limit.index, {}, &ShapeDistance::pair);
  return found != at.near.end() && found->pair == limit.index ? &*found : nullptr;
}

}  // namespace

std::vector<MotionLimit> make_motion_limits(const Dynamics& dynamics,
                                            const ConstrainedMotion& motion, const Config& config) {
  const Robot& robot = dynamics.robot();
  const VectorXd gain = dynamics.parameters().physical(dynamics.parameters().prior()).gain;
  std::vector<MotionLimit> out;
  for (const Joint& joint : robot.joints)
    add_joint(joint, config.excitation, motion.q_ini()[joint.idx_q], gain[joint.idx_v] != 0, out);
  double weight = 0;
  for (const Link& link : robot.links) weight += link.pi[0];
  weight *= std::max(1.0, robot.gravity().norm());
  int first = 0;
  for (const MotionConstraint& c : motion.mode().constraints) {
    const bool holds_all = c.num_rows() >= 3 && c.rows[0] == 0 && c.rows[1] == 1 && c.rows[2] == 2;
    if (c.is_contact && holds_all) {
      const double mu = friction_of(config, c.name), least = config.excitation.least_force;
      out.push_back({Kind::push, first, 0, least, infinity, 0, infinity, weight, mu, 0, "force",
                     c.name, "N"});
      out.push_back({Kind::cone, first, 0, tip * weight, infinity, 0, infinity, weight, mu, 0,
                     "friction_cone", c.name, "N"});
    }
    first += c.num_rows();
  }
  if (!motion.is_free()) {
    out.push_back({Kind::conditioning, 0, 0, least_conditioning, infinity, 0, infinity, 1, 0, 0,
                   "conditioning", "loops and contacts", "relative to the start"});
  }
  return out;
}

std::vector<MotionLimit> make_distance_limits(const SelfCollision& self_collision, double least) {
  std::vector<MotionLimit> out;
  int index = 0;
  for (const SelfCollision::Pair& pair : self_collision.pairs()) {
    // Deeper in each other than the smaller shape is wide, the way out is anyone's guess.
    const double scale = least + pair.radius;
    out.push_back({Kind::distance, index++, 0, least, infinity, 0, infinity, scale, 0,
                   self_collision.far(), "self_collision", pair.first + "–" + pair.second, "m"});
  }
  return out;
}

double limit_value(const MotionLimit& limit, const MotionInstant& at) {
  switch (limit.kind) {
    case Kind::position:
      return at.motion.q[limit.idx_q];
    case Kind::velocity:
      return at.motion.v[limit.index];
    case Kind::effort:
      return at.tau[limit.index];
    case Kind::push:
      return at.lambda[limit.index + 2];
    case Kind::cone: {
      const double tangent = std::hypot(at.lambda[limit.index], at.lambda[limit.index + 1]);
      return limit.mu * at.lambda[limit.index + 2] - tangent;
    }
    case Kind::conditioning:
      return at.motion.conditioning;
    case Kind::distance: {
      const ShapeDistance* shapes = find_pair(limit, at);
      return shapes ? shapes->distance : limit.far;
    }
  }
  return 0;
}

CoordinateSlopes limit_slopes(const MotionLimit& limit, const MotionInstant& at) {
  const auto nv = static_cast<Eigen::Index>(at.motion.v.size());
  const VectorXd none = VectorXd::Zero(nv);
  const int i = limit.index;
  const auto of_force = [&](const VectorXd& weight) {
    const int n = static_cast<int>(weight.size());
    return in_coordinates(at.motion, at.dlambda_dq.middleRows(i, n).transpose() * weight,
                          at.dlambda_dv.middleRows(i, n).transpose() * weight,
                          at.dlambda_da.middleRows(i, n).transpose() * weight);
  };
  switch (limit.kind) {
    case Kind::position:
    case Kind::velocity:
      break;
    case Kind::effort:
      return in_coordinates(at.motion, at.dtau_dq.row(i), at.dtau_dv.row(i), at.dtau_da.row(i));
    case Kind::push:
      return of_force(Eigen::Vector3d::UnitZ());
    case Kind::cone: {
      const double x = at.lambda[i], y = at.lambda[i + 1];
      // A force straight up is far from the cone, whatever its slope.
      const double tangent = std::max(std::hypot(x, y), 1e-12);
      return of_force(Eigen::Vector3d(-x / tangent, -y / tangent, limit.mu));
    }
    case Kind::conditioning: {
      const VectorXd rest = VectorXd::Zero(at.motion.dconditioning_dy.size());
      return {.y = at.motion.dconditioning_dy, .dy = rest, .ddy = rest};
    }
    case Kind::distance: {
      const ShapeDistance* shapes = find_pair(limit, at);
      return in_coordinates(at.motion, shapes ? shapes->ddistance_dq : none, none, none);
    }
  }
  const VectorXd one = VectorXd::Unit(nv, i);
  if (limit.kind == Kind::velocity) return in_coordinates(at.motion, none, one, none);
  return in_coordinates(at.motion, one, none, none);
}

double limit_margin(const MotionLimit& limit, double value) {
  return std::min(value - limit.lower, limit.upper - value) / limit.scale;
}

double own_margin(const MotionLimit& limit, double value) {
  return std::min(value - limit.own_lower, limit.own_upper - value);
}

}  // namespace bayesid
