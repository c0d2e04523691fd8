// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/excitation/excite.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// The most informative motion of a configuration.
struct PlannedMotion {
  Config config;
  std::shared_ptr<const Dynamics> dynamics;  // at the prior
  Excitation excitation;
  std::vector<std::string> warnings;
  std::vector<Verdict> verdict;
  Provenance provenance;
};

struct PlanOptions {
  int num_random = 0;  // random feasible motions to compare with
  std::function<void(const ExcitationStep&)> on_step = {};
  RunOptions run = {};
};

/// Reads the robot and searches; logs are not needed. Throws InputError.
PlannedMotion excite(const Config& config, const PlanOptions& options = {});

/// excitation.json
std::string document_of(const PlannedMotion& planned, const std::string& folder);

/// What `bayesid excite` leaves: trajectory.csv, excitation.json, excitation.svg, robot.urdf,
/// config.yaml, series.bin, scene.json, report.html. None when no motion was found.
Files files_of(const PlannedMotion& planned, const std::string& folder);

}  // namespace bayesid
