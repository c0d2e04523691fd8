// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "math/median.hpp"

namespace bayesid {

// Jitter from which times count as irregular.
constexpr double clear_jitter = 0.05;

struct StepJitter {
  double step = 0;   // median
  double share = 0;  // std of the steps around it, over it
  bool is_clear() const { return share >= clear_jitter; }
};

/// Of increasing times. Steps half as long again as the usual one are lost samples, not jitter.
template <typename Times>  // a vector of Eigen or of the standard library
StepJitter step_jitter(const Times& time) {
  constexpr double lost = 1.5;
  constexpr std::ptrdiff_t fewest = 20;
  std::vector<double> steps;
  for (std::ptrdiff_t k = 1; k < std::ssize(time); ++k) steps.push_back(time[k] - time[k - 1]);
  StepJitter out{.step = median(steps)};
  double squares = 0, count = 0;
  for (const double step : steps) {
    if (step > lost * out.step) continue;
    squares += (step - out.step) * (step - out.step);
    ++count;
  }
  if (count >= fewest) out.share = std::sqrt(squares / count) / out.step;
  return out;
}

}  // namespace bayesid
