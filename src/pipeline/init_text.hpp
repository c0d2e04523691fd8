// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/robot.hpp"
#include "pipeline/init_log.hpp"
#include "pipeline/init_model.hpp"

namespace bayesid::pipeline {

/// The configuration with its comments; paths are relative to the folder of `file`. Questions that
/// belong to no section stand at the end.
std::string draft_text(const Robot& robot, const ModelDraft& model,
                       const std::vector<LogDraft>& logs, const std::vector<DraftQuestion>& others,
                       const std::string& file);

}  // namespace bayesid::pipeline
