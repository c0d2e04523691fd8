// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem/sensor.hpp"

#include <algorithm>

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

Schedule make_schedule(const std::vector<Sensor>& sensors, const Timeline& timeline,
                       const VectorXd& values) {
  const Flow flow(timeline);
  Schedule out;
  out.first.assign(timeline.stages.size() + 1, 0);
  std::vector<std::pair<int, Seen>> all;  // stage and sample
  for (size_t i = 0; i < sensors.size(); ++i) {
    const Sensor& sensor = sensors[i];
    if (!sensor.is_timed) continue;
    const bool moves = sensor.delay >= 0 && !sensor.term->sees_acceleration();
    const double late = !moves
                            ? sensor.first_delay
                            : std::clamp(values[sensor.delay], sensor.first_delay - sensor.margin,
                                         sensor.first_delay + sensor.margin);
    for (int j = 0; j < sensor.time.size(); ++j) {
      if (!flow.contains(sensor.time[j] - sensor.first_delay, sensor.margin)) continue;
      const size_t place = flow.find(sensor.time[j] - late);
      all.push_back(
          {flow.stage[place], {static_cast<int>(i), j, sensor.time[j] - flow.begin[place]}});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  out.seen.reserve(all.size());
  for (const auto& [stage, seen] : all) {
    ++out.first[stage + 1];
    out.seen.push_back(seen);
  }
  for (size_t k = 1; k < out.first.size(); ++k) out.first[k] += out.first[k - 1];
  return out;
}

int max_timed_rows(const std::vector<Sensor>& sensors, const Timeline& timeline) {
  const Flow flow(timeline);
  int out = 0;
  for (const Sensor& sensor : sensors) {
    if (!sensor.is_timed) continue;
    int most = 0;
    for (Eigen::Index j = 0, first = 0; j < sensor.time.size(); ++j) {
      while (sensor.time[j] - sensor.time[first] > (1 + 2 * round_off) * flow.longest) ++first;
      most = std::max(most, static_cast<int>(j - first) + 1);
    }
    out += most * sensor.term->max_rows();
  }
  return out;
}

}  // namespace bayesid
