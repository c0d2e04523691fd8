// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/resonance_search.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "posterior/residual_features.hpp"

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

/// Cooley and Tukey, in place; the length is a power of two.
void fourier(VectorXcd& x) {
  const Index n = x.size();
  const auto count = static_cast<size_t>(n);
  for (size_t i = 1, j = 0; i < count; ++i) {
    size_t bit = count >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[static_cast<Index>(i)], x[static_cast<Index>(j)]);
  }
  for (Index length = 2; length <= n; length *= 2) {
    const std::complex<double> turn =
        std::polar(1.0, -2 * std::numbers::pi / static_cast<double>(length));
    for (Index first = 0; first < n; first += length) {
      std::complex<double> wave = 1;
      for (Index k = first; k < first + length / 2; ++k, wave *= turn) {
        const std::complex<double> a = x[k], b = wave * x[k + length / 2];
        x[k] = a + b;
        x[k + length / 2] = a - b;
      }
    }
  }
}

/// A window of a log: its power at each frequency, and how fast the joint moved.
struct Window {
  VectorXd residual, speed;  // power of both
  double mean_speed = 0;
};

VectorXd power_of(const VectorXd& x) {
  const Index n = x.size();
  const VectorXd phase = VectorXd::LinSpaced(n, 0, static_cast<double>(n - 1)) *
                         (2 * std::numbers::pi / static_cast<double>(n));
  const VectorXd hann = std::sqrt(2.0 / 3.0) * (1 - phase.array().cos());
  VectorXcd spectrum =
      (hann.array() * (x.array() - x.mean())).matrix().cast<std::complex<double>>();
  fourier(spectrum);
  const double scale = 2 / std::pow(static_cast<double>(n), 2);
  return scale * spectrum.segment(1, n / 2 - 1).cwiseAbs2();
}

Index window_length(const std::vector<ResidualRun>& runs) {
  constexpr Index shortest = 64, longest = 1024, fewest = 12;
  Index total = 0;
  for (const ResidualRun& run : runs) total += run.residual.size();
  Index out = longest;
  while (out >= shortest && out * fewest / 2 > total) out /= 2;
  return out >= shortest ? out : 0;
}

std::vector<Window> make_windows(const std::vector<ResidualRun>& runs, Index length) {
  std::vector<Window> out;
  for (const ResidualRun& run : runs) {
    if (std::abs(run.dt - runs[0].dt) > 0.01 * runs[0].dt) continue;  // sampled at another rate
    for (Index k = 0; k + length <= run.residual.size(); k += length / 2) {
      const VectorXd v = run.speed.segment(k, length);
      out.push_back({power_of(run.residual.segment(k, length)), power_of(v), v.cwiseAbs().mean()});
    }
  }
  return out;
}

VectorXd mean_power(const std::vector<Window>& windows, const std::function<bool(size_t)>& take) {
  VectorXd out = VectorXd::Zero(windows[0].residual.size());
  double count = 0;
  for (size_t i = 0; i < windows.size(); ++i) {
    if (!take(i)) continue;
    out += windows[i].residual;
    ++count;
  }
  return count > 0 ? VectorXd(out / count) : out;
}

/// Median over a neighbourhood of half as much to twice as much, at least 16 frequencies.
VectorXd background(const VectorXd& power) {
  constexpr Index least = 8;
  VectorXd out(power.size());
  for (Index i = 0; i < power.size(); ++i) {
    const Index first = std::max<Index>(0, std::min(i - least, i / 2));
    const Index last = std::min<Index>(power.size() - 1, std::max(i + least, 2 * i));
    out[i] = quantile(power.segment(first, last - first + 1), 0.5);
  }
  return out;
}

/// The first frequency beyond nearly all of the motion's own power.
Index above_motion(const std::vector<Window>& windows) {
  VectorXd speed = VectorXd::Zero(windows[0].speed.size());
  for (const Window& one : windows) speed += one.speed;
  double left = speed.sum();
  const double little = 0.002 * left;
  Index i = 0;
  while (i < speed.size() && left > little) left -= speed[i++];
  return std::max<Index>(4, i + 2);
}

struct Band {
  Index first = 0, last = -1, peak = 0;
};

/// Around the highest peak: as far as the power is twice that of the background.
Band find_band(const VectorXd& ratio, Index from) {
  constexpr double in_band = 2;
  Band out;
  if (from >= ratio.size()) return out;
  ratio.tail(ratio.size() - from).maxCoeff(&out.peak);
  out.peak += from;
  out.first = out.last = out.peak;
  while (out.first > from && ratio[out.first - 1] > in_band) --out.first;
  while (out.last + 1 < ratio.size() && ratio[out.last + 1] > in_band) ++out.last;
  return out;
}

double excess(const VectorXd& power, const VectorXd& beside, const Band& band) {
  const Index n = band.last - band.first + 1;
  return (power - beside).segment(band.first, n).sum();
}

/// The slow and the fast half of the windows both have their highest peak in the band: a ripple
/// would follow the speed.
bool is_at_any_speed(const std::vector<Window>& windows, const Band& band) {
  constexpr double at_any_speed = 2;
  VectorXd speeds(std::ssize(windows));
  for (Index i = 0; i < speeds.size(); ++i) speeds[i] = windows[i].mean_speed;
  const double usual = quantile(speeds, 0.5);
  for (const bool is_slow : {true, false}) {
    const VectorXd own =
        mean_power(windows, [&](size_t i) { return (windows[i].mean_speed <= usual) == is_slow; });
    if (own.sum() == 0) continue;  // all the same
    const VectorXd own_ratio = own.cwiseQuotient(background(own));
    const Band there = find_band(own_ratio, above_motion(windows));
    if (own_ratio[band.peak] < at_any_speed || there.peak < band.first - 1 ||
        there.peak > band.last + 1)
      return false;
  }
  return true;
}

}  // namespace

PowerSpectrum power_spectrum(const std::vector<ResidualRun>& runs) {
  const Index length = window_length(runs);
  if (length == 0) return {};
  const std::vector<Window> windows = make_windows(runs, length);
  if (windows.empty()) return {};
  PowerSpectrum out{.frequency = {}, .power = mean_power(windows, [](size_t) { return true; })};
  const Index n = out.power.size();
  out.frequency = VectorXd::LinSpaced(n, 1, static_cast<double>(n)) /
                  (static_cast<double>(length) * runs[0].dt);
  return out;
}

/// The band is found in every second pair of windows and judged in the others.            (5)
std::optional<Resonance> find_resonance(const std::vector<ResidualRun>& runs) {
  constexpr double clear = 4, narrow = 0.4;
  const Index length = window_length(runs);
  if (length == 0) return std::nullopt;
  const std::vector<Window> windows = make_windows(runs, length);
  if (windows.size() < 8) return std::nullopt;
  const VectorXd found_in = mean_power(windows, [](size_t i) { return i / 2 % 2 == 0; });
  const VectorXd judged_in = mean_power(windows, [](size_t i) { return i / 2 % 2 == 1; });
  const VectorXd ratio = found_in.cwiseQuotient(background(found_in));
  const Band band = find_band(ratio, above_motion(windows));
  if (band.last < band.first || ratio[band.peak] < clear) return std::nullopt;
  if (band.first == 0 || band.last + 1 == ratio.size()) return std::nullopt;  // no peak
  if (static_cast<double>(band.last - band.first) > 3 + narrow * static_cast<double>(band.peak))
    return std::nullopt;
  if (!is_at_any_speed(windows, band)) return std::nullopt;
  const VectorXd beside = background(judged_in);
  const double power = excess(judged_in, beside, band);
  const double bin = 1 / (static_cast<double>(length) * runs[0].dt);
  const Index n = band.last - band.first + 1;
  const VectorXd bins = VectorXd::LinSpaced(n, static_cast<double>(band.first + 1),
                                            static_cast<double>(band.last + 1));
  const VectorXd weights = (judged_in - beside).segment(band.first, n).cwiseMax(0);
  if (!(power > 0) || !(weights.sum() > 0)) return std::nullopt;
  const double varying = 0.5 * (found_in.sum() + judged_in.sum());
  double total = 0;  // mean square, the mean included
  Index count = 0;
  for (const ResidualRun& run : runs) {
    total += run.residual.squaredNorm();
    count += run.residual.size();
  }
  return Resonance{
      .frequency = bin * bins.dot(weights) / weights.sum(),
      .amplitude = std::sqrt(2 * power),
      .share = power / judged_in.sum() * varying / (total / static_cast<double>(count)),
      .significance = judged_in[band.peak] / beside[band.peak]};
}

}  // namespace bayesid::posterior
