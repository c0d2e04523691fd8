// SPDX-License-Identifier: BSD-3-Clause
#include "config/sensor_fields.hpp"

#include "config/sections.hpp"

namespace bayesid::config {
namespace {

template <typename T>
SensorFields sensor(const std::string& key, const std::string& channels,
                    std::map<std::string, T> MeasurementConfig::* pointer,
                    const Kind<T>& kind = table<T>(), const std::string& no_delay = "") {
  return {.key = key,
          .channels = channels,
          .no_delay = no_delay,
          .add = [=](Fields<MeasurementConfig>& fields) { fields.named(key, pointer, kind); },
          .names =
              [=](const MeasurementConfig& measurements) {
                std::vector<std::string> names;
                for (const auto& [name, one] : measurements.*pointer) names.push_back(name);
                return names;
              }};
}

/// One number for each joint that has such a sensor.
SensorFields joint_sensor(const std::string& key, const Doc& doc) {
  return {.key = key,
          .channels = ".+",
          .no_delay = "",
          .add =
              [=](Fields<MeasurementConfig>& fields) {
                fields.add(key,
                           member(&MeasurementConfig::joint_sensors,
                                  entry(key, per_joint(positive_or_auto()))),
                           doc);
              },
          .names = [](const MeasurementConfig&) { return std::vector<std::string>{}; }};
}

/// Belongs to the contact of its name, unless it names another.
Kind<WrenchConfig> wrench() {
  return table<WrenchConfig>().prepared(
      [](WrenchConfig& wrench, const Location& at) { wrench.contact = at.name; });
}

}  // namespace

const std::vector<SensorFields>& sensor_fields() {
  using M = MeasurementConfig;
  static const std::vector<SensorFields> all{
      sensor("pose.<frame>", "(p[xyz]|q[xyzw])", &M::poses),
      sensor("imu.<name>", "([aw][xyz]|q[xyzw])", &M::imus),
      sensor("wrench.<name>", "[ft][xyz]", &M::wrenches, wrench(),
             "delays of force sensors are not supported by this version; correct the stamps in the "
             "log"),
      joint_sensor("torque",
                   {"N·m, N",
                    "torque sensors behind the gear (`torque.<joint>`): the link-side torque, "
                    "without friction and armature of the motor. One number, a list, or a map of "
                    "the joints that have one",
                    "not used"}),
  };
  return all;
}

std::string channel_pattern() {
  std::string out = R"((q|v|tau|thrust|contact)\..+)";
  for (const SensorFields& sensor : sensor_fields()) {
    std::string start = sensor.key;
    if (sensor.key.ends_with('>')) {
      start = pattern_of(sensor.key);
      start = start.substr(1, start.size() - 2);
    }
    out += '|' + start + R"(\.)" + sensor.channels;
  }
  return out;
}

void describe(Fields<PoseConfig>& f) {
  f.needs({"position", "orientation"});
  f.add("position", &PoseConfig::position, positive_or_auto(),
        {"m", "position of the frame in the world, from motion capture or the like", "not used"});
  f.add("orientation", &PoseConfig::orientation, positive_or_auto(),
        {"rad", "its orientation; a pose has one of the two or both", "not used"});
}

void describe(Fields<ImuConfig>& f) {
  f.needs({"acceleration", "rate", "orientation"});
  f.include(&ImuConfig::place);
  f.add("acceleration", &ImuConfig::acceleration, positive_or_auto(),
        {"m/s²", "specific force: the sensor at rest measures gravity upward", "not used"});
  f.add("rate", &ImuConfig::rate, positive_or_auto(),
        {"rad/s", "angular velocity in sensor axes", "not used"});
  f.add("orientation", &ImuConfig::orientation, positive_or_auto(),
        {"rad", "of its axes in the world; at least one of the three is given", "not used"});
}

void describe(Fields<WrenchConfig>& f) {
  f.needs({"force", "torque"});
  f.add("contact", &WrenchConfig::contact,
        name().only_if([](const std::string& contact) { return !contact.empty(); }),
        {"", "contact of `model.contacts` whose force a sensor measures", "`<name>`"});
  f.add("force", &WrenchConfig::force, positive_or_auto(),
        {"N", "force of the ground on the robot, in the axes of the contact's frame", "not used"});
  f.add("torque", &WrenchConfig::torque, positive_or_auto(),
        {"N·m",
         "its moment about the frame's origin; contacts of type `frame` only; at least one of the "
         "two is given",
         "not used"});
}

}  // namespace bayesid::config
