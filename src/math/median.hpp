// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bayesid {

/// The middle one of the numbers, the upper one when there are two; 0 of none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Standard deviation around zero of a normal distribution with this median size.
inline double robust_std(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return 1.4826 * median(std::move(values));
}

}  // namespace bayesid
