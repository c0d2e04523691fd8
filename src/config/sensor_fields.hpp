// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/fields.hpp"

namespace bayesid::config {

/// A kind of sensor, of which a robot has any number, in a configuration.
struct SensorFields {
  std::string key;       // in `measurements`: "imu.<name>"
  std::string channels;  // regular expression of what follows "imu.<name>." in a log
  std::string no_delay;  // why its delay cannot be given; "": it can
  std::function<void(Fields<MeasurementConfig>&)> add;
  std::function<std::vector<std::string>(const MeasurementConfig&)> names;

  /// "imu."
  std::string prefix() const { return prefix_of(key); }
};

/// All kinds of sensors: where a new one is registered.
const std::vector<SensorFields>& sensor_fields();

}  // namespace bayesid::config
