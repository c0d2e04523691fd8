// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "bayesid/init.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::pipeline {

/// Sensors beside those of the joints, by the names of their channels.
struct SensorNames {
  std::set<std::string> channels;  // all of the logs
  std::set<std::string> poses, imus, wrenches, rotors, contacts;
};

/// Does the root link move? It has mass, and sensors or contacts speak for it.
void ask_about_base(const Robot& robot, const SensorNames& sensors,
                    std::vector<DraftQuestion>& questions);

/// Where are they? No log says it.
void ask_about_sensors(const Robot& robot, const SensorNames& sensors,
                       std::vector<DraftQuestion>& questions);

}  // namespace bayesid::pipeline
