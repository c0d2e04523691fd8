// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/posterior.hpp"
#include "posterior/residual_samples.hpp"

namespace bayesid::posterior {

/// The residual over angle, speed and time, in bins.
std::vector<BinnedCurve> residual_curves(const ResidualSamples& samples);

/// The residual over the phase of a ripple, 0 … 1.
BinnedCurve phase_curve(const ResidualSamples& samples, double rate);

/// Amplitudes over frequency, and of waves in the angle.
std::vector<ResidualSpectrum> residual_spectra(const ResidualSamples& samples);

}  // namespace bayesid::posterior
