// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "bayesid/sensor.hpp"

namespace bayesid {

/// Adds a kind of your own to sensor_kinds(), for every log, problem and simulation of this process
/// that is made later; from any thread. It has a clock of its own or is read where stages begin,
/// and it knows its standard deviations itself: Noise has no place for them. Throws InputError
/// where its channels could be those of another kind.
void register_sensor_kind(std::unique_ptr<const SensorKind> kind);

}  // namespace bayesid
