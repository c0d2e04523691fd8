// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "bayesid/error.hpp"
#include "config/section.hpp"

namespace bayesid {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A bound may be infinite, unlike all other numbers.
double bound(const YamlTree& node) {
  return node.number().value_or(node.text == "-.inf" ? -infinity : infinity);
}

/// Where the key stands and what is wrong with [lower, upper].
[[noreturn]] void throw_empty(const YamlTree& node, const std::string& file, const std::string& key,
                              const std::string& lower, const std::string& upper) {
  throw InputError(file + ':' + std::to_string(node.line) + ": " + key + " is [" + lower + ", " +
                   upper + "], the first must be smaller than the second");
}

RangeConfig read_range(const YamlTree& node, const std::string& file, const std::string& key) {
  if (const std::optional<double> number = node.number()) return {*number, *number};
  RangeConfig out;
  read_value(node, "min", out.lower);
  read_value(node, "max", out.upper);
  if (!(out.lower < out.upper))
    throw_empty(node, file, key, node.find("min")->text, node.find("max")->text);
  return out;
}

CenterConfig read_center(const YamlTree& node, const std::string& file, const std::string& key) {
  CenterConfig out;
  if (const YamlTree* box = node.find("box")) {
    out.box.emplace();
    for (std::size_t i = 0; i < 3; ++i) {
      const YamlTree& side = box->children[i];
      RangeConfig& range = (*out.box)[i];
      range = {number_of(side.children[0]), number_of(side.children[1])};
      if (!(range.lower < range.upper))
        throw_empty(side, file, key + ".box", side.children[0].text, side.children[1].text);
    }
  }
  if (const YamlTree* hull = node.find("hull")) {
    for (const YamlTree& point : hull->children) {
      out.hull.push_back({number_of(point.children[0]), number_of(point.children[1]),
                          number_of(point.children[2])});
    }
  }
  return out;
}

/// The ranges of `true` are those of the URDF; otherwise [lower, upper], or the largest size.
JointLimitsConfig read_joint_limits(const YamlTree& stage, const std::string& file,
                                    const std::string& key) {
  JointLimitsConfig out;
  const YamlTree* found = stage.find(key);
  if (!found) return out;
  read_value(stage, key, out.from_urdf);
  for (const YamlTree& child : found->children) {
    RangeConfig& range = out.by_joint[child.key];
    if (child.children.empty()) {
      range = {-number_of(child), number_of(child)};
      continue;
    }
    range = {bound(child.children[0]), bound(child.children[1])};
    if (!(range.lower < range.upper))
      throw_empty(child, file, "constraints.stage." + key + "." + child.key, child.children[0].text,
                  child.children[1].text);
  }
  return out;
}

StageConstraintsConfig read_stage(const YamlTree& stage, const std::string& file) {
  StageConstraintsConfig out;
  if (const YamlTree* cone = stage.find("friction_cone")) {
    out.mu = cone->find("mu")->number();
    if (!out.mu) read_value(*cone, "mu", out.mu_by_contact);
  }
  if (const YamlTree* unilateral = stage.find("unilateral")) {
    bool all = !unilateral->children.empty();
    read_value(stage, "unilateral", all);
    if (all) out.unilateral = Selection{unilateral->children.empty(), names_of(*unilateral)};
  }
  out.position = read_joint_limits(stage, file, "position_limits");
  out.velocity = read_joint_limits(stage, file, "velocity_limits");
  out.effort = read_joint_limits(stage, file, "effort_limits");
  return out;
}

}  // namespace

ConstraintsConfig read_constraints(const YamlTree& section, const std::string& file) {
  ConstraintsConfig out;
  if (const YamlTree* mass = section.find("total_mass"))
    out.total_mass = read_range(*mass, file, "constraints.total_mass");
  out.mass = read_list(section, "mass", [&](const YamlTree& node) {
    return MassConfig{names_of(*node.find("links")),
                      read_range(*node.find("is"), file, "constraints.mass.is")};
  });
  out.symmetry = read_list(section, "symmetry", [](const YamlTree& node) {
    return SymmetryConfig{node.find("left")->text, node.find("right")->text,
                          node.find("plane")->text};
  });
  out.equal = read_list(section, "equal", [](const YamlTree& node) { return names_of(node); });
  out.linear = read_list(section, "linear", [&](const YamlTree& node) {
    LinearConfig linear{.terms = {},
                        .range = read_range(*node.find("is"), file, "constraints.linear.is")};
    read_value(node, "terms", linear.terms);
    return linear;
  });
  if (const YamlTree* com = section.find("com")) {
    for (const YamlTree& child : com->children)
      out.com[child.key] = read_center(child, file, "constraints.com." + child.key);
  }
  if (const YamlTree* stage = section.find("stage")) out.stage = read_stage(*stage, file);
  const YamlTree* bounds = section.find("bounds");
  if (!bounds) return out;
  for (const YamlTree& child : bounds->children) {
    const double lower = bound(child.children[0]);
    const double upper = bound(child.children[1]);
    if (!(lower < upper))
      throw_empty(child, file, "constraints.bounds." + child.key, child.children[0].text,
                  child.children[1].text);
    out.bounds[child.key] = {lower, upper};
  }
  return out;
}

}  // namespace bayesid
