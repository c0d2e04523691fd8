// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bayesid {

/// A stage: from one node to the next, or the moment of an impact.
struct StagePlan {
  double dt = 0;   // s; 0 for an impact
  int sample = 0;  // of the recording whose effort acts
  int mode = 0;    // index in Timeline::modes
  bool impact = false;
};

/// Where a stage stands in the windows of the balance of energy.
struct EnergyWindow {
  int first = -1;     // stage its window begins with; −1: in none
  bool ends = false;  // with this stage
};

}  // namespace bayesid
