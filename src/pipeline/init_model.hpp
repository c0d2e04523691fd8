// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/init.hpp"
#include "bayesid/robot.hpp"
#include "pipeline/init_log.hpp"

namespace bayesid::pipeline {

/// What logs tell about the robot.
struct ModelDraft {
  ModelConfig config;
  std::vector<std::string> torque_sensors;  // joints with a sensor behind the gear
  std::vector<DraftQuestion> questions;
};

/// Joints that the logs lack, contacts, and questions about the base and its sensors.
ModelDraft draft_model(const Robot& robot, const std::vector<LogDraft>& logs);

}  // namespace bayesid::pipeline
