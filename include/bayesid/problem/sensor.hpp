// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bayesid/observation/term.hpp"
#include "bayesid/problem/timeline.hpp"

namespace bayesid {

/// A sensor along one recording: on the samples of the recording, or at times of its own.
struct Sensor {
  std::unique_ptr<Term> term;
  bool is_timed = false;   // else its samples are those of the recording
  Eigen::VectorXd time;    // of its samples, as stamped
  int delay = -1;          // among the sensors' parameters: stamp = time + delay; −1: none
  double first_delay = 0;  // its prior …
  double margin = 0;       // … and how far samples may move from there to other stages
};

/// A sample of a sensor within a stage.
struct Seen {
  int sensor = 0, sample = 0;
  double after = 0;  // s from the start of the stage to the stamp, the delay included
};

/// The samples that fall into each stage.
struct Schedule {
  std::vector<Seen> seen;
  std::vector<int> first;  // stage k has seen[first[k]] … seen[first[k + 1] − 1]
};

/// Puts the samples of timed sensors into stages, with the delays in `values` (of the sensors'
/// parameters). Those that see accelerations stay where the first guess of their delay put them.
/// Samples nearer to the ends of the recording than the margin are left out.
/// docs/math/problem.md (8)
Schedule make_schedule(const std::vector<Sensor>& sensors, const Timeline& timeline,
                       const Eigen::VectorXd& values);

/// No stage holds more rows of timed sensors than this, whatever the delays.
int max_timed_rows(const std::vector<Sensor>& sensors, const Timeline& timeline);

}  // namespace bayesid
