// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/fields.hpp"

namespace bayesid::config {

/// A kind of sensor in a configuration: of which a robot has any number, or one for each joint.
struct SensorFields {
  std::string key;       // in `measurements`: "imu.<name>", "torque"
  std::string channels;  // regular expression of what follows "imu.<name>.", "torque." in a log
  std::string no_delay;  // why its delay cannot be given; "": it can
  std::function<void(Fields<MeasurementConfig>&)> add;
  std::function<std::vector<std::string>(const MeasurementConfig&)> names;

  /// "imu.", "torque"
  std::string prefix() const { return prefix_of(key); }
};

/// All kinds of sensors: where a new one is registered.
const std::vector<SensorFields>& sensor_fields();

/// Regular expression of the channels that a log can have, `time` aside.
std::string channel_pattern();

}  // namespace bayesid::config
