// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "posterior/held_out_fit.hpp"
#include "posterior/residual_samples.hpp"

namespace bayesid::posterior {

/// A wave in the angle of the joint: sin and cos of `rate` times the angle.
struct RippleFit {
  double rate = 0;                        // rad per rad, rad per m
  Eigen::MatrixXd features;               // at the rate found in all samples
  std::vector<Eigen::MatrixXd> per_fold;  // at the rate found without each fold
};

/// Amplitude of a wave of each rate in the angle, as least squares over all samples finds it.
struct RippleSpectrum {
  Eigen::VectorXd rate, amplitude;
};

/// Empty when the joint moves too little for any rate. docs/math/model_error.md (4)
RippleSpectrum ripple_spectrum(const Eigen::VectorXd& angle, const Target& target);

/// The strongest wave; absent when the joint moves too little.
std::optional<RippleFit> find_ripple(const Eigen::VectorXd& angle, const Target& target);

}  // namespace bayesid::posterior
