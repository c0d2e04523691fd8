// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"
#include "config/sensor_fields.hpp"

namespace bayesid::config {
namespace {

/// A family with one value for each joint.
Kind<JointPriorConfig> joint_family(const Kind<double>& prior) {
  Fields<JointPriorConfig> f;
  f.add("joints", &JointPriorConfig::joints, selection(), {"", "selection of joints and drives"});
  f.add("prior", &JointPriorConfig::prior, per_joint(prior),
        {"", "physical value, per joint", "nominal"});
  f.add("std", &JointPriorConfig::std, per_joint(positive()),
        {"", "std in estimation coordinates, per joint", "built in"});
  return table(f);
}

/// `{}` is as good as nothing.
Kind<std::optional<JointPriorConfig>> unless_empty(const Kind<JointPriorConfig>& family) {
  Kind<std::optional<JointPriorConfig>> kind = optional(family);
  kind.read = [read = kind.read](const YamlTree& node, const Location& at,
                                 std::optional<JointPriorConfig>& out) {
    if (!node.is_empty()) read(node, at, out);
  };
  return kind;
}

/// A number alone is known; a map is to be found.
Kind<DelayConfig> delay() {
  const auto is_known = [](const DelayConfig& delay) { return !delay.std; };
  return any_of<DelayConfig>(
      {member(&DelayConfig::prior, number()).only_if(is_known),
       table<DelayConfig>().prepared(
           [](DelayConfig& delay, const Location&) { delay = {.prior = 0, .std = 0.01}; })});
}

/// By group of channels.
Kind<std::map<std::string, DelayConfig>> delays() {
  std::vector<std::pair<std::string, Kind<DelayConfig>>> kinds{
      {"position", delay()}, {"velocity", delay()}, {"effort", delay()}};
  for (const SensorFields& sensor : sensor_fields()) {
    if (sensor.key.ends_with('>')) kinds.emplace_back(sensor.key, delay());
  }
  return keyed(kinds).if_any();
}

Kind<std::optional<double>> std_or_fixed() {
  return any_of<std::optional<double>>(
      {constant<std::optional<double>>(
           "fixed", [](std::optional<double>& std) { std.reset(); },
           [](const std::optional<double>& std) { return !std; }),
       optional(positive())});
}

Kind<ParameterOverride> one_parameter() {
  const auto is_only_fixed = [](const ParameterOverride& one) {
    return one.fixed && !one.prior && !one.std;
  };
  return any_of<ParameterOverride>(
      {constant<ParameterOverride>(
           "fixed", [](ParameterOverride& one) { one.fixed = true; }, is_only_fixed),
       table<ParameterOverride>()});
}

}  // namespace

void describe(Fields<ParametersConfig>& f) {
  using P = ParametersConfig;
  f.add("prior_from", &P::prior_from, path(),
        {"",
         "`result.json` of an earlier run: its estimates and their full covariance are the prior "
         "of the parameters it contains; families are chosen as usual, `set` takes precedence",
         "none"});
  f.add("frozen", &P::frozen, list_of(name()).if_any(),
        {"",
         "parameters (`armature.joint1`) or families (`friction.joint1`, `inertia.link3`) that "
         "keep their prior",
         "none"});
  f.add("inertia", inertia_section(), {});
  f.add("friction", &P::friction, table<FrictionPriorConfig>(), {});
  f.add("armature", &P::armature, joint_family(positive()),
        {"kg·m²", "`{joints, prior, std}`; `prior` > 0"})
      .folded();
  f.add("effort_gain", &P::effort_gain, joint_family(positive()),
        {"1", "`{joints, prior, std}`; `prior` > 0"})
      .folded();
  f.add("effort_offset", &P::effort_offset, joint_family(number()),
        {"N·m, N", "`{joints, prior, std}`"})
      .folded();
  f.add("gear_ratio", member(&P::gear_ratio, unless_empty(joint_family(number()))),
        {"1", "`{joints, prior, std}`; `{}` means none"})
      .folded();
  f.add("imu_bias", &P::imu_bias, table<ImuBiasConfig>(), {});
  f.add("wrench_offset", &P::wrench_offset, table<WrenchOffsetConfig>(), {});
  f.add("delay", &P::delay, delays(),
        {"s",
         "time delay of a sensor group: a known number, or `{prior, std}` (0, 0.01) to estimate "
         "it; groups are `position`, `velocity`, `effort`, `pose.<frame>` and `imu.<name>`",
         "none"});
  f.add("rotor", &P::rotor, table<RotorPriorConfig>(), {});
  f.add("set", &P::set, map_of("<parameter>", one_parameter()).if_any(),
        {"",
         "map from a parameter to its prior in estimation coordinates: `fixed`, `{prior, std}` or "
         "`{prior, fixed: true}`",
         "none"})
      .folded();
}

void describe(Fields<ImuBiasConfig>& f) {
  f.add("acceleration", &ImuBiasConfig::acceleration, positive(),
        {"m/s²",
         "std of the constant biases of every inertial sensor around zero: `imu_bias.<name>.ax` "
         "…"});
  f.add("rate", &ImuBiasConfig::rate, positive(),
        {"rad/s", "the same for the angular velocity: `imu_bias.<name>.wx` …"});
}

void describe(Fields<WrenchOffsetConfig>& f) {
  f.add("force", &WrenchOffsetConfig::force, positive(),
        {"N",
         "std of the constant offsets of every force sensor around zero: "
         "`wrench_offset.<name>.fx` …"});
  f.add("torque", &WrenchOffsetConfig::torque, positive(),
        {"N·m", "the same for the moment: `wrench_offset.<name>.tx` …"});
}

void describe(Fields<DelayConfig>& f) {
  f.add("prior", &DelayConfig::prior, number(), {});
  f.add("std", &DelayConfig::std, positive(), {});
}

void describe(Fields<RotorPriorConfig>& f) {
  f.add("thrust", member(&RotorPriorConfig::thrust, std_or_fixed()),
        {"1", "std of the logarithm of every thrust coefficient, or `fixed`"});
  f.add("moment", member(&RotorPriorConfig::moment, std_or_fixed()),
        {"1",
         "std of every moment coefficient relative to its nominal size (in its own unit where that "
         "is 0), or `fixed`"});
}

void describe(Fields<ParameterOverride>& f) {
  f.add("prior", &ParameterOverride::prior, number(), {});
  f.add("std", &ParameterOverride::std, positive(), {});
  f.add("fixed",
        member(&ParameterOverride::fixed, boolean().only_if([](bool fixed) { return fixed; })), {});
}

/// What real arms have, with priors that are wide where nobody knows.
ParametersConfig default_parameters() {
  ParametersConfig parameters;
  parameters.inertia.emplace();
  parameters.friction.emplace();
  parameters.friction->stiction = false;
  parameters.friction->prior = {{"coulomb_slope", 100}};
  parameters.friction->std = {{"coulomb", 2}, {"coulomb_slope", 0.2}, {"viscous", 2}};
  parameters.armature.emplace();
  parameters.armature->std.all = 2;
  parameters.effort_offset.emplace();
  parameters.effort_offset->std.all = 10;
  parameters.delay["effort"] = {.prior = 0, .std = 0.005};
  return parameters;
}

}  // namespace bayesid::config
