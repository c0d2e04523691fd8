// SPDX-License-Identifier: BSD-3-Clause
#include "problem/held_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/median.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"
#include "problem/channel_groups.hpp"

namespace bayesid {

namespace {

using Values = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Of the samples of a moving group that repeat the one before. Noise and steps make a channel that
// moves by three steps in a sample repeat in less than a tenth of them.
constexpr double clear_share = 0.2;
constexpr double clear_motion = 3;
constexpr int fewest_moving = 20;

/// The channels of a sensor, where it was measured.
struct Group {
  std::string name;
  std::vector<Values*> channels;
  std::vector<int> rows;

  double at(const Values& channel, std::size_t i) const { return channel[rows[i]]; }
  bool repeats(std::size_t i) const {
    return std::ranges::all_of(channels, [&](const Values* channel) {
      const double before = at(*channel, i - 1), now = at(*channel, i);
      return before == now || (std::isnan(before) && std::isnan(now));
    });
  }
};

/// Smallest change from one sample to the next: the step of an encoder.
double step_of(const Group& group, const Values& channel) {
  double out = INFINITY;
  for (std::size_t i = 1; i < group.rows.size(); ++i) {
    const double change = std::abs(group.at(channel, i) - group.at(channel, i - 1));
    if (change > 0) out = std::min(out, change);
  }
  return out;
}

/// Runs of equal samples, and which samples belong to a motion.
class Runs {
 public:
  explicit Runs(const Group& group) : group_(group), moves_(group.rows.size(), false) {
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      if (i == 0 || !group.repeats(i)) begins_.push_back(i);
    }
    if (begins_.size() == group.rows.size()) return;
    for (const Values* channel : group.channels) find_motion(*channel);
  }

  bool are_held() const {
    int moving = 0, repeated = 0;
    for_each([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        moving += moves_[i];
        repeated += moves_[i] && i > begin;
      }
    });
    return moving >= fewest_moving && repeated >= clear_share * moving;
  }

  /// Those after the first of a run; at rest one stays for as many as a run in motion has.
  std::vector<int> held_rows() const {
    const std::size_t usual = usual_length();
    std::vector<int> out;
    for_each([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin + 1; i < end; ++i) {
        if (moves_[i] || (i - begin) % usual != 0) out.push_back(group_.rows[i]);
      }
    });
    return out;
  }

 private:
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t r = 0; r < begins_.size(); ++r)
      visit(begins_[r], r + 1 < begins_.size() ? begins_[r + 1] : group_.rows.size());
  }

  /// Motion over some runs around each sample, against the steps of the channel.
  void find_motion(const Values& channel) {
    constexpr std::size_t shortest = 4, longest = 100;
    Values lengths;
    for_each([&](std::size_t begin, std::size_t end) {
      lengths.push_back(static_cast<double>(end - begin));
    });
    const std::size_t reach =
        std::clamp(2 * static_cast<std::size_t>(median(lengths)), shortest, longest);
    const double least = clear_motion * step_of(group_, channel);
    const std::size_t last = moves_.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      const std::size_t from = i > reach ? i - reach : 0, to = std::min(last, i + reach);
      const double moved = std::abs(group_.at(channel, to) - group_.at(channel, from));
      if (moved > least * static_cast<double>(to - from)) moves_[i] = true;
    }
  }

  std::size_t usual_length() const {
    constexpr double nearly_all = 0.95;
    std::vector<std::size_t> lengths;
    for_each([&](std::size_t begin, std::size_t end) {
      if (moves_[begin]) lengths.push_back(end - begin);
    });
    if (lengths.empty()) return 1;
    std::ranges::sort(lengths);
    return lengths[static_cast<std::size_t>(nearly_all * static_cast<double>(lengths.size() - 1))];
  }

  const Group& group_;
  std::vector<std::size_t> begins_;
  std::vector<bool> moves_;
};

double rate_of(const Log& log, const std::vector<int>& rows) {
  Values time;
  for (const int row : rows) time.push_back(log.time[row]);
  return time.size() < 2 ? 0 : 1 / median_step(time);
}

std::string words_of(const std::string& group) {
  if (group == "position") return "positions";
  return group == "velocity" ? "velocities" : group;
}

/// The rows that are held, now NaN.
std::vector<int> drop_held(Log& log, const Group& group) {
  if (group.rows.size() < 2) return {};
  const Runs runs(group);
  if (!runs.are_held()) return {};
  std::vector<int> held = runs.held_rows(), kept;
  std::ranges::set_difference(group.rows, held, std::back_inserter(kept));
  for (Values* channel : group.channels) {
    for (const int row : held) (*channel)[row] = nan;
  }
  log.warnings.push_back(log.file + ": " + words_of(group.name) + " repeat the sample before in " +
                         std::to_string(held.size()) + " of " + std::to_string(group.rows.size()) +
                         " samples while the robot moves: the log is written faster (" +
                         rounded(rate_of(log, group.rows), 4) + " Hz) than they are measured (" +
                         rounded(rate_of(log, kept), 4) +
                         " Hz); the first of each run counts as measured");
  return held;
}

/// Efforts hold whether their repetitions are written or not; without them the estimation needs no
/// samples of its own there.
void drop_held_efforts(const Group& group, const std::vector<int>& rows) {
  for (Values* channel : group.channels) {
    double last = nan;
    std::size_t next = 0;
    for (const int row : group.rows) {
      while (next < rows.size() && rows[next] < row) ++next;
      double& value = (*channel)[row];
      const bool is_held = next < rows.size() && rows[next] == row && value == last;
      if (!std::isnan(value)) last = value;
      if (is_held) value = nan;
    }
  }
}

}  // namespace

void drop_held_samples(Log& log) {
  std::vector<Group> groups;
  for (auto& [name, rows] : rows_of_groups(log))
    groups.push_back({.name = name, .channels = {}, .rows = rows});
  const auto find = [&](const std::string& name) {
    return std::ranges::find(groups, name, &Group::name);
  };
  for (auto& [name, values] : log.channels) {
    const auto group = find(group_of(name));
    if (group != groups.end()) group->channels.push_back(&values);
  }
  std::vector<int> positions;
  for (const Group& group : groups) {
    if (group.name == "effort") continue;
    const std::vector<int> held = drop_held(log, group);
    if (group.name == "position") positions = held;
  }
  const auto efforts = find("effort");
  if (efforts != groups.end()) drop_held_efforts(*efforts, positions);
}

}  // namespace bayesid
