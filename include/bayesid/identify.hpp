// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/problem.hpp"
#include "bayesid/result.hpp"
#include "bayesid/run.hpp"

namespace bayesid {

/// A robot identified from its logs.
struct Run {
  Config config;
  LoadedProblem loaded;  // the problem, and what was said while robot and logs were read
  Solution solution;     // the estimate as the solver has it
  Result result;         // the same in numbers for people and programs, with error bars

  bool converged() const { return solution.converged(); }
};

/// Reads robot and logs, checks them, finds the maximum a posteriori and its error bars. A robot on
/// a fixed base that does not converge from the measured states is tried once more from the
/// decoupled estimate, and the better of both counts. Throws InputError for what cannot be meant.
Run identify(const Config& config, const RunOptions& options = {});

/// Goes on from the checkpoint.bin that an interrupted run has left. Throws InputError when it is
/// missing, damaged, or of another problem.
Run resume(const Config& config, const std::string& checkpoint, const RunOptions& options = {});

/// What `bayesid identify` leaves: result.json, identified.urdf, actuation.yaml, trajectory.csv,
/// series.bin, config.yaml, scene.json, report.html and, of an interrupted run, checkpoint.bin.
/// Paths in config.yaml are relative to `folder`, where they will stand.
Files files_of(const Run& run, const std::string& folder);

/// Writes them. Throws InputError when the folder cannot be written or contains other files.
void write_run(const Run& run, const std::string& folder);

}  // namespace bayesid
