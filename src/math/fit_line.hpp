// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

namespace bayesid {

/// y ≈ slope · x + constant, by least squares.
struct Line {
  double slope = 0, correlation = 0;
  double x_std = 0, y_std = 0;
  /// Share of the variance of y that it leaves.
  double unexplained() const { return 1 - correlation * correlation; }
};

inline Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double x_mean = 0, y_mean = 0;
  for (const double value : x) x_mean += value / n;
  for (const double value : y) y_mean += value / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - x_mean) * (x[k] - x_mean);
    xy += (x[k] - x_mean) * (y[k] - y_mean);
    yy += (y[k] - y_mean) * (y[k] - y_mean);
  }
  if (!(xx > 0) || !(yy > 0)) return {};
  return {.slope = xy / xx,
          .correlation = xy / std::sqrt(xx * yy),
          .x_std = std::sqrt(xx / n),
          .y_std = std::sqrt(yy / n)};
}

}  // namespace bayesid
