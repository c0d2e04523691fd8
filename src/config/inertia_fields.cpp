// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"
#include "config/yaml_text.hpp"
#include "math/parse_number.hpp"

namespace bayesid::config {
namespace {

/// "0.7 rel" is relative to the link, a number alone is not.
Kind<InertiaStdConfig> first_moment() {
  const Kind<InertiaStdConfig> absolute =
      member(&InertiaStdConfig::first_moment, positive())
          .prepared([](InertiaStdConfig& value, const Location&) {
            value.first_moment_is_relative = false;
          })
          .only_if([](const InertiaStdConfig& value) { return !value.first_moment_is_relative; });
  Kind<InertiaStdConfig> relative = absolute;
  relative.schemas = {R"({"type": "string", "pattern": "^[^ ]+ +rel$",)"
                      R"( "x-expected": "a multiple of the link's own such as 0.7 rel"})"};
  relative.accepts = is_scalar;
  relative.read = [](const YamlTree& node, const Location& at, InertiaStdConfig& out) {
    const std::optional<double> value = parse_number(node.text.substr(0, node.text.find(' ')));
    if (!value || *value <= 0)
      fail(node, at,
           " is " + node.text + ", must be a number > 0, alone (kg·m) or followed by rel");
    out.first_moment = *value;
    out.first_moment_is_relative = true;
  };
  relative.write = [](const InertiaStdConfig& value, const std::string&) {
    return std::optional(scalar(text_of(value.first_moment) + " rel"));
  };
  relative.vary = [](InertiaStdConfig& value, int salt) { value.first_moment += 1 + salt; };
  return any_of<InertiaStdConfig>({absolute, relative});
}

/// The section `inertia`, of what stands in two places of ParametersConfig.
struct InertiaSection {
  Selection links;
  std::string parametrisation = InertiaPriorConfig{}.parametrisation;
  bool is_geometric = false;
  InertiaStdConfig std;
  std::map<std::string, InertiaStdConfig> by_link;
};

InertiaSection section_of(const ParametersConfig& parameters) {
  if (!parameters.inertia) return {};
  const InertiaPriorConfig& inertia = *parameters.inertia;
  return {.links = inertia.links,
          .parametrisation = inertia.parametrisation,
          .is_geometric = inertia.is_geometric,
          .std = inertia,
          .by_link = parameters.inertia_by_link};
}

void place(const InertiaSection& section, ParametersConfig& parameters) {
  InertiaPriorConfig& inertia = parameters.inertia.emplace();
  static_cast<InertiaStdConfig&>(inertia) = section.std;
  inertia.links = section.links;
  inertia.parametrisation = section.parametrisation;
  inertia.is_geometric = section.is_geometric;
  parameters.inertia_by_link = section.by_link;
}

/// What is not given for a link is that of all.
Kind<InertiaSection> std_by_link() {
  const Kind<InertiaStdConfig> one = table<InertiaStdConfig>();
  Kind<InertiaSection> kind = member(&InertiaSection::by_link, map_of("<link>", one).if_any());
  kind.read = [one](const YamlTree& node, const Location& at, InertiaSection& out) {
    for (const YamlTree& child : node.children)
      one.read(child, at.inside(child.key), out.by_link[child.key] = out.std);
  };
  return kind;
}

}  // namespace

Kind<ParametersConfig> inertia_section() {
  Fields<InertiaSection> f;
  f.add("links", &InertiaSection::links, selection(), {"", "selection"});
  f.add("parametrisation", &InertiaSection::parametrisation, one_of({"ee", "log_cholesky"}),
        {"",
         "coordinates of inertias: `ee` (logarithm of the mass, first moment, axes and logarithms "
         "of principal second moments) or `log_cholesky` (triangular factor of the pseudo-inertia: "
         "`alpha`, `d1` … `d3`, `s12`, `s23`, `s13`, `t1` … `t3`). Both are consistent for every "
         "value; `std` means the same in both"});
  f.add("prior", &InertiaSection::is_geometric, either("coordinates", "geometric"),
        {"",
         "`geometric`: the prior is on the distance of each inertia from the nominal one (½ the "
         "norm of the logarithm of the pseudo-inertia in units of the nominal one), with "
         "`std.distance`, and not on coordinates"});
  f.add("std", &InertiaSection::std, table<InertiaStdConfig>(), {});
  f.add("by_link", std_by_link(),
        {"", "map from a link to its own std, with the keys of `inertia.std`"})
      .folded();
  const Kind<InertiaSection> section = table(f);
  return {.schemas = section.schemas,
          .accepts = section.accepts,
          .read =
              [section](const YamlTree& node, const Location& at, ParametersConfig& out) {
                InertiaSection read;
                section.read(node, at, read);
                place(read, out);
              },
          .write =
              [section](const ParametersConfig& value, const std::string& folder) {
                return value.inertia ? section.write(section_of(value), folder)
                                     : std::optional<YamlTree>();
              },
          .vary =
              [section](ParametersConfig& value, int salt) {
                InertiaSection varied = section_of(value);
                section.vary(varied, salt);
                place(varied, value);
              },
          .rows = section.rows};
}

void describe(Fields<InertiaStdConfig>& f) {
  f.add("log_mass", &InertiaStdConfig::log_mass, positive(), {"1", "std of log m"});
  f.add("first_moment", first_moment(),
        {"kg·m", "`0.7 rel` is relative to the link's mass and size, a plain number is kg·m"});
  f.add("rotation", &InertiaStdConfig::rotation, positive(),
        {"rad", "std of the rotation of the principal axes"});
  f.add("log_second_moment", &InertiaStdConfig::log_second_moment, positive(),
        {"1", "std of the logarithms of the principal second moments"});
  f.add("distance", &InertiaStdConfig::distance, positive(),
        {"1", "std of the distance, of a geometric prior"});
}

}  // namespace bayesid::config
