// SPDX-License-Identifier: BSD-3-Clause
#include "noise/sampled_windows.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr int window = 500;              // samples
constexpr double not_much_longer = 1.5;  // times

/// Samples of a sensor with a clock of its own.
Series part_of(const Series& series, double from, double to) {
  const double *begin = series.time.data(), *end = begin + series.time.size();
  const Index first = std::lower_bound(begin, end, from) - begin;
  const Index count = std::upper_bound(begin, end, to) - begin - first;
  return {series.time.segment(first, count), series.values.middleCols(first, count)};
}

}  // namespace

Recording part_of(const Recording& recording, int first, int count) {
  Recording out;
  out.file = recording.file;
  out.time = recording.time.segment(first, count);
  const auto part = [&](const MatrixXd& from) {
    return from.cols() == 0 ? from : MatrixXd(from.middleCols(first, count));
  };
  out.position = part(recording.position);
  out.velocity = part(recording.velocity);
  out.effort = part(recording.effort);
  out.thrust = part(recording.thrust);
  out.presliding = part(recording.presliding);
  out.effort_rate = part(recording.effort_rate);
  for (const auto& [name, pose] : recording.poses) out.poses[name] = part(pose);
  for (const auto& [name, series] : recording.series)
    out.series[name] = part_of(series, out.time[0], out.time[count - 1]);
  return out;
}

std::vector<Recording> sampled_windows(const std::vector<Recording>& recordings, int most) {
  double total = 0;
  for (const Recording& one : recordings) total += one.num_samples();
  if (total <= not_much_longer * most) return recordings;
  // A window at a time, whenever the samples passed by are worth one.
  std::vector<Recording> out;
  double owed = 0;
  for (const Recording& one : recordings) {
    const int n = one.num_samples();
    owed += n * most / total;
    const int length = std::min(n, window);
    const int windows = std::min(n / length, static_cast<int>(std::floor(owed / length + 0.5)));
    owed -= windows * length;
    for (int i = 0; i < windows; ++i) {
      const int first = static_cast<int>((i + 0.5) * n / windows) - length / 2;
      out.push_back(part_of(one, std::clamp(first, 0, n - length), length));
    }
  }
  return out.empty() ? recordings : out;
}

}  // namespace bayesid
