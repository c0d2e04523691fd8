// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/residual_curves.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posterior/residual_features.hpp"
#include "posterior/resonance_search.hpp"
#include "posterior/ripple_search.hpp"

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr int num_bins = 40, num_phases = 24;
constexpr Index most_points = 200;  // of a spectrum

/// `place`: where a sample lies, 0 … 1 from the first bin to the end of the last.
BinnedCurve in_bins(const VectorXd& x, const VectorXd& place, const VectorXd& y, int count) {
  VectorXd n = VectorXd::Zero(count), at = n, mean = n, squares = n;
  for (Index k = 0; k < x.size(); ++k) {
    if (!(place[k] >= 0 && place[k] <= 1)) continue;
    const Index bin = std::min<Index>(count - 1, static_cast<Index>(count * place[k]));
    n[bin] += 1;
    at[bin] += x[k];
    mean[bin] += y[k];
    squares[bin] += y[k] * y[k];
  }
  BinnedCurve out;
  std::vector<double> centres, means, stds;
  for (Index bin = 0; bin < count; ++bin) {
    if (n[bin] == 0) continue;
    centres.push_back(at[bin] / n[bin]);
    means.push_back(mean[bin] / n[bin]);
    stds.push_back(std::sqrt(std::max(0.0, squares[bin] / n[bin] - std::pow(means.back(), 2))));
    out.counts.push_back(static_cast<int>(n[bin]));
  }
  out.at = Eigen::Map<VectorXd>(centres.data(), std::ssize(centres));
  out.mean = Eigen::Map<VectorXd>(means.data(), std::ssize(means));
  out.std = Eigen::Map<VectorXd>(stds.data(), std::ssize(stds));
  return out;
}

/// From the smallest to the largest; all in the middle when nothing moves.
VectorXd evenly(const VectorXd& x) {
  const double low = x.minCoeff(), span = x.maxCoeff() - low;
  if (!(span > 0)) return VectorXd::Constant(x.size(), 0.5);
  return (x.array() - low) / span;
}

/// Narrow bins near zero speed: signed roots.
VectorXd dense_at_zero(const VectorXd& v) {
  const double fastest = v.cwiseAbs().maxCoeff();
  if (!(fastest > 0)) return VectorXd::Constant(v.size(), 0.5);
  return 0.5 * (1 + v.array().sign() * (v.array().abs() / fastest).sqrt());
}

BinnedCurve named(BinnedCurve curve, const char* variable, const std::string& unit) {
  curve.variable = variable;
  curve.unit = unit;
  return curve;
}

/// The largest amplitude of neighbours, so that no peak is lost.
ResidualSpectrum shortened(const std::string& unit, const VectorXd& frequency,
                           const VectorXd& amplitude) {
  const Index every = 1 + (frequency.size() - 1) / most_points;
  const Index count = (frequency.size() + every - 1) / every;
  ResidualSpectrum out{unit, VectorXd(count), VectorXd(count)};
  for (Index i = 0; i < count; ++i) {
    const Index first = i * every, n = std::min(every, frequency.size() - first);
    Index peak = 0;
    out.amplitude[i] = amplitude.segment(first, n).maxCoeff(&peak);
    out.frequency[i] = frequency[first + peak];
  }
  return out;
}

}  // namespace

std::vector<BinnedCurve> residual_curves(const ResidualSamples& samples) {
  if (samples.size() == 0) return {};
  const VectorXd& r = samples.residual;
  return {named(in_bins(samples.angle, evenly(samples.angle), r, num_bins), "angle",
                samples.angle_unit),
          named(in_bins(samples.speed, dense_at_zero(samples.speed), r, num_bins), "speed",
                samples.angle_unit + "/s"),
          named(in_bins(samples.time, evenly(samples.time), r, num_bins), "time", "s")};
}

BinnedCurve phase_curve(const ResidualSamples& samples, double rate) {
  VectorXd phase = rate / (2 * std::numbers::pi) * samples.angle;
  phase.array() -= phase.array().floor();
  return named(in_bins(phase, phase, samples.residual, num_phases), "phase", "periods");
}

std::vector<ResidualSpectrum> residual_spectra(const ResidualSamples& samples) {
  std::vector<ResidualSpectrum> out;
  const PowerSpectrum power = power_spectrum(samples.runs);
  if (power.power.size() > 0)
    out.push_back(shortened("Hz", power.frequency, (2 * power.power).cwiseSqrt()));
  const Target all{samples.residual, VectorXd::Ones(samples.size())};
  const RippleSpectrum waves = ripple_spectrum(samples.angle, all);
  if (waves.rate.size() == 0) return out;
  const bool slides = samples.angle_unit == "m";
  const double unit = slides ? 1 / (2 * std::numbers::pi) : 1;
  out.push_back(
      shortened(slides ? "periods per m" : "periods per turn", unit * waves.rate, waves.amplitude));
  return out;
}

}  // namespace bayesid::posterior
