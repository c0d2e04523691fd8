// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

struct Run;

/// Estimation coordinates by name, and where they come from.
struct IdentifiedParameters {
  std::string source;  // for messages
  std::map<std::string, double> values;
};
IdentifiedParameters identified_parameters(const Run& run);
/// From a folder of `bayesid identify`, or its result.json. Throws InputError.
IdentifiedParameters read_identified(const std::string& result);

/// Efforts of held-out logs, predicted with the priors and with what was identified.
struct Validation {
  Config config;
  LoadedProblem loaded;
  std::vector<std::string> joints;
  EffortPredictions efforts;
  std::vector<Verdict> verdict;
  Provenance provenance;
};

/// The motion is that of the motion sensors alone. Throws InputError, also when the configuration
/// has other parameters than the result.
Validation validate(const Config& config, const IdentifiedParameters& identified,
                    const RunOptions& options = {});

/// validation.json; without the index of series.bin when there is no folder.
std::string document_of(const Validation& validation, const std::string& folder = "");

/// What `bayesid validate --out` leaves: validation.json, prediction.csv, series.bin, scene.json,
/// report.html.
Files files_of(const Validation& validation, const std::string& folder);

}  // namespace bayesid
