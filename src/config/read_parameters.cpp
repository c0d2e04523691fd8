// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "bayesid/error.hpp"
#include "config/section.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

/// "0.7 rel" is relative to the link; the schema has seen that "rel" is there.
double relative_value(const YamlTree& node, const std::string& file) {
  const std::string number = node.text.substr(0, node.text.find(' '));
  const std::optional<double> value = parse_number(number);
  if (value && *value > 0) return *value;
  throw InputError(file + ':' + std::to_string(node.line) +
                   ": parameters.inertia.std.first_moment is " + node.text +
                   ", must be a number > 0, alone (kg·m) or followed by rel");
}

void read_inertia_std(const YamlTree& std, const std::string& file, InertiaStdConfig& out) {
  read_value(std, "log_mass", out.log_mass);
  read_value(std, "rotation", out.rotation);
  read_value(std, "log_second_moment", out.log_second_moment);
  read_value(std, "distance", out.distance);
  if (const YamlTree* first_moment = std.find("first_moment")) {
    out.first_moment_is_relative = !first_moment->number();
    out.first_moment = out.first_moment_is_relative ? relative_value(*first_moment, file)
                                                    : number_of(*first_moment);
  }
}

InertiaPriorConfig read_inertia(const YamlTree& family, const std::string& file) {
  InertiaPriorConfig inertia;
  read_value(family, "links", inertia.links);
  read_value(family, "parametrisation", inertia.parametrisation);
  const YamlTree* prior = family.find("prior");
  inertia.is_geometric = prior && prior->text == "geometric";
  if (const YamlTree* std = family.find("std")) read_inertia_std(*std, file, inertia);
  return inertia;
}

/// What is not given for a link is that of all.
void read_links(const YamlTree& family, const std::string& file, ParametersConfig& parameters) {
  const YamlTree* links = family.find("by_link");
  if (!links) return;
  for (const YamlTree& link : links->children) {
    InertiaStdConfig& own = parameters.inertia_by_link[link.key] = *parameters.inertia;
    read_inertia_std(link, file, own);
  }
}

FrictionPriorConfig read_friction(const YamlTree& family) {
  FrictionPriorConfig friction;
  read_value(family, "joints", friction.joints);
  read_value(family, "prior", friction.prior);
  read_value(family, "std", friction.std);
  if (const YamlTree* presliding = family.find("presliding")) {
    friction.presliding = true;
    read_value(*presliding, "distance", friction.presliding_distance);
    read_value(*presliding, "smoothing", friction.presliding_smoothing);
  }
  if (const YamlTree* terms = family.find("terms")) {
    const std::vector<std::string> names = names_of(*terms);
    const auto has = [&](const char* term) {
      return std::find(names.begin(), names.end(), term) != names.end();
    };
    friction.stiction = has("stiction");
    friction.coulomb = has("coulomb");
    friction.viscous = has("viscous");
    friction.presliding = friction.presliding || has("presliding");
  }
  return friction;
}

void read_family(const YamlTree& parameters, const char* key,
                 std::optional<JointPriorConfig>& family) {
  const YamlTree* found = parameters.find(key);
  if (!found) return;
  family.emplace();
  read_value(*found, "joints", family->joints);
  read_value(*found, "prior", family->prior);
  read_value(*found, "std", family->std);
}

RotorPriorConfig read_rotor_prior(const YamlTree& family) {
  RotorPriorConfig rotor;
  for (const auto& [key, std] : {std::pair{"thrust", &rotor.thrust}, {"moment", &rotor.moment}}) {
    const YamlTree* found = family.find(key);
    if (found) *std = found->number();  // none for the word "fixed"
  }
  return rotor;
}

ParameterOverride read_override(const YamlTree& node) {
  ParameterOverride one;
  one.fixed = node.kind == YamlTree::Kind::scalar;  // the word "fixed"
  read_value(node, "fixed", one.fixed);
  if (const YamlTree* prior = node.find("prior")) one.prior = prior->number();
  if (const YamlTree* std = node.find("std")) one.std = std->number();
  return one;
}

/// A number alone is known.
DelayConfig read_delay(const YamlTree& node) {
  if (const std::optional<double> known = node.number()) return {.prior = *known, .std = {}};
  DelayConfig delay{.prior = 0, .std = 0.01};
  read_value(node, "prior", delay.prior);
  read_value(node, "std", delay.std);
  return delay;
}

ParametersConfig default_parameters() {
  ParametersConfig parameters;
  parameters.inertia.emplace();
  parameters.friction.emplace();
  parameters.friction->stiction = false;
  parameters.armature.emplace();
  return parameters;
}

}  // namespace

ParametersConfig read_parameters(const YamlTree& root, const std::string& file) {
  const YamlTree* section = root.find("parameters");
  if (!section) return default_parameters();

  ParametersConfig parameters;
  if (const YamlTree* inertia = section->find("inertia")) {
    parameters.inertia = read_inertia(*inertia, file);
    read_links(*inertia, file, parameters);
  }
  if (const YamlTree* friction = section->find("friction")) {
    parameters.friction = read_friction(*friction);
  }
  read_family(*section, "armature", parameters.armature);
  read_family(*section, "effort_gain", parameters.effort_gain);
  read_family(*section, "effort_offset", parameters.effort_offset);
  read_family(*section, "gear_ratio", parameters.gear_ratio);
  // `gear_ratio: {}` says that no ratio is unknown, unlike the other families.
  if (parameters.gear_ratio && section->find("gear_ratio")->is_empty())
    parameters.gear_ratio.reset();

  if (const YamlTree* bias = section->find("imu_bias")) {
    parameters.imu_bias.emplace();
    read_value(*bias, "acceleration", parameters.imu_bias->acceleration);
    read_value(*bias, "rate", parameters.imu_bias->rate);
  }
  if (const YamlTree* offset = section->find("wrench_offset")) {
    parameters.wrench_offset.emplace();
    read_value(*offset, "force", parameters.wrench_offset->force);
    read_value(*offset, "torque", parameters.wrench_offset->torque);
  }
  if (const YamlTree* delay = section->find("delay")) {
    for (const YamlTree& child : delay->children) parameters.delay[child.key] = read_delay(child);
  }
  read_value(*section, "frozen", parameters.frozen);
  if (const YamlTree* earlier = section->find("prior_from"))
    parameters.prior_from = resolved(file, earlier->text);
  if (const YamlTree* rotor = section->find("rotor")) parameters.rotor = read_rotor_prior(*rotor);

  if (const YamlTree* set = section->find("set")) {
    for (const YamlTree& child : set->children) parameters.set[child.key] = read_override(child);
  }
  return parameters;
}

}  // namespace bayesid
