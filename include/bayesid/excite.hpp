// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/run.hpp"
#include "bayesid/simulate.hpp"

namespace bayesid {

/// A row of the search: which start, which iteration.
struct ExcitationStep {
  int start = 0, iteration = 0;
  double value = 0;      // of the criterion, to be made small
  double violation = 0;  // of limits, as a share of them
};

/// How one start ended.
struct ExcitationAttempt {
  std::string status;  // in words
  int iterations = 0;
  double value = 0;
  double margin = 0;  // of all limits on the grid, as a share of them; negative: violated
};

/// How near the motion comes to a limit, on a grid ten times finer than the search's.
struct LimitMargin {
  std::string name, of, unit;  // "effort", joint or contact
  double value = 0, time = 0;  // where it comes nearest
  double lower, upper;         // of the robot
  double margin = 0;           // to the robot's limit, in units
  double allowed = 0;          // to the share of it that the motion may use
};

/// Predicted information of the log of a motion: its problem, linearised at the prior.
struct ExcitationForecast {
  double log_det_gain = 0;  // nats: log det of the posterior precision over the prior's
  double log_det_data = 0;  // of the data alone about the identifiable base parameters
  int num_parameters = 0;
  Posterior posterior;
  Identifiability identifiability;
};

struct Excitation {
  bool found = false, interrupted = false;
  MotionTable motion;  // at the rate of the configuration, both ends included
  std::vector<std::string> joints;
  std::vector<ExcitationAttempt> attempts;
  int best = 0;        // of the attempts
  double value = 0;    // of the criterion, of the motion kept
  int num_points = 0;  // of the search's grid
  int rounds = 0;      // solved again with more times
  double shrunk = 1;   // share of the last solution that keeps all limits between the times
  std::vector<LimitMargin> margins;  // least of each
  double constraint_error = 0;       // largest constraint error of loops and contacts, m or rad
  ExcitationForecast forecast;
  // Of random motions, without posterior: of a random size within limits, and as large as these
  // allow.
  std::vector<ExcitationForecast> random, largest_random;
};

struct ExciteOptions {
  int num_threads = 1;
  unsigned seed = 0;
  int num_random = 0;  // random feasible motions to compare with
  std::function<void(const ExcitationStep&)> on_step;
  std::function<bool()> stop;  // true: interrupted
};

/// The most informative motion of Fourier series within limits. Throws InputError when the start
/// itself does not keep them.                                           docs/math/excitation.md
Excitation excite(const Dynamics& dynamics, const Config& config, const ExciteOptions& options);

/// Predicted information of such a log about the parameters.
ExcitationForecast forecast(const Dynamics& dynamics, const Config& config,
                            const MotionTable& motion, int num_threads);

/// The numbers alone, without posterior: `structural_rank` base parameters are identifiable.
ExcitationForecast forecast_gain(const Dynamics& dynamics, const Config& config,
                                 const MotionTable& motion, int structural_rank, int num_threads);

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
