// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid::test {

/// How error bars compare with errors over simulated logs.
struct Calibration {
  int num_logs = 0, num_converged = 0;
  int dimension = 0;            // of the identifiable combinations
  double normalised_error = 0;  // mean over logs of eᵀΣ⁻¹e
  int num_intervals =
      0;  // physical values determined by the data (prior below 5 % of the variance), over all logs
  int num_covered = 0;  // of them, truth inside the 95 % interval
};

/// Two-joint arm, logs seed = first … first + count − 1, inertias in a chart of blocks/.
Calibration calibrate(unsigned first, int count, const std::string& parametrisation = "ee");

}  // namespace bayesid::test
