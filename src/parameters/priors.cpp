// SPDX-License-Identifier: BSD-3-Clause
#include "parameters/priors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bayesid/error.hpp"
#include "parameters/choice.hpp"
#include "parameters/defaults.hpp"

namespace bayesid {

namespace {

/// The link that stands for a body: its joint's child if that has mass, else the heaviest.
int main_link(const Robot& robot, int body) {
  const auto joint = std::find_if(robot.joints.begin(), robot.joints.end(),
                                  [&](const Joint& j) { return j.body == body; });
  int best = -1;
  double best_rank = 0;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    if (link.body != body || link.pi[0] <= 0) continue;
    if (joint != robot.joints.end() && link.name == joint->child_link) return static_cast<int>(i);
    const bool in_place = link.rotation.isIdentity(1e-9) && link.translation.norm() < 1e-9;
    const double rank = in_place ? std::numeric_limits<double>::max() : link.pi[0];
    if (rank <= best_rank) continue;
    best = static_cast<int>(i);
    best_rank = rank;
  }
  return best;
}

int friction_index(const Config& config, const std::string& key, const std::string& name) {
  const auto found = std::find(friction_names.begin(), friction_names.end(), name);
  if (found != friction_names.end()) return static_cast<int>(found - friction_names.begin());
  throw InputError(key_place(config, key + "." + name) + ": unknown friction value \"" + name +
                   "\"" + suggestion(name, {friction_names.begin(), friction_names.end()}));
}

double positive_friction(const Config& config, const std::string& key, const std::string& name,
                         double value) {
  return positive(config, key + "." + name, value);
}

}  // namespace

int count_bodies(const Robot& robot) {
  // The base is one body with six velocities.
  int out = static_cast<int>(robot.mimic.rows()) - (robot.floating ? 5 : 0);
  for (const Joint& joint : robot.joints) out = std::max(out, joint.body);
  for (const Link& link : robot.links) out = std::max(out, link.body);
  return out;
}

std::vector<int> choose_links(const Robot& robot, const Config& config,
                              const Selection& selection) {
  std::vector<int> out;
  if (selection.all) {
    for (int body = 1; body <= count_bodies(robot); ++body) {
      const int link = main_link(robot, body);
      if (link >= 0) out.push_back(link);
    }
    return out;
  }
  return choose(config, "parameters.inertia.links", selection, names_of(robot.links));
}

InertiaCoordinates link_prior(const Robot& robot, const Link& link) {
  const std::optional<InertiaCoordinates> theta = coordinates_from_inertia(link.pi);
  if (theta) return *theta;
  throw InputError(robot.urdf_file + ":" + std::to_string(link.line) + ": link \"" + link.name +
                   "\": its inertia is not physically consistent, expected a positive mass and "
                   "principal moments with each smaller than the sum of the other two");
}

const InertiaStdConfig& inertia_std_of(const Config& config, const std::string& link) {
  const auto found = config.parameters.inertia_by_link.find(link);
  if (found != config.parameters.inertia_by_link.end()) return found->second;
  return *config.parameters.inertia;
}

InertiaCoordinates link_std(const Config& config, const InertiaStdConfig& given,
                            const InertiaCoordinates& prior) {
  const std::string key = "parameters.inertia.std.";
  double h = positive(config, key + "first_moment", given.first_moment);
  if (given.first_moment_is_relative) {
    const double m = std::exp(prior[0]);
    const double size =
        prior.segment<3>(1).squaredNorm() / (m * m) + prior.tail<3>().array().exp().sum() / m;
    h *= m * std::sqrt(size);
  }
  InertiaCoordinates out;
  out[0] = positive(config, key + "log_mass", given.log_mass);
  out.segment<3>(1).setConstant(h);
  out.segment<3>(4).setConstant(positive(config, key + "rotation", given.rotation));
  out.tail<3>().setConstant(positive(config, key + "log_second_moment", given.log_second_moment));
  return out;
}

FrictionPrior friction_prior(const Config& config, const FrictionPriorConfig& given,
                             const Joint* joint) {
  FrictionPrior gamma;
  for (int i = 0; i < 7; ++i) gamma[i] = defaults::friction[i].mean;
  if (joint && joint->friction > 0) gamma[3] = joint->friction;
  if (joint && joint->damping > 0) gamma[5] = joint->damping;

  const std::string key = "parameters.friction.prior";
  for (const auto& [name, value] : given.prior) {
    const int i = friction_index(config, key, name);
    gamma[i] = i == 2 ? value : positive_friction(config, key, name, value);
  }
  // A slope given alone takes the other one with it, so that friction dissipates.
  if (!given.prior.contains("stribeck2"))
    gamma[2] = std::min(gamma[2], gamma[1] / defaults::stribeck_ratio);
  if (!given.prior.contains("stribeck1"))
    gamma[1] = std::max(gamma[1], gamma[2] * defaults::stribeck_ratio);
  if (gamma[1] >= gamma[2]) return gamma;
  throw InputError(key_place(config, key) + ": stribeck1 " + number_text(gamma[1]) +
                   " is below stribeck2 " + number_text(gamma[2]) +
                   ", expected stribeck1 >= stribeck2: friction would drive the joint");
}

FrictionPrior friction_std(const Config& config, const FrictionPriorConfig& given) {
  FrictionPrior out;
  for (int i = 0; i < 7; ++i) out[i] = defaults::friction[i].std;
  const std::string key = "parameters.friction.std";
  for (const auto& [name, value] : given.std) {
    out[friction_index(config, key, name)] = positive_friction(config, key, name, value);
  }
  return out;
}

}  // namespace bayesid
