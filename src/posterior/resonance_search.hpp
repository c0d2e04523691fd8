// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "posterior/residual_samples.hpp"

namespace bayesid::posterior {

/// A peak of the spectrum of a residual that stays where it is at any speed.
struct Resonance {
  double frequency = 0;     // Hz
  double amplitude = 0;     // √(2 · power in the band), in the unit of the residual
  double share = 0;         // of the mean square, above the spectrum beside the peak
  double significance = 0;  // height of the peak over the spectrum beside it
};

/// Mean power over frequency, Hann windows that overlap by half.
struct PowerSpectrum {
  Eigen::VectorXd frequency, power;  // one-sided, sums up to the mean square
};

/// Empty when the log is too short.
PowerSpectrum power_spectrum(const std::vector<ResidualRun>& runs);

/// docs/math/model_error.md (5)
std::optional<Resonance> find_resonance(const std::vector<ResidualRun>& runs);

}  // namespace bayesid::posterior
