// SPDX-License-Identifier: BSD-3-Clause
#include "problem/noise_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "problem/channel_facts.hpp"
#include "problem/filtered_noise.hpp"
#include "sensors/joint_channels.hpp"

namespace bayesid {

using Eigen::MatrixXd;

namespace {

void add_thrust(const std::vector<std::string>& rotors, Noise& noise,
                std::vector<NoiseNumber>& out) {
  if (noise.thrust.size() == 0) return;
  for (std::size_t r = 0; r < rotors.size(); ++r) {
    out.push_back({.sensor = "thrust",
                   .key = "thrust",
                   .of = rotors[r],
                   .channels = {rotors[r]},
                   .numbers = {static_cast<int>(r)},
                   .std = &noise.thrust[static_cast<Eigen::Index>(r)]});
  }
}

}  // namespace

std::vector<NoiseNumber> noise_numbers(const Robot& robot, const std::vector<std::string>& rotors,
                                       Noise& noise) {
  std::vector<NoiseNumber> out;
  const auto add = [&](std::vector<NoiseNumber> some) {
    std::ranges::move(some, std::back_inserter(out));
  };
  for (const SensorKind* kind : sensor_kinds()) {
    for (const std::string& group : kind->groups(noise)) add(kind->numbers(robot, group, noise));
  }
  if (noise.effort.size() > 0) add(joint_numbers(robot, "effort", noise.effort));
  add_thrust(rotors, noise, out);
  return out;
}

const NoiseNumber* number_of(const std::vector<NoiseNumber>& numbers, const ChannelName& channel) {
  const auto found = std::ranges::find_if(numbers, [&](const NoiseNumber& one) {
    return one.sensor == channel.sensor &&
           std::ranges::find(one.channels, channel.channel) != one.channels.end();
  });
  return found == numbers.end() ? nullptr : &*found;
}

MatrixXd samples_of(const Recording& recording, const std::string& group) {
  const auto series = recording.series.find(group);
  if (series != recording.series.end()) return series->second.values;
  if (group == "position") return recording.position;
  if (group == "velocity") return recording.velocity;
  if (group == "effort") return recording.effort;
  if (group == "thrust") return recording.thrust;
  const std::string prefix = "pose.";
  if (!group.starts_with(prefix)) return {};
  const auto pose = recording.poses.find(group.substr(prefix.size()));
  return pose == recording.poses.end() ? MatrixXd() : pose->second;
}

namespace {

std::vector<double> times_of(const Recording& recording, const std::string& group) {
  const auto series = recording.series.find(group);
  const Eigen::VectorXd& time =
      series != recording.series.end() ? series->second.time : recording.time;
  return {time.begin(), time.end()};
}

}  // namespace

double own_noise(const std::vector<Recording>& recordings, const NoiseNumber& number) {
  double sum = 0, count = 0;
  for (const Recording& recording : recordings) {
    const MatrixXd samples = samples_of(recording, number.sensor);
    const std::vector<double> times = times_of(recording, number.sensor);
    for (const int i : number.numbers) {
      if (i >= samples.rows()) continue;
      const Eigen::VectorXd row = samples.row(i);
      const ChannelFacts facts = describe_channel({row.begin(), row.end()}, times);
      if (facts.samples == 0 || facts.is_constant()) continue;
      const double rounding = facts.step / std::sqrt(12.0);
      const std::optional<FilteredNoise> filtered = find_filter({row.begin(), row.end()});
      const double noise = std::max(filtered ? filtered->std : facts.noise, rounding);
      sum += facts.samples * std::pow(noise / number.share, 2);
      count += facts.samples;
    }
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

int own_samples(const std::vector<Recording>& recordings, const NoiseNumber& number) {
  Eigen::Index out = 0;
  for (const Recording& recording : recordings) {
    const MatrixXd samples = samples_of(recording, number.sensor);
    Eigen::Index most = 0;
    for (const int i : number.numbers) {
      if (i < samples.rows()) most = std::max(most, samples.row(i).array().isFinite().count());
    }
    out += most;
  }
  return static_cast<int>(out);
}

double own_rms(const std::vector<Recording>& recordings, const NoiseNumber& number) {
  double sum = 0, count = 0;
  for (const Recording& recording : recordings) {
    const MatrixXd samples = samples_of(recording, number.sensor);
    for (const int i : number.numbers) {
      if (i >= samples.rows()) continue;
      const auto row = samples.row(i).array();
      sum += row.isNaN().select(0.0, row).square().sum();
      count += static_cast<double>(row.isFinite().count());
    }
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

}  // namespace bayesid
