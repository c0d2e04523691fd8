// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <vector>

namespace bayesid {

/// Median of the time between two samples, of which there are at least two.
template <typename Times>  // a vector of Eigen or of the standard library
double median_step(const Times& time) {
  assert(time.size() > 1);
  std::vector<double> steps;
  for (std::ptrdiff_t k = 1; k < std::ssize(time); ++k) steps.push_back(time[k] - time[k - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace bayesid
