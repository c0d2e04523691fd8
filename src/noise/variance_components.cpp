// SPDX-License-Identifier: BSD-3-Clause
#include "noise/variance_components.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "problem/noise_numbers.hpp"

namespace bayesid {

std::vector<VarianceComponent> variance_components(const RobotProblem& problem,
                                                   const std::vector<NoiseNumber>& numbers,
                                                   const std::vector<PathStatistics>& statistics) {
  std::vector<VarianceComponent> out(numbers.size());
  std::map<std::pair<int, int>, VarianceComponent*> place;  // of a row's name; null: no number
  for (const PathStatistics& one : statistics) {
    for (const SampleStatistics& sample : one.samples) {
      const auto [found, is_new] =
          place.try_emplace({sample.name.sensor, sample.name.channel}, nullptr);
      if (is_new) {
        const NoiseNumber* number = number_of(numbers, problem.channel_name(sample.name));
        if (number) found->second = &out[number - numbers.data()];
      }
      if (!found->second) continue;
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
