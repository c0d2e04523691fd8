// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/margins.hpp"

#include <cmath>
#include <map>

namespace bayesid {

std::vector<LimitMargin> least_margins(const std::vector<MotionLimit>& limits,
                                       const MotionSamples& motion) {
  std::vector<LimitMargin> out;
  for (const MotionLimit& limit : limits) {
    if (limit.kind == MotionLimit::Kind::distance) continue;
    LimitMargin least{limit.name,      limit.of,        limit.unit, 0,       0,
                      limit.own_lower, limit.own_upper, INFINITY,   INFINITY};
    for (std::size_t k = 0; k < motion.all.size(); ++k) {
      const double value = limit_value(limit, motion.all[k]), margin = own_margin(limit, value);
      if (margin >= least.margin) continue;
      least.value = value;
      least.time = motion.times[k];
      least.margin = margin;
      least.allowed = limit.scale * limit_margin(limit, value);
    }
    out.push_back(least);
  }
  return out;
}

std::vector<LimitMargin> least_distances(const Robot& robot, const SelfCollision& shapes,
                                         double lower, const MotionSamples& motion) {
  Kinematics kinematics(robot);
  std::map<std::string, LimitMargin> least;
  for (std::size_t k = 0; k < motion.all.size(); ++k) {
    for (const ShapeDistance& one : shapes.near(motion.all[k].motion.q, INFINITY, kinematics)) {
      const SelfCollision::Pair& pair = shapes.pairs()[static_cast<std::size_t>(one.pair)];
      const std::string of = pair.first + "–" + pair.second;
      const auto [found, is_new] = least.try_emplace(of);
      if (!is_new && one.distance >= found->second.value) continue;
      found->second = {"self_collision",    of, "m",      one.distance,
                       motion.times[k],     0,  INFINITY, one.distance,
                       one.distance - lower};
    }
  }
  std::vector<LimitMargin> out;
  for (const auto& [of, margin] : least) out.push_back(margin);
  return out;
}

}  // namespace bayesid
