// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "pipeline/init_log.hpp"
#include "pipeline/init_model.hpp"

namespace bayesid::pipeline {

/// Loads what was drafted as `check` does. What that refuses is a question, and so are efforts that
/// the model contradicts; other diagnostics are notes of their log.
void compare_with_model(const ModelDraft& model, std::vector<LogDraft>& logs,
                        std::vector<DraftQuestion>& questions);

}  // namespace bayesid::pipeline
