// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "bayesid/solver/solve.hpp"

namespace bayesid {

/// One sample of a sensor at the solution, beside what the model expects of it. All in stated
/// standard deviations of the sensor.
struct SampleStatistics {
  RowName name;
  int node = 0;               // of the path at or before it
  double residual = 0;        // of the solution
  double residual_std = 0;    // expected of it: below 1, as the solution follows its data
  double innovation = 0;      // the residual before it and all later samples are known …
  double innovation_std = 0;  // … and what is expected; 0: has none, its error moves the state
};

/// What is expected along one trajectory.
struct PathStatistics {
  Eigen::MatrixXd state_std;  // nx × (N+1), positions and velocities first
  std::vector<SampleStatistics> samples;
};

/// Standard deviations of all states, the parameters' uncertainty included, and the statistics of
/// all sensors. Innovations are those of a forward filter with the parameters at their estimate.
/// The time is linear in the length of the logs.                docs/math/riccati.md (18),
/// (28)-(34)
std::vector<PathStatistics> path_statistics(const Problem& problem, const Solution& solution,
                                            int num_threads);

/// Of one trajectory, the states alone.
Eigen::MatrixXd state_std(const Problem& problem, const Solution& solution, int trajectory,
                          int num_threads);

}  // namespace bayesid
