// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bayesid/identify.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/simulate.hpp"

namespace bayesid {

/// A Franka Panda, simulated with a known truth, and priors that are 70 % wrong.
struct DemoScene {
  Config config;  // with wrong priors
  std::shared_ptr<const Dynamics> truth;
  Simulation used;
  LoadedProblem loaded;                          // the problem of `used` …
  std::shared_ptr<const RobotProblem> held_out;  // … and of a motion that is not used
};
/// `urdf`: the Panda of example-robot-data.
DemoScene make_demo(const std::string& urdf, unsigned seed);

/// The same, identified.
struct Demo {
  DemoScene scene;
  Run run;
  std::map<std::string, double> truth;  // physical values by name
  EffortPredictions held_out;           // on the motion that was not used
};
Demo identify_demo(DemoScene scene, const RunOptions& options = {});

/// The document of --json: result.json with `truth` and `held_out_motion`.
std::string document_of(const Demo& demo);

/// The files of `identify`, with the log, its truth, and the URDF.
Files files_of(const Demo& demo, const std::string& folder);

}  // namespace bayesid
