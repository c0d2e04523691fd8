// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "bayesid/sensor.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid {

namespace {

// Penalties, to begin with: a violation by this much counts one half.
constexpr double of_noise = 0.3;    // of a sensor's standard deviation
constexpr double of_weight = 3e-3;  // of the robot's, for contact forces

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Limits of one kind: those of the URDF, then the configuration's in their place.
class LimitMaker {
 public:
  LimitMaker(const Robot& robot, const Config& config) : robot_(robot), config_(config) {}

  template <typename Range>
  std::vector<JointLimit> make(const JointLimitsConfig& given, const std::string& kind,
                               const Range& range_of, const Eigen::VectorXd& std) const {
    const std::string key = "constraints.stage." + kind + "_limits";
    for (const auto& [name, range] : given.by_joint) check_name(name, key + "." + name);
    std::vector<JointLimit> out;
    for (const Joint& joint : robot_.joints) {
      const auto found = given.by_joint.find(joint.name);
      const bool is_given = found != given.by_joint.end();
      if (!is_given && !given.from_urdf) continue;
      const RangeConfig range = is_given ? found->second : range_of(joint);
      if (std::isinf(range.lower) && std::isinf(range.upper)) continue;
      out.push_back({joint.idx_q, joint.idx_v, range.lower, range.upper,
                     of_noise * std[joint.idx_v], kind + "." + joint.name});
    }
    if (given.from_urdf && out.empty())
      throw InputError(location_of(config_, key) + ": no joint of " + config_.model.urdf +
                       " has a limit of its " + kind);
    return out;
  }

 private:
  void check_name(const std::string& name, const std::string& key) const {
    if (robot_.joint_index(name) >= 0) return;
    std::vector<std::string> names;
    for (const Joint& joint : robot_.joints) names.push_back(joint.name);
    throw InputError(location_of(config_, key) + ": there is no joint " + name + " in " +
                     config_.model.urdf + did_you_mean(name, names));
  }

  const Robot& robot_;
  const Config& config_;
};

std::vector<ContactLimit> contact_limits(const Config& config) {
  const StageConstraintsConfig& stage = config.constraints.stage;
  std::vector<ContactLimit> out;
  for (const ContactConfig& contact : config.model.contacts) {
    const auto own = stage.mu_by_contact.find(contact.name);
    const bool has_own = own != stage.mu_by_contact.end();
    const bool pushes =
        stage.unilateral &&
        (stage.unilateral->all ||
         std::ranges::find(stage.unilateral->names, contact.name) != stage.unilateral->names.end());
    if (stage.mu || has_own) {
      // Forces in a cone push.
      const double mu = has_own ? own->second : *stage.mu;
      out.push_back({contact.name, mu, "friction_cone." + contact.name});
    } else if (pushes) {
      out.push_back({contact.name, infinity, "unilateral." + contact.name});
    }
  }
  return out;
}

}  // namespace

StageLimits make_stage_limits(const Robot& robot, const Config& config, const Noise& noise) {
  const StageConstraintsConfig& stage = config.constraints.stage;
  StageLimits out;
  const LimitMaker maker(robot, config);
  const auto around_zero = [](double size) { return RangeConfig{-size, size}; };
  // q of joints that turn without end holds no angle.
  for (const Joint& joint : robot.joints) {
    if (!joint.continuous || !stage.position.by_joint.contains(joint.name)) continue;
    throw InputError(location_of(config, "constraints.stage.position_limits." + joint.name) +
                     ": the joint is continuous, it has no limits");
  }
  out.position = maker.make(
      stage.position, "position",
      [](const Joint& joint) {
        return joint.continuous ? RangeConfig{} : RangeConfig{joint.lower, joint.upper};
      },
      noise.position);
  out.velocity = maker.make(
      stage.velocity, "velocity", [&](const Joint& joint) { return around_zero(joint.velocity); },
      noise.velocity);
  if (!stage.effort.empty() && noise.effort.size() == 0) {
    throw InputError(
        location_of(config, "constraints.stage.effort_limits") +
        ": efforts are exact and cannot be limited; give measurements.effort a standard "
        "deviation");
  }
  out.effort = maker.make(
      stage.effort, "effort", [&](const Joint& joint) { return around_zero(joint.effort); },
      noise.effort.size() == 0 ? Eigen::VectorXd::Ones(robot.nv()) : noise.effort);
  out.contacts = contact_limits(config);
  double mass = 0;
  for (const Link& link : robot.links) mass += link.pi[0];
  out.force_std = of_weight * mass * std::max(1.0, robot.gravity().norm());
  return out;
}

}  // namespace bayesid
