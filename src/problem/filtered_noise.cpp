// SPDX-License-Identifier: BSD-3-Clause
#include "problem/filtered_noise.hpp"

#include <algorithm>
#include <cmath>

#include "math/median.hpp"

namespace bayesid {

namespace {

using Values = std::vector<double>;

constexpr int low = 7, high = 9;    // orders of the differences
constexpr std::size_t fewest = 60;  // samples `apart`, for a number that is worth comparing
constexpr double alike = 1.15;      // both orders, where noise is white
constexpr double flat = 1.5;        // over an octave, where its samples are nearly independent …
constexpr double flatter = 1.2;     // … and where they are
constexpr double falling = 1.5;     // the lower order above the higher one, at the sampling rate
constexpr double cliff = 4;         // the first octave, where a filter ends in a zero
constexpr double steep = 1.6;       // over an octave, where a filter cuts …
constexpr double deep = 3;          // … down to less than this of it at the sampling rate
constexpr double no_motion = 0.01;  // of the root mean square: noise is far below that

/// Std of the noise that differences of samples `apart` from each other show, if it is white: the
/// variance of a difference of order n is σ² (2n)!/n!².
double noise_apart(Values values, std::size_t apart, int order) {
  std::size_t left = values.size();
  for (int i = 0; i < order; ++i) {
    left -= apart;
    for (std::size_t k = 0; k < left; ++k) values[k] = values[k + apart] - values[k];
  }
  values.resize(left);
  const double variance = std::tgamma(2 * order + 1) / std::pow(std::tgamma(order + 1), 2);
  return robust_std(std::move(values)) / std::sqrt(variance);
}

double spread_of(const Values& values) {
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  const double count = std::max<double>(1, static_cast<double>(values.size())), mean = sum / count;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / count);
}

/// Noise in samples 1, 2, 4 … apart. A filter makes it grow until samples are independent; motion
/// makes it grow, too, but what differences of both orders agree on is none.
class Octaves {
 public:
  explicit Octaves(const Values& values) : largest_(no_motion * spread_of(values)) {
    for (std::size_t apart = 1; apart * fewest <= values.size(); apart *= 2) {
      noise_.push_back(noise_apart(values, apart, high));
      other_.push_back(noise_apart(values, apart, low));
    }
  }

  /// Where the samples are independent; 0: nowhere, or everywhere.
  std::size_t independent() const {
    std::size_t hidden = 0;
    for (std::size_t i = 1; i < noise_.size(); ++i) {
      // The first octave of the plateau may be the last of the slope.
      if (!is_white(i) || !(is_cut_above(i) || is_cut_above(i - 1))) continue;
      if (noise_[i] < deep * noise_[0]) continue;
      if (is_flat(i)) return end_of_slope(i);
      if (noise_[i] < largest_) hidden = i;
    }
    // The plateau is below the motion.
    return falls_up_to_the_end(hidden) ? hidden : 0;
  }

  FilteredNoise at(std::size_t i) const {
    const double correlated = half_at(i);
    return {.correlated = correlated, .std = noise_[i] * std::sqrt(correlated)};
  }

 private:
  bool is_white(std::size_t i) const {
    return std::max(noise_[i], other_[i]) <= alike * std::min(noise_[i], other_[i]);
  }

  /// A filter cuts up to the end; a sensor alone, its steps or a motion with sudden changes do not.
  bool falls_up_to_the_end(std::size_t i) const {
    for (std::size_t k = 1; k <= i; ++k) {
      if (noise_[k] < steep * noise_[k - 1]) return false;
    }
    return i > 0 && (other_[0] > falling * noise_[0] || noise_[1] > cliff * noise_[0]);
  }

  /// Neither less nor more noise an octave lower.
  bool is_flat(std::size_t i) const {
    return i + 1 < noise_.size() && noise_[i + 1] < flat * noise_[i] &&
           noise_[i] < flat * noise_[i + 1];
  }

  std::size_t end_of_slope(std::size_t i) const {
    while (is_flat(i) && is_white(i + 1) && noise_[i + 1] > flatter * noise_[i]) ++i;
    return i;
  }

  bool is_cut_above(std::size_t i) const {
    return i > 0 && noise_[i] > deep * noise_[0] && noise_[i] > steep * noise_[i - 1];
  }

  /// How far apart samples are whose variance is half of that at i, on a straight line between
  /// logarithms.
  double half_at(std::size_t i) const {
    const double half = noise_[i] * std::sqrt(0.5);
    while (i > 1 && noise_[i - 1] > half) --i;
    const double share = std::log(half / noise_[i - 1]) / std::log(noise_[i] / noise_[i - 1]);
    return std::exp2(static_cast<double>(i - 1) + share);
  }

  double largest_;
  Values noise_, other_;
};

}  // namespace

std::optional<FilteredNoise> find_filter(const Values& all) {
  Values values;
  std::ranges::copy_if(all, std::back_inserter(values), [](double x) { return std::isfinite(x); });
  const Octaves octaves(values);
  const std::size_t i = octaves.independent();
  if (i == 0) return std::nullopt;
  return octaves.at(i);
}

}  // namespace bayesid
