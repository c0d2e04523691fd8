// SPDX-License-Identifier: BSD-3-Clause
#include "report/residual_checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bayesid/sensor.hpp"
#include "blocks/choice.hpp"
#include "problem/noise_numbers.hpp"
#include "report/units.hpp"

namespace bayesid {

namespace {

constexpr int num_lags = 20;
constexpr int num_bins = 40;
constexpr double widest = 5;     // of the histogram, in standard deviations
constexpr double few_free = 20;  // residuals that nothing else explains: too few to judge

/// Numbers of one channel in the order of time, for each trajectory.
using Runs = std::vector<std::vector<double>>;

struct Channel {
  ChannelName name;
  Runs residuals;    // in configured standard deviations
  Runs innovations;  // in expected ones
  double free = 0;   // Σ of the variances expected of residuals
};

int count(const Runs& runs) {
  int out = 0;
  for (const std::vector<double>& one : runs) out += static_cast<int>(one.size());
  return out;
}

double sum(const Runs& runs) {
  double out = 0;
  for (const std::vector<double>& one : runs) out += std::accumulate(one.begin(), one.end(), 0.0);
  return out;
}

double squares(const Runs& runs) {
  double out = 0;
  for (const std::vector<double>& one : runs)
    out += std::inner_product(one.begin(), one.end(), one.begin(), 0.0);
  return out;
}

std::vector<Channel> collect(const RobotProblem& problem,
                             const std::vector<PathStatistics>& statistics) {
  std::map<std::pair<int, int>, Channel> channels;  // in the order of the sensors
  for (size_t t = 0; t < statistics.size(); ++t) {
    for (const SampleStatistics& sample : statistics[t].samples) {
      Channel& channel = channels[{sample.name.sensor, sample.name.channel}];
      if (channel.residuals.empty())
        channel = {.name = problem.channel_name(sample.name),
                   .residuals = Runs(statistics.size()),
                   .innovations = Runs(statistics.size())};
      channel.residuals[t].push_back(sample.residual);
      channel.free += sample.residual_std * sample.residual_std;
      if (sample.innovation_std > 0)
        channel.innovations[t].push_back(sample.innovation / sample.innovation_std);
    }
  }
  std::vector<Channel> out;
  for (auto& [key, channel] : channels) out.push_back(std::move(channel));
  return out;
}

/// Mean of r_k r_{k+lag} over all trajectories, beside that of lag 0.
std::vector<double> autocorrelation(const Runs& runs, double mean) {
  std::vector<double> sums(num_lags + 1, 0.0);
  for (const std::vector<double>& r : runs) {
    for (size_t lag = 0; lag <= num_lags; ++lag) {
      for (size_t k = lag; k < r.size(); ++k) sums[lag] += (r[k] - mean) * (r[k - lag] - mean);
    }
  }
  std::vector<double> out;
  for (int lag = 1; lag <= num_lags; ++lag) out.push_back(sums[0] > 0 ? sums[lag] / sums[0] : 0);
  return out;
}

/// Residuals of a linear estimate are σ²(1 − H): |ρ| ≤ h/(1 − h), beside chance and what does not
/// matter. Innovations have h = 0.
std::optional<bool> is_white(const std::vector<double>& rho, int samples, double h) {
  constexpr double matters = 0.1, chance = 3.5, most_taken = 0.45;
  if (h > most_taken || samples <= 2 * num_lags) return std::nullopt;
  const double bound = h / (1 - h) + std::max(matters, chance / std::sqrt(samples));
  return std::ranges::all_of(rho, [&](double one) { return std::abs(one) <= bound; });
}

void fill_histogram(const Channel& from, double scale, ResidualCheck& out) {
  out.counts.assign(num_bins, 0);
  for (const std::vector<double>& all : from.residuals) {
    for (const double r : all) {
      const double place = (r / scale + widest) / (2 * widest) * num_bins;
      if (!(place >= 0)) {
        ++out.below;
      } else if (place >= num_bins) {
        ++out.above;
      } else {
        ++out.counts[static_cast<size_t>(place)];
      }
    }
  }
}

/// χ²/n of n numbers, `deviations` of a normal distribution from its middle (Wilson, Hilferty).
double mean_square_bound(int n, double deviations) {
  const double spread = 2.0 / (9.0 * n);
  return std::pow(std::max(0.0, 1 - spread + deviations * std::sqrt(spread)), 3);
}

void set_range(InnovationCheck& out) {
  constexpr double most = 1.959964;  // 95 %
  out.lower = mean_square_bound(out.samples, -most);
  out.upper = mean_square_bound(out.samples, most);
}

InnovationCheck check_innovations(const Runs& runs) {
  InnovationCheck out{.samples = count(runs)};
  out.mean = sum(runs) / out.samples;
  out.mean_square = squares(runs) / out.samples;
  set_range(out);
  out.autocorrelation = autocorrelation(runs, out.mean);
  out.is_white = is_white(out.autocorrelation, out.samples, 0);
  return out;
}

std::string unit_of(const Robot& robot, const ChannelName& channel) {
  if (channel.sensor == "energy") return "J";
  if (channel.sensor == "effort")
    return effort_unit(robot.joints[channel.velocity - robot.base_nv()]);
  const SensorKind* kind = kind_of_group(channel.sensor);
  return kind ? kind->unit(robot, channel.channel) : "";
}

/// Key below `measurements` and standard deviation of a channel's configured noise.
void set_configured_noise(const RobotProblem& problem, const ChannelName& channel,
                          ResidualCheck& out) {
  Noise noise = problem.noise();
  if (channel.sensor == "energy") {
    out.noise_key = "energy.std";
    out.configured_std = noise.energy.value_or(0);
    return;
  }
  const Dynamics& dynamics = problem.dynamics();
  const std::vector<NoiseNumber> numbers =
      noise_numbers(dynamics.robot(), blocks::names_of(dynamics.parameters().rotors()), noise);
  const NoiseNumber* number = number_of(numbers, channel);
  if (!number) return;
  out.noise_key = number->key;
  out.is_one_of_several = !number->of.empty();
  out.configured_std = *number->std;
  out.is_automatic = noise.automatic.contains(number->name());
}

ResidualCheck check(const RobotProblem& problem, const Channel& from) {
  const Robot& robot = problem.dynamics().robot();
  ResidualCheck out{.sensor = from.name.sensor,
                    .channel = from.name.channel,
                    .unit = unit_of(robot, from.name),
                    .samples = count(from.residuals)};
  set_configured_noise(problem, from.name, out);
  const double n = std::max(1, out.samples), mean = sum(from.residuals) / n;
  double scale = 1;
  if (from.free > few_free) out.expected = scale = std::sqrt(from.free / n);
  out.configured_rms = std::sqrt(squares(from.residuals) / n);
  out.mean = mean / scale;
  out.rms = out.configured_rms / scale;
  fill_histogram(from, scale, out);
  out.autocorrelation = autocorrelation(from.residuals, mean);
  if (out.expected)
    out.is_white = is_white(out.autocorrelation, out.samples, std::max(0.0, 1 - scale * scale));
  if (count(from.innovations) > 0) out.innovations = check_innovations(from.innovations);
  return out;
}

}  // namespace

std::vector<ResidualCheck> make_residual_checks(const RobotProblem& problem,
                                                const std::vector<PathStatistics>& statistics) {
  std::vector<ResidualCheck> out;
  for (const Channel& one : collect(problem, statistics)) out.push_back(check(problem, one));
  return out;
}

std::vector<SensorCheck> make_sensor_checks(const std::vector<ResidualCheck>& channels) {
  std::vector<SensorCheck> out;
  for (const ResidualCheck& one : channels) {
    if (!one.innovations) continue;
    auto place = std::ranges::find(out, one.sensor, &SensorCheck::sensor);
    if (place == out.end()) place = out.insert(out.end(), {.sensor = one.sensor});
    InnovationCheck& all = place->innovations;
    const InnovationCheck& own = *one.innovations;
    const double before = all.samples, added = own.samples;
    all.samples += own.samples;
    all.mean = (before * all.mean + added * own.mean) / all.samples;
    all.mean_square = (before * all.mean_square + added * own.mean_square) / all.samples;
    set_range(all);
    if (own.is_white) all.is_white = all.is_white.value_or(true) && *own.is_white;
  }
  return out;
}

}  // namespace bayesid
