// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

namespace bayesid {

/// Noise of a channel that went through a low-pass filter before it was stored.
struct FilteredNoise {
  double correlated = 1;  // samples of a correlation time: half the sampling rate over the cutoff
  double std = 0;         // of white noise with the spectral density that it has below the cutoff
};

/// From the differences of samples 1, 2, 4 … apart (docs/math/noise.md). None: the noise is white,
/// or hidden by the motion.
std::optional<FilteredNoise> find_filter(const std::vector<double>& values);

}  // namespace bayesid
