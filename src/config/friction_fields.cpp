// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"

namespace bayesid::config {
namespace {

Kind<FrictionPriorConfig> presliding() {
  return group<FrictionPriorConfig>([](Fields<FrictionPriorConfig>& g) {
           g.add("distance", &FrictionPriorConfig::presliding_distance, per_joint(positive()),
                 {"rad, m",
                  "presliding distance of a joint at rest, per joint; giving the section enables "
                  "the term. Encoders must resolve it",
                  "3e-4"});
           g.add(
               "smoothing", &FrictionPriorConfig::presliding_smoothing, at_least(0),
               {"s", "averaging window of the measured positions that drive the presliding state"});
         })
      .prepared([](FrictionPriorConfig& value, const Location&) { value.presliding = true; })
      .only_if([](const FrictionPriorConfig& value) { return value.presliding; });
}

/// By the names of the friction values.
Kind<std::map<std::string, double>> friction_values(const Kind<double>& stribeck2) {
  std::vector<std::pair<std::string, Kind<double>>> kinds;
  for (const std::string name : friction_names)
    kinds.emplace_back(name, name == "stribeck2" ? stribeck2 : positive());
  return keyed(kinds).if_any();
}

}  // namespace

void describe(Fields<FrictionPriorConfig>& f) {
  using F = FrictionPriorConfig;
  f.add("joints", &F::joints, selection(), {"", "selection of joints and drives"});
  f.add("terms",
        flags<F>({{"stiction", &F::stiction},
                  {"coulomb", &F::coulomb},
                  {"viscous", &F::viscous},
                  {"presliding", &F::presliding}}),
        {"", "list of `stiction`, `coulomb`, `viscous`, `presliding`"});
  f.add("presliding", presliding(), {});
  f.add("prior", &F::prior, friction_values(at_least(0)),
        {"N·m, s/rad, N·m·s/rad",
         "by name: `stiction`, `stribeck1`, `stribeck2`, `coulomb`, `coulomb_slope`, `viscous`, "
         "`presliding`; > 0 (`stribeck2`: at least 0)",
         "the URDF's"});
  f.add(
      "std", &F::std, friction_values(positive()),
      {"1", "by the same names, of the logarithms (`stribeck2`: of the value, s/rad)", "built in"});
}

}  // namespace bayesid::config
