// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/run.hpp"

namespace bayesid::pipeline {

/// A configuration as the config.yaml of `folder`, with program, version and seed at its head.
std::string stamped_config(const Config& config, const std::string& folder, unsigned seed);

/// Versions, files, command line and seed of a run; its config.yaml follows when it is known where
/// that will stand.
Provenance provenance_of(const Config& config, const RunOptions& options);

/// The same with the text of config.yaml.
Provenance with_config(Provenance provenance, const std::string& config_text);

}  // namespace bayesid::pipeline
