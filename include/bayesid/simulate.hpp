// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bayesid/run.hpp"
#include "bayesid/simulation/simulate.hpp"

namespace bayesid {

/// Logs whose truth is known: the priors of a configuration.
struct SyntheticLogs {
  Config config;
  std::shared_ptr<const Dynamics> dynamics;
  std::vector<Simulation> logs;
  std::vector<std::string> warnings;
  unsigned seed = 0;
  bool interrupted = false;
};

/// As many logs as simulation.logs says, each with a seed of its own. Throws InputError.
SyntheticLogs simulate(const Config& config, const RunOptions& options = {});

/// What `bayesid simulate` leaves: config.yaml, whose priors are simulation.prior_error away from
/// the truth, truth.json, robot.urdf, log1.csv, truth_trajectory1.csv …, scene.json.
Files files_of(const SyntheticLogs& synthetic, const std::string& folder);

/// Writes them. Throws InputError when the folder cannot be written or holds other things.
void write_logs(const SyntheticLogs& synthetic, const std::string& folder);

/// Names of the files, seed and warnings as one JSON document.
std::string document_of(const SyntheticLogs& synthetic, const std::string& folder,
                        const Files& files);

}  // namespace bayesid
