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

double update_log_std(double log_std, const VarianceComponent& component, const LogPrior& prior) {
  // min over ℓ of ν ℓ + ½ R exp(2 (ℓ₀ − ℓ)) + ½ (ℓ − m)²/s², which is convex.
  const double precision = 1 / (prior.std * prior.std);
  double out = log_std;
  for (int i = 0; i < 100; ++i) {
    const double squares = component.squares * std::exp(2 * (log_std - out));
    const double slope = component.expected - squares + precision * (out - prior.mean);
    const double curvature = 2 * squares + precision;
    const double step = std::clamp(-slope / curvature, -1.0, 1.0);
    out += step;
    if (std::abs(step) < 1e-9) break;
  }
  return out;
}

}  // namespace bayesid
