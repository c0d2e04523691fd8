// SPDX-License-Identifier: BSD-3-Clause
#include "problem/sensor_track.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::VectorXd;

namespace {

// Of a stage: a sample so little before it was meant for it.
constexpr double round_off = 1e-6;

/// Stages that take time, and when they begin.
struct Flow {
  std::vector<double> begin;
  std::vector<int> stage;
  double end = 0, longest = 0;

  explicit Flow(const Timeline& timeline) {
    for (size_t k = 0; k < timeline.stages.size(); ++k) {
      if (timeline.stages[k].impact) continue;
      begin.push_back(timeline.nodes[k].time);
      stage.push_back(static_cast<int>(k));
      longest = std::max(longest, timeline.stages[k].dt);
    }
    end = timeline.nodes.back().time;
  }

  bool contains(double time, double margin) const {
    const double slack = round_off * longest - margin;
    return !stage.empty() && time >= begin.front() - slack && time <= end + slack;
  }

  /// Place in `stage` of the one that holds a time, the first or the last when none does.
  size_t find(double time) const {
    const auto next = std::upper_bound(begin.begin(), begin.end(), time + round_off * longest);
    return next == begin.begin() ? 0 : static_cast<size_t>(next - begin.begin()) - 1;
  }
};

}  // namespace

Schedule make_schedule(const std::vector<SensorTrack>& tracks, const Timeline& timeline,
                       const VectorXd& values) {
  const Flow flow(timeline);
  Schedule out;
  out.first.assign(timeline.stages.size() + 1, 0);
  std::vector<std::pair<int, TimedSample>> all;  // stage and sample
  for (size_t i = 0; i < tracks.size(); ++i) {
    const SensorTrack& track = tracks[i];
    if (!track.is_timed()) continue;
    const bool moves = track.delay >= 0 && track.sensor->reads() != Reads::acceleration;
    const double late = !moves ? track.first_delay
                               : std::clamp(values[track.delay], track.first_delay - track.margin,
                                            track.first_delay + track.margin);
    for (int j = 0; j < track.time.size(); ++j) {
      if (!flow.contains(track.time[j] - track.first_delay, track.margin)) continue;
      const size_t place = flow.find(track.time[j] - late);
      all.push_back(
          {flow.stage[place], {static_cast<int>(i), j, track.time[j] - flow.begin[place]}});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  out.samples.reserve(all.size());
  for (const auto& [stage, sample] : all) {
    ++out.first[stage + 1];
    out.samples.push_back(sample);
  }
  for (size_t k = 1; k < out.first.size(); ++k) out.first[k] += out.first[k - 1];
  return out;
}

int max_timed_rows(const std::vector<SensorTrack>& tracks, const Timeline& timeline) {
  const Flow flow(timeline);
  int out = 0;
  for (const SensorTrack& track : tracks) {
    if (!track.is_timed()) continue;
    int most = 0;
    for (Eigen::Index j = 0, first = 0; j < track.time.size(); ++j) {
      while (track.time[j] - track.time[first] > (1 + 2 * round_off) * flow.longest) ++first;
      most = std::max(most, static_cast<int>(j - first) + 1);
    }
    out += most * track.sensor->max_rows();
  }
  return out;
}

std::vector<int> samples_at_starts(const Timeline& timeline, const VectorXd& time) {
  std::vector<int> out(timeline.stages.size(), -1);
  const double* begin = time.data();
  const double* end = begin + time.size();
  for (size_t k = 0; k < timeline.stages.size(); ++k) {
    if (timeline.stages[k].impact || time.size() == 0) continue;
    const double start = timeline.nodes[k].time;
    const double* next = std::lower_bound(begin, end, start);
    if (next == end || (next != begin && start - next[-1] < *next - start)) --next;
    if (std::abs(*next - start) <= 0.5 * timeline.stages[k].dt)
      out[k] = static_cast<int>(next - begin);
  }
  return out;
}

}  // namespace bayesid
