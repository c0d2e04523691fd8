// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bayesid/excitation/excite.hpp"
#include "bayesid/report/details.hpp"

namespace bayesid {

/// excitation.json: achieved information, predicted std, what stays unseen, margins, starts.
std::string excitation_json(const Excitation& excitation, const Config& config, unsigned seed);

/// excitation.svg: position, velocity and effort of each joint over time with their limits.
std::string excitation_svg(const Robot& robot, const Excitation& excitation);

/// Position, velocity, acceleration and effort of each joint over time, for series.bin.
TrajectoryTable motion_table(const Robot& robot, const Excitation& excitation);

/// Information over that of the median of random motions, for each combination that motions can
/// show: the geometric mean, with the prior and of the data alone. 1 without random motions.
struct GainOverRandom {
  double with_prior = 1, of_data = 1;
};
GainOverRandom gain_over_random(const Excitation& excitation,
                                const std::vector<ExcitationForecast>& random);

}  // namespace bayesid
