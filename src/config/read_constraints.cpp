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
