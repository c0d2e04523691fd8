// SPDX-License-Identifier: BSD-3-Clause
#include "report/noise_report.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/choice.hpp"
#include "problem/noise_numbers.hpp"

namespace bayesid {

namespace {

constexpr double few = 20;  // expected squares, below which residuals say nothing

/// Factor between a standard deviation and what its channels show.
double found_factor(const NoiseNumber& number, const std::vector<ResidualCheck>& residuals,
                    std::string& unit) {
  double squares = 0, expected = 0;
  for (const ResidualCheck& one : residuals) {
    const bool is_own = one.sensor == number.sensor &&
                        std::ranges::find(number.channels, one.channel) != number.channels.end();
    if (!is_own) continue;
    unit = one.unit;
    squares += one.samples * one.configured_rms * one.configured_rms;
    expected += one.samples * std::pow(one.expected.value_or(0), 2);
  }
  return expected > few ? std::sqrt(squares / expected) : 1;
}

}  // namespace

std::vector<NoiseReport> make_noise_report(const RobotProblem& problem,
                                           const std::vector<ResidualCheck>& residuals) {
  Noise noise = problem.noise();
  const Dynamics& dynamics = problem.dynamics();
  std::vector<NoiseReport> out;
  for (const NoiseNumber& number :
       noise_numbers(dynamics.robot(), blocks::names_of(dynamics.parameters().rotors()), noise)) {
    NoiseReport& one = out.emplace_back();
    one.name = number.name();
    const double factor = found_factor(number, residuals, one.unit);
    const bool is_automatic = noise.automatic.contains(one.name);
    if (!is_automatic) one.configured = *number.std;
    one.found = is_automatic ? *number.std : factor * *number.std;
  }
  return out;
}

}  // namespace bayesid
