// SPDX-License-Identifier: BSD-3-Clause
#include "sensors/kinds.hpp"

namespace bayesid {

const std::vector<const SensorKind*>& sensor_kinds() {
  static const std::vector<const SensorKind*> all{&position_kind(), &velocity_kind(),
                                                  &pose_kind(),     &imu_kind(),
                                                  &wrench_kind(),   &torque_kind()};
  return all;
}

const SensorKind* kind_of_group(const std::string& group) {
  for (const SensorKind* kind : sensor_kinds()) {
    const std::string own = kind->group();
    if (own.empty() ? group.starts_with(kind->prefix()) : group == own) return kind;
  }
  return nullptr;
}

std::string group_of_channel(const std::string& channel) {
  for (const SensorKind* kind : sensor_kinds()) {
    if (!channel.starts_with(kind->prefix())) continue;
    const std::string own = kind->group();
    return own.empty() ? channel.substr(0, channel.rfind('.')) : own;
  }
  return "";
}

}  // namespace bayesid
