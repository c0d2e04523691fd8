// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/sensor.hpp"

namespace bayesid {

const SensorKind& position_kind();
const SensorKind& velocity_kind();
const SensorKind& pose_kind();
const SensorKind& imu_kind();
const SensorKind& wrench_kind();
const SensorKind& torque_kind();

}  // namespace bayesid
