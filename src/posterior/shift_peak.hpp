// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace bayesid {

// A shift is believed when it is more than the step that integrators and samplers differ by, and
// halves what is unexplained.
constexpr double clear_shift = 1.5;  // samples
constexpr double clear_gain = 2;

/// Where two signals agree best.
struct ShiftPeak {
  double shift = 0;  // samples
  double gain = 1;   // misfit without shift / misfit there
};

/// Misfits at shifts −n … n samples; between samples by a parabola. A lowest misfit at the ends is
/// none: the signals are not shifted copies.
inline ShiftPeak lowest_shift(const std::vector<double>& misfit) {
  const auto half = std::ssize(misfit) / 2;
  const auto at = std::ranges::min_element(misfit) - misfit.begin();
  if (at == 0 || at + 1 == std::ssize(misfit) || !(misfit[at] < INFINITY)) return {};
  const double before = misfit[at - 1], here = misfit[at], after = misfit[at + 1];
  const double bend = before - 2 * here + after;
  const double part = bend > 0 ? 0.5 * (before - after) / bend : 0;
  return {.shift = static_cast<double>(at - half) + part,
          .gain = misfit[half] / std::max(here, 1e-300)};
}

}  // namespace bayesid
