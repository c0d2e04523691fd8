// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bayesid/problem.hpp"

namespace bayesid {

/// Every standard deviation of sensors that can be found from data: those of all kinds, efforts and
/// rotor commands. They point into `noise`.
std::vector<NoiseNumber> noise_numbers(const Robot& robot, const std::vector<std::string>& rotors,
                                       Noise& noise);

/// The one that a channel belongs to; null: none.
const NoiseNumber* number_of(const std::vector<NoiseNumber>& numbers, const ChannelName& channel);

/// Samples of a group in a recording, a column for each; empty: it was not measured there.
Eigen::MatrixXd samples_of(const Recording& recording, const std::string& group);

/// Std of white noise that the samples of a number show by themselves: their high frequencies, at
/// least what the steps of their values make. 0: too few samples, or motion alone.
double own_noise(const std::vector<Recording>& recordings, const NoiseNumber& number);

/// How often the sensor of a number was measured.
int own_samples(const std::vector<Recording>& recordings, const NoiseNumber& number);

/// Root mean square of the samples of a number.
double own_rms(const std::vector<Recording>& recordings, const NoiseNumber& number);

}  // namespace bayesid
