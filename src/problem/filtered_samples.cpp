// SPDX-License-Identifier: BSD-3-Clause
#include "problem/filtered_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/median.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"
#include "problem/channel_groups.hpp"
#include "problem/filtered_noise.hpp"

namespace bayesid {

namespace {

using Values = std::vector<double>;

// Samples of a correlation time: fewer are not worth a word.
constexpr double fewest_correlated = 3;

/// A group of channels that was filtered.
struct Filtered {
  std::string name;  // "positions"
  double correlated = 0, step = 0;
  std::vector<int> rows;
  std::vector<Values*> channels;
  bool is_motion = false, is_thinned = false;

  double cutoff() const { return 0.5 / (correlated * step); }
};

bool is_stated(const PerJoint& std) {
  const auto is_number = [](double value) { return !std::isnan(value); };
  return (std.all && is_number(*std.all)) || std::ranges::any_of(std.list, is_number) ||
         std::ranges::any_of(std.by_name, [&](const auto& one) { return is_number(one.second); });
}

/// Filters act on all channels of a group: half of them show it, the others may have no noise.
bool find_filter_of(const Log& log, Filtered& group) {
  Values found;
  for (const Values* channel : group.channels) {
    if (const auto one = find_filter(*channel)) found.push_back(one->correlated);
  }
  if (found.empty() || 2 * found.size() < group.channels.size()) return false;
  Values time;
  for (const int row : group.rows) time.push_back(log.time[row]);
  group.step = median_step(time);
  group.correlated = median(found);
  return group.correlated >= fewest_correlated;
}

void thin(const Filtered& group, int every) {
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    if (i % static_cast<std::size_t>(every) == 0) continue;
    for (Values* channel : group.channels)
      (*channel)[group.rows[i]] = std::numeric_limits<double>::quiet_NaN();
  }
}

std::string warning(const std::vector<Filtered>& groups, int every) {
  std::vector<std::string> names, thinned;
  double longest = 0;
  for (const Filtered& group : groups) {
    names.push_back(group.name + " (" + rounded(group.cutoff(), 2) + " Hz)");
    longest = std::max(longest, group.correlated * group.step);
    if (group.is_thinned) thinned.push_back(group.name);
  }
  const std::string start = join(names) +
                            " were low-pass filtered before they were stored: samples within " +
                            rounded(1e3 * longest, 2) + " ms share their noise, and ";
  if (thinned.empty())
    return start +
           "error bars are too small unless the stated noise is that before the filter; log what "
           "the sensors measure";
  return start + "one in " + std::to_string(every) + " counts as measured (" + join(thinned) +
         "); log what the sensors measure";
}

}  // namespace

void thin_filtered_samples(const MeasurementConfig& given, Log& log) {
  const auto groups = rows_of_groups(log);
  std::vector<Filtered> found;
  for (const auto& [group, name] :
       {std::pair{"position", "positions"}, {"velocity", "velocities"}, {"effort", "efforts"}}) {
    const auto rows = groups.find(group);
    if (rows == groups.end()) continue;
    Filtered one{.name = name,
                 .rows = rows->second,
                 .channels = {},
                 .is_motion = group != std::string("effort")};
    for (auto& [channel, values] : log.channels) {
      if (group_of(channel) == group) one.channels.push_back(&values);
    }
    one.is_thinned = group == std::string("position")   ? !is_stated(given.position)
                     : group == std::string("velocity") ? !is_stated(given.velocity)
                                                        : false;
    if (find_filter_of(log, one)) found.push_back(std::move(one));
  }
  // Of efforts alone it may be the motion: friction changes as suddenly as they do.
  if (std::ranges::none_of(found, &Filtered::is_motion)) return;
  // At the same rows, as far as they were measured at the same ones.
  double every = 0;
  for (const Filtered& group : found) {
    if (group.is_thinned) every = std::max(every, std::floor(group.correlated));
  }
  for (const Filtered& group : found) {
    if (group.is_thinned) thin(group, static_cast<int>(every));
  }
  log.warnings.push_back(log.file + ": " + warning(found, static_cast<int>(every)));
}

}  // namespace bayesid
