// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/identify.hpp"

namespace bayesid::pipeline {

/// Everything that a solution tells about the logs it was made of.
Run make_run(const Config& config, LoadedProblem loaded, Solution solution,
             const RunOptions& options);

/// The files of a run but those of its page.
Files result_files(const Run& run, const std::string& config_text);

}  // namespace bayesid::pipeline
