// SPDX-License-Identifier: BSD-3-Clause
// Which links have an unknown inertia, and what is known of it before.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "blocks/inertia_block.hpp"
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

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

/// Links to estimate: those named, or one for each moving body.
std::vector<int> choose_links(const Robot& robot, const Config& config, int num_bodies) {
  const auto& given = config.parameters.inertia;
  std::vector<int> out;
  if (!given) return out;
  if (!given->links.all)
    return choose(config, "parameters.inertia.links", given->links, names_of(robot.links));
  for (int body = 1; body <= num_bodies; ++body) {
    const int link = main_link(robot, body);
    if (link >= 0) out.push_back(link);
  }
  return out;
}

/// Coordinates of the nominal inertia.
InertiaCoordinates link_prior(const Robot& robot, const InertiaChart& chart, const Link& link) {
  const std::optional<InertiaCoordinates> theta = chart.inverse(link.pi);
  if (theta) return *theta;
  throw InputError(robot.urdf_file + ":" + std::to_string(link.line) + ": link \"" + link.name +
                   "\": its inertia is not physically consistent, expected a positive mass and "
                   "principal moments with each smaller than the sum of the other two");
}

const InertiaChart& chosen_chart(const Config& config) {
  const std::string key = "parameters.inertia.parametrisation";
  const std::string given =
      config.parameters.inertia ? config.parameters.inertia->parametrisation : "ee";
  const std::vector<NamedChart>& charts = inertia_charts();
  const Selection selection{.all = false, .names = {given}};
  return charts[choose(config, key, selection, names_of(charts)).front()].chart();
}

/// A relative first moment counts in m √(|c|² + tr L/m).
InertiaSpread spread_of(const Config& config, const Link& link) {
  const InertiaStdConfig& given = inertia_std_of(config, link.name);
  const std::string key = "parameters.inertia.std.";
  InertiaSpread out;
  out.first_moment = positive(config, key + "first_moment", given.first_moment);
  if (given.first_moment_is_relative) {
    const InertiaCoordinates theta = *inertia_ee().inverse(link.pi);
    const double m = std::exp(theta[0]);
    const double size =
        theta.segment<3>(1).squaredNorm() / (m * m) + theta.tail<3>().array().exp().sum() / m;
    out.first_moment *= m * std::sqrt(size);
  }
  out.log_mass = positive(config, key + "log_mass", given.log_mass);
  out.rotation = positive(config, key + "rotation", given.rotation);
  out.log_second_moment = positive(config, key + "log_second_moment", given.log_second_moment);
  return out;
}

std::shared_ptr<const ParameterBlock> make_block(const Robot& robot, const Config& config,
                                                 const InertiaChart& chart, const Link& link,
                                                 const PhysicalLayout& layout) {
  const InertiaCoordinates prior = link_prior(robot, chart, link);
  const InertiaCoordinates std = chart.prior_std(link.pi, spread_of(config, link));
  std::vector<Parameter> parameters;
  for (int i = 0; i < 10; ++i) {
    const InertiaChart::Coordinate& coordinate = chart.coordinates()[i];
    parameters.push_back({.name = "inertia." + link.name + "." + coordinate.name,
                          .prior = prior[i],
                          .std = std[i],
                          .rate = coordinate.rate,
                          .physical = i == 0 ? "mass." + link.name : ""});
  }
  return std::make_shared<InertiaBlock>(chart, link.name, layout.pi(link.body - 1),
                                        inertia_transform(link.rotation, link.translation),
                                        std::move(parameters));
}

}  // namespace

const InertiaStdConfig& inertia_std_of(const Config& config, const std::string& link) {
  const auto found = config.parameters.inertia_by_link.find(link);
  if (found != config.parameters.inertia_by_link.end()) return found->second;
  return *config.parameters.inertia;
}

BlockList make_inertia(const Robot& robot, const Config& config, Draft& draft) {
  const std::vector<std::string> names = names_of(robot.links);
  for (const auto& [name, std] : config.parameters.inertia_by_link) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw_unknown(config, "parameters.inertia.by_link", name, names);
  }
  const InertiaChart& chart = chosen_chart(config);
  std::vector<bool> estimated(robot.links.size(), false);
  BlockList out;
  for (const int index : choose_links(robot, config, draft.layout.num_bodies)) {
    estimated[index] = true;
    out.push_back(make_block(robot, config, chart, robot.links[index], draft.layout));
  }
  // The rest of each body stays as it is.
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    if (estimated[i]) continue;
    draft.nominal.segment<10>(draft.layout.pi(link.body - 1)) +=
        inertia_transform(link.rotation, link.translation) * link.pi;
  }
  return out;
}

}  // namespace bayesid::blocks
