// SPDX-License-Identifier: BSD-3-Clause
#include "report/noise_report.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/choice.hpp"
#include "problem/noise_numbers.hpp"

namespace bayesid {

namespace {

constexpr double few = 20;  // expected squares, below which residuals say nothing

/// What the residuals of one standard deviation show.
struct Shown {
  int samples = 0;
  double factor = 1;  // between them and what is expected
  std::string unit;
};

Shown shown_by(const NoiseNumber& number, const std::vector<ResidualCheck>& residuals) {
  Shown out;
  double squares = 0, expected = 0;
  for (const ResidualCheck& one : residuals) {
    const bool is_own = one.sensor == number.sensor &&
                        std::ranges::find(number.channels, one.channel) != number.channels.end();
    if (!is_own) continue;
    out.samples += one.samples;
    out.unit = one.unit;
    squares += one.samples * one.configured_rms * one.configured_rms;
    expected += one.samples * std::pow(one.expected.value_or(0), 2);
  }
  if (expected > few) out.factor = std::sqrt(squares / expected);
  return out;
}

}  // namespace

std::vector<NoiseReport> make_noise_report(const RobotProblem& problem,
                                           const std::vector<ResidualCheck>& residuals) {
  Noise noise = problem.noise();
  const Dynamics& dynamics = problem.dynamics();
  std::vector<NoiseReport> out;
  for (const NoiseNumber& number :
       noise_numbers(dynamics.robot(), blocks::names_of(dynamics.parameters().rotors()), noise)) {
    const Shown shown = shown_by(number, residuals);
    if (shown.samples == 0) continue;
    NoiseReport& one = out.emplace_back();
    one.name = number.name();
    one.unit = shown.unit;
    const bool is_automatic = noise.automatic.contains(one.name);
    if (!is_automatic) one.configured = *number.std;
    one.found = is_automatic ? *number.std : shown.factor * *number.std;
  }
  return out;
}

}  // namespace bayesid
