// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"
#include "config/sensor_fields.hpp"

namespace bayesid::config {
namespace {

/// A known input, or its noise.
Kind<MeasurementConfig> exact_or_std(bool MeasurementConfig::* exact,
                                     PerJoint MeasurementConfig::* std) {
  const Kind<MeasurementConfig> is_exact = constant<MeasurementConfig>(
      "exact", [exact](MeasurementConfig& value) { value.*exact = true; },
      [exact](const MeasurementConfig& value) { return value.*exact; });
  return any_of<MeasurementConfig>({is_exact, member(std, per_joint(positive_or_auto()))});
}

}  // namespace

void describe(Fields<MeasurementConfig>& f) {
  f.add("position", &MeasurementConfig::position, per_joint(positive_or_auto()),
        {"rad, m", "per joint", "`auto`"});
  f.add("velocity", &MeasurementConfig::velocity, per_joint(positive_or_auto()),
        {"rad/s, m/s", "per joint", "`auto`"});
  f.add("effort", exact_or_std(&MeasurementConfig::effort_exact, &MeasurementConfig::effort),
        {"N·m, N", "`exact` (a known input) or per joint", "`auto`"});
  f.add("thrust", exact_or_std(&MeasurementConfig::thrust_exact, &MeasurementConfig::thrust),
        {"of the command", "`exact`, one number, a list, or a map by rotor",
         "`auto`; `exact` when `effort` is"});
  for (const SensorFields& sensor : sensor_fields()) sensor.add(f);
  f.add("energy", group<MeasurementConfig>([](Fields<MeasurementConfig>& g) {
          g.add("std", &MeasurementConfig::energy, positive(),
                {"J",
                 "std of the energy balance of a window: work of motors and rotors = change of "
                 "mechanical energy + friction losses. Leave it off, see below",
                 "not used"})
              .required();
          g.add("window", &MeasurementConfig::energy_window, whole(1, 1000000),
                {"stages",
                 "length of a window; windows follow each other. A window cut short by an impact "
                 "or the end of a log is not used"});
        }),
        {});
}

void describe(Fields<DisturbanceConfig>& f) {
  f.add("position", &DisturbanceConfig::position, per_joint(positive_or_auto()),
        {"rad, m", "per joint, of each step", "`auto`"});
  f.add("velocity", &DisturbanceConfig::velocity, per_joint(positive_or_auto()),
        {"rad/s, m/s", "per joint, of each step", "`auto`"});
  f.add("projection", &DisturbanceConfig::projection, word<Projection>(),
        {"",
         "projection onto closed contacts and loops: `dynamic` is weighted by the inertia of the "
         "robot, `kinematic` is not, `none` is no projection; no effect without them. With "
         "`dynamic` the projected noise depends on the parameters, which biases them on long logs "
         "with large disturbances"});
}

void describe(Fields<InitialStateConfig>& f) {
  f.add("position", &InitialStateConfig::position, per_joint(positive()),
        {"rad, m", "std of the state before the first sample, per joint", "1e-2"});
  f.add("velocity", &InitialStateConfig::velocity, per_joint(positive()),
        {"rad/s, m/s",
         "the same for velocity; of a base with a pose sensor of std σ, at least √2 σ/dt: it is "
         "the difference of the first two poses",
         "1e-1"});
  f.add("mean", &InitialStateConfig::mean,
        keyed<double>({{"q.<joint>", number()}, {"v.<joint>", number()}}).if_any(),
        {"rad, m, rad/s, m/s",
         "mean of the state before the first sample: `{q.joint1: 0.1, v.joint1: 0}`",
         "first sample"});
  f.add("on_constraints", &InitialStateConfig::on_constraints, boolean(),
        {"", "loop and contact constraints are exact at the first sample; no effect without them"});
}

}  // namespace bayesid::config
