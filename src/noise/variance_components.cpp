// SPDX-License-Identifier: BSD-3-Clause
#include "noise/variance_components.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "problem/noise_numbers.hpp"

namespace bayesid {

namespace {

/// Whether what nobody knows of friction is part of the noise of an effort there.
bool is_near_standstill(const RobotProblem& problem, int trajectory,
                        const SampleStatistics& sample) {
  constexpr double least = 0.3;  // of the std
  const Noise& noise = problem.noise();
  if (!noise.standstill) return false;
  const ChannelName name = problem.channel_name(sample.name);
  if (name.sensor != "effort" || name.velocity < 0) return false;
  const int at = problem.timeline(trajectory).stages[static_cast<std::size_t>(sample.node)].sample;
  const double more = noise.standstill->at(static_cast<std::size_t>(trajectory))(name.velocity, at);
  return more > least * noise.effort[name.velocity];
}

}  // namespace

std::vector<VarianceComponent> variance_components(const RobotProblem& problem,
                                                   const std::vector<NoiseNumber>& numbers,
                                                   const std::vector<PathStatistics>& statistics) {
  std::vector<VarianceComponent> out(numbers.size());
  std::map<std::pair<int, int>, VarianceComponent*> place;  // of a row's name; null: no number
  for (std::size_t t = 0; t < statistics.size(); ++t) {
    for (const SampleStatistics& sample : statistics[t].samples) {
      const auto [found, is_new] =
          place.try_emplace({sample.name.sensor, sample.name.channel}, nullptr);
      if (is_new) {
        const NoiseNumber* number = number_of(numbers, problem.channel_name(sample.name));
        if (number) found->second = &out[number - numbers.data()];
      }
      if (!found->second || is_near_standstill(problem, static_cast<int>(t), sample)) continue;
      found->second->squares += sample.residual * sample.residual;
      found->second->expected += sample.residual_std * sample.residual_std;
    }
  }
  return out;
}

double updated_std(double before, const VarianceComponent& component, const StdPrior& prior) {
  const double squares =
      component.squares * before * before + prior.samples * prior.std * prior.std;
  return std::sqrt(squares / (component.expected + prior.samples));
}

}  // namespace bayesid
