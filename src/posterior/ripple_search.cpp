// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/ripple_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "posterior/residual_features.hpp"

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr Index num_bins = 2048;
constexpr double fewest_periods = 2.5;  // in the range of the joint: below, a smooth curve does it
constexpr double most_periods = 400;    // five bins in each
constexpr double per_period = 4;        // rates looked at, per period more in the range
constexpr double rare = 0.005;

/// Sums of weighted residuals and of weights in narrow bins of the angle.
struct Bins {
  double low = 0, width = 0;
  std::array<VectorXd, num_folds> sums, weights;
};

std::optional<Bins> fill_bins(const VectorXd& angle, const Target& target) {
  const double low = quantile(angle, rare), high = quantile(angle, 1 - rare);
  if (!(high - low > 1e-6)) return std::nullopt;
  Bins out{.low = low, .width = (high - low) / num_bins};
  out.sums.fill(VectorXd::Zero(num_bins));
  out.weights.fill(VectorXd::Zero(num_bins));
  for (Index k = 0; k < target.size(); ++k) {
    const auto bin = static_cast<Index>(std::floor((angle[k] - low) / out.width));
    if (bin < 0 || bin >= num_bins) continue;
    out.sums[target.fold_of(k)][bin] += target.weight[k] * target.y[k];
    out.weights[target.fold_of(k)][bin] += target.weight[k];
  }
  return out;
}

/// Rates in steps of a quarter period over the range, as far as the samples resolve them.
VectorXd rates_of(const Bins& bins, Index num_samples) {
  const double range = bins.width * num_bins;
  const double most = std::min(most_periods, static_cast<double>(num_samples) / 5);
  const auto count = static_cast<Index>((most - fewest_periods) * per_period);
  const double periods = 2 * std::numbers::pi / range;
  return periods * VectorXd::LinSpaced(std::max<Index>(1, count), fewest_periods, most);
}

/// Σ w y e^{−i rate q} and Σ w e^{−2i rate q} over the bins of all folds but one (−1: of all).
struct Waves {
  VectorXcd of_y, of_twice;
  double weight = 0;
};

Waves sum_waves(const Bins& bins, const VectorXd& rates, int without) {
  Waves out{VectorXcd::Zero(rates.size()), VectorXcd::Zero(rates.size())};
  VectorXd sums = VectorXd::Zero(num_bins), weights = sums;
  for (int fold = 0; fold < num_folds; ++fold) {
    if (fold == without) continue;
    sums += bins.sums[fold];
    weights += bins.weights[fold];
  }
  out.weight = weights.sum();
  const double step = rates.size() > 1 ? rates[1] - rates[0] : 0;
  for (Index bin = 0; bin < num_bins; ++bin) {
    if (weights[bin] == 0) continue;
    const double q = bins.width * (static_cast<double>(bin) + 0.5);
    std::complex<double> wave = std::polar(1.0, -rates[0] * q);
    const std::complex<double> turn = std::polar(1.0, -step * q);
    for (Index i = 0; i < rates.size(); ++i) {
      out.of_y[i] += sums[bin] * wave;
      out.of_twice[i] += weights[bin] * wave * wave;
      wave *= turn;
    }
  }
  return out;
}

/// Decrease of Σ w y² by the best sin and cos of each rate.                                (4)
VectorXd decreases(const Waves& waves) {
  VectorXd out(waves.of_y.size());
  for (Index i = 0; i < out.size(); ++i) {
    const std::complex<double> y = waves.of_y[i], two = waves.of_twice[i];
    const double w = waves.weight, re = two.real(), im = two.imag();
    // Normal equations of cos and sin: ½ [[w + re, −im], [−im, w − re]].
    const double determinant = w * w - std::norm(two);
    if (!(determinant > 0.05 * w * w)) {
      out[i] = 0;
      continue;
    }
    const double c = y.real(), s = -y.imag();
    out[i] = 2 * ((w - re) * c * c + 2 * im * c * s + (w + re) * s * s) / determinant;
  }
  return out;
}

double best_rate(const Bins& bins, Index num_samples, int without) {
  const VectorXd rates = rates_of(bins, num_samples);
  Index best = 0;
  decreases(sum_waves(bins, rates, without)).maxCoeff(&best);
  constexpr Index finer = 33;
  const double step = rates.size() > 1 ? rates[1] - rates[0] : 0;
  const VectorXd near = VectorXd::LinSpaced(finer, rates[best] - step, rates[best] + step);
  decreases(sum_waves(bins, near, without)).maxCoeff(&best);
  return near[best];
}

MatrixXd wave_features(const VectorXd& angle, double rate) {
  MatrixXd out(angle.size(), 2);
  out.col(0) = std::numbers::sqrt2 * (rate * angle.array()).cos();
  out.col(1) = std::numbers::sqrt2 * (rate * angle.array()).sin();
  return out;
}

}  // namespace

RippleSpectrum ripple_spectrum(const VectorXd& angle, const Target& target) {
  const std::optional<Bins> bins = fill_bins(angle, target);
  if (!bins) return {};
  RippleSpectrum out{.rate = rates_of(*bins, target.size()), .amplitude = {}};
  const Waves waves = sum_waves(*bins, out.rate, -1);
  // Of a wave of amplitude A the mean square falls by A²/2.
  out.amplitude = (2 * decreases(waves) / waves.weight).cwiseMax(0).cwiseSqrt();
  return out;
}

std::optional<RippleFit> find_ripple(const VectorXd& angle, const Target& target) {
  const std::optional<Bins> bins = fill_bins(angle, target);
  if (!bins) return std::nullopt;
  RippleFit out{.rate = best_rate(*bins, target.size(), -1), .features = {}, .per_fold = {}};
  out.features = wave_features(angle, out.rate);
  for (int fold = 0; fold < num_folds; ++fold)
    out.per_fold.push_back(wave_features(angle, best_rate(*bins, target.size(), fold)));
  return out;
}

}  // namespace bayesid::posterior
