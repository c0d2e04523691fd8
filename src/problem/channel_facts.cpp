// SPDX-License-Identifier: BSD-3-Clause
#include "problem/channel_facts.hpp"

#include <algorithm>
#include <cmath>

#include "math/median.hpp"
#include "math/median_step.hpp"
#include "math/step_jitter.hpp"
#include "problem/channel_groups.hpp"

namespace bayesid {

namespace {

using Values = std::vector<double>;

constexpr int fewest_for_noise = 20;
// White noise gives the same number from both differences, to a few percent; motion does not.
constexpr double agreement = 1.3;
// Share of the range per sample, in root mean square; a sine of 12 samples has 0.18. Slower motion
// has differences that are noise.
constexpr double least_motion = 0.05;

Values measured(const Values& values) {
  Values out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double x) { return std::isfinite(x); });
  return out;
}

/// There are more values than `order`.
Values differences(const Values& values, int order) {
  Values out = values;
  std::size_t left = out.size();
  for (int i = 0; i < order; ++i, --left) {
    for (std::size_t k = 0; k + 1 < left; ++k) out[k] = out[k + 1] - out[k];
  }
  return Values(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(left));
}

double root_mean_square(const Values& values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// Divided differences, scaled so that white noise keeps its σ.
Values divided_differences(const Values& values, const Values& time, int order) {
  Values out;
  const auto points = static_cast<std::size_t>(order) + 1;
  for (std::size_t k = 0; k + points <= values.size(); ++k) {
    double sum = 0, squares = 0;
    for (std::size_t i = k; i < k + points; ++i) {
      double weight = 1;
      for (std::size_t j = k; j < k + points; ++j) {
        if (j != i) weight *= (time[k + 1] - time[k]) / (time[i] - time[j]);
      }
      sum += weight * values[i];
      squares += weight * weight;
    }
    out.push_back(sum / std::sqrt(squares));
  }
  return out;
}

/// A difference of order n of white noise has the variance σ² (2n)!/n!². Without times they are
/// regular.
double white_noise(const Values& values, const Values& time, int order) {
  if (!time.empty()) return robust_std(divided_differences(values, time, order));
  const double variance = std::tgamma(2 * order + 1) / std::pow(std::tgamma(order + 1), 2);
  return robust_std(differences(values, order)) / std::sqrt(variance);
}

void add_noise(const Values& values, const Values& time, ChannelFacts& out) {
  if (out.samples < fewest_for_noise) return;
  const double third = white_noise(values, time, 3), fifth = white_noise(values, time, 5);
  out.noise = std::min(third, fifth);
  out.is_white = out.noise > 0 && std::max(third, fifth) < agreement * out.noise;
  const double slope = root_mean_square(differences(values, 1));
  if (slope > least_motion * (out.highest - out.lowest))
    out.sharpness = root_mean_square(differences(values, 2)) / slope;
}

/// The smallest distance of two values, when all near neighbours are multiples of it apart.
double step_of(Values values) {
  const std::size_t samples = values.size();
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  // Numbers of a sensor without steps hardly repeat.
  if (values.size() < 3 || 2 * values.size() > samples) return 0;
  const Values apart = differences(values, 1);
  const double rounding = 1e-9 * std::max(std::abs(values.front()), std::abs(values.back()));
  double step = INFINITY;
  for (const double d : apart) step = d > rounding ? std::min(step, d) : step;
  constexpr double most_steps = 20, misfit = 0.05, share = 0.95;
  constexpr int fewest = 5;  // one in ten distances is a multiple by chance
  int near = 0, multiples = 0;
  for (const double d : apart) {
    if (d <= rounding || d > most_steps * step) continue;
    ++near;
    if (std::abs(d / step - std::round(d / step)) < misfit) ++multiples;
  }
  return near >= fewest && multiples >= share * near ? step : 0;
}

/// Median length of the runs of equal values.
double repeats_of(const Values& values) {
  Values runs;
  double run = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (values[k] == values[k - 1]) {
      ++run;
    } else {
      runs.push_back(run);
      run = 1;
    }
  }
  runs.push_back(run);
  return median(runs);
}

void add_extremes(const Values& values, ChannelFacts& out) {
  const auto [low, high] = std::ranges::minmax_element(values);
  out.lowest = *low;
  out.highest = *high;
  const auto at = [&](double x) { return static_cast<int>(std::ranges::count(values, x)); };
  const int below = at(out.lowest), above = at(out.highest);
  out.at_extreme = std::max(below, above);
  out.extreme = above >= below ? out.highest : out.lowest;
}

GroupFacts describe_group(const Log& log, const std::vector<int>& rows) {
  GroupFacts out{.samples = static_cast<int>(rows.size())};
  Values time;
  for (const int row : rows) time.push_back(log.time[row]);
  if (time.size() < 2) return out;
  out.rate = 1 / median_step(time);
  for (std::size_t k = 1; k < time.size(); ++k) {
    if (time[k] - time[k - 1] <= out.longest_gap) continue;
    out.longest_gap = time[k] - time[k - 1];
    out.longest_gap_at = time[k - 1];
  }
  return out;
}

}  // namespace

ChannelFacts describe_channel(const Values& all) {
  return describe_channel(all, {});
}

ChannelFacts describe_channel(const Values& all, const Values& all_times) {
  const Values values = measured(all);
  Values time;
  for (std::size_t k = 0; k < all_times.size(); ++k) {
    if (std::isfinite(all[k])) time.push_back(all_times[k]);
  }
  if (!step_jitter(time).is_clear()) time.clear();
  ChannelFacts out{.samples = static_cast<int>(values.size())};
  if (values.empty()) return out;
  add_extremes(values, out);
  add_noise(values, time, out);
  out.step = step_of(values);
  out.repeats = repeats_of(values);
  return out;
}

LogFacts describe_log(const Log& log) {
  LogFacts out;
  for (const auto& [group, rows] : rows_of_groups(log))
    out.groups[group] = describe_group(log, rows);
  for (const auto& [name, values] : log.channels) {
    out.channels[name] = describe_channel(values, log.time);
    const auto group = out.groups.find(group_of(name));
    if (group != out.groups.end()) ++group->second.channels;
  }
  return out;
}

}  // namespace bayesid
