// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bayesid/problem.hpp"
#include "bayesid/sensor.hpp"

namespace bayesid {

/// A sensor along one recording: with its samples, at times of its own, or at starts of stages.
struct SensorTrack {
  std::unique_ptr<Sensor> sensor;
  SampledAt sampled_at = SampledAt::states;
  Eigen::VectorXd time;      // of its samples, as stamped
  std::vector<int> samples;  // at each stage's start; −1: none
  int delay = -1;            // among the sensors' parameters: stamp = time + delay; −1: none
  double first_delay = 0;    // its prior …
  double margin = 0;         // … and how far samples may move from there to other stages

  bool is_timed() const { return sampled_at == SampledAt::own_times; }
};

/// A sample of a sensor within a stage.
struct TimedSample {
  int track = 0, sample = 0;
  double after = 0;  // s from the start of the stage to the stamp, the delay included
};

/// The samples that fall into each stage.
struct Schedule {
  std::vector<TimedSample> samples;
  std::vector<int> first;  // stage k has samples[first[k]] … samples[first[k + 1] − 1]
};

/// Puts the samples of timed sensors into stages, with the delays in `values` (of the sensors'
/// parameters). Those that read accelerations stay where the first guess of their delay put them.
/// Samples nearer to the ends of the recording than the margin are left out.
/// docs/math/problem.md (8)
Schedule make_schedule(const std::vector<SensorTrack>& tracks, const Timeline& timeline,
                       const Eigen::VectorXd& values);

/// No stage holds more rows of timed sensors than this, whatever the delays.
int max_timed_rows(const std::vector<SensorTrack>& tracks, const Timeline& timeline);

/// For each stage that takes time the sample nearest to its start, when it is within half a step.
std::vector<int> samples_at_starts(const Timeline& timeline, const Eigen::VectorXd& time);

}  // namespace bayesid
