// SPDX-License-Identifier: BSD-3-Clause
// Channels have rates and phases of their own: which samples the estimation has, and what is
// measured between them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bayesid/error.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/sensor.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"
#include "problem/channel_groups.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// A pause longer than this many steps is a gap.
constexpr double gap_factor = 5.0;
/// When the sensors of a group are sampled; efforts hold between their samples.
SampledAt sampled_at(const std::string& group) {
  const SensorKind* kind = kind_of_group(group);
  return kind ? kind->sampled_at() : SampledAt::states;
}

/// Rows of the channel with most samples; a position when others have as many. Joints of several
/// publishers have stamps of their own, a hair apart: the rows of one channel, not of a group.
/// Sensors that are read where stages begin make none.
std::vector<int> fastest(const Log& log) {
  std::vector<int> best;
  bool is_position = false;
  for (const auto& [name, values] : log.channels) {
    const std::string group = group_of(name);
    if (group.empty() || sampled_at(group) == SampledAt::stage_starts) continue;
    std::vector<int> rows;
    for (size_t k = 0; k < values.size(); ++k) {
      if (!std::isnan(values[k])) rows.push_back(static_cast<int>(k));
    }
    const bool is_better = rows.size() > best.size() ||
                           (rows.size() == best.size() && group == "position" && !is_position);
    if (!is_better) continue;
    best = std::move(rows);
    is_position = group == "position";
  }
  return best;
}

/// Times at a rate, from the first to the last of those measured, none within gaps.
std::vector<double> even_times(const std::vector<double>& measured, double rate) {
  const double longest = gap_factor * std::max(median_step(measured), 1 / rate);
  std::vector<double> out;
  size_t next = 0;
  for (long i = 0;; ++i) {
    const double time = measured.front() + static_cast<double>(i) / rate;
    if (time > measured.back() + 1e-9 / rate) return out;
    while (next + 1 < measured.size() && measured[next] < time) ++next;
    if (next == 0 || measured[next] - measured[next - 1] <= longest) out.push_back(time);
  }
}

/// A log on other times.
class Grid {
 public:
  Grid(const Log& log, std::vector<double> time) : log_(log), time_(std::move(time)) {
    before_.reserve(time_.size());
    size_t row = 0;
    for (const double t : time_) {
      const double slack = 1e-9 * std::max(1.0, std::abs(t));
      while (row + 1 < log.time.size() && log.time[row + 1] <= t + slack) ++row;
      before_.push_back(row);
    }
  }

  /// Whether a group is measured at these times only.
  bool holds(const std::vector<int>& rows) const {
    size_t k = 0;
    for (const int row : rows) {
      while (k < time_.size() && time_[k] < log_.time[row] - slack()) ++k;
      if (k == time_.size() || std::abs(time_[k] - log_.time[row]) > slack()) return false;
    }
    return true;
  }

  std::vector<double> at_samples(const std::vector<double>& values) const {
    std::vector<double> out(time_.size(), nan);
    for (size_t k = 0; k < time_.size(); ++k) {
      if (std::abs(log_.time[before_[k]] - time_[k]) <= slack()) out[k] = values[before_[k]];
    }
    return out;
  }

  /// What was measured last, `late` seconds before it was stamped.
  std::vector<double> zero_order_hold(const std::vector<double>& values, double late) const {
    std::vector<double> out(time_.size(), nan);
    size_t row = 0;
    double last = nan;
    for (size_t k = 0; k < time_.size(); ++k) {
      for (; row < values.size() && log_.time[row] - late <= time_[k] + slack(); ++row) {
        if (!std::isnan(values[row])) last = values[row];
      }
      out[k] = last;
    }
    return out;
  }

  /// Straight lines between what was measured.
  std::vector<double> interpolated(const std::vector<double>& values) const {
    std::vector<double> out(time_.size(), nan);
    size_t k = 0;
    int last = -1;
    for (size_t row = 0; row < values.size(); ++row) {
      if (std::isnan(values[row])) continue;
      for (; k < time_.size() && time_[k] <= log_.time[row] + slack(); ++k) {
        if (last < 0) {
          if (std::abs(time_[k] - log_.time[row]) <= slack()) out[k] = values[row];
          continue;
        }
        const double share = (time_[k] - log_.time[last]) / (log_.time[row] - log_.time[last]);
        out[k] = (1 - share) * values[last] + share * values[row];
      }
      last = static_cast<int>(row);
    }
    return out;
  }

  const std::vector<double>& time() const { return time_; }
  std::vector<int> lines() const {
    std::vector<int> out;
    for (const size_t row : before_) out.push_back(log_.lines[row]);
    return out;
  }

 private:
  double slack() const { return 1e-9 * std::max(1.0, std::abs(time_.back())); }

  const Log& log_;
  std::vector<double> time_;
  std::vector<size_t> before_;  // row of the log at or before each time
};

/// The channels of a group, one below the other, at the rows where it was measured.
Series gather(const Log& log, const std::vector<std::string>& channels,
              const std::vector<int>& rows) {
  Series out;
  out.time.resize(static_cast<Eigen::Index>(rows.size()));
  out.values = MatrixXd::Constant(static_cast<Eigen::Index>(channels.size()),
                                  static_cast<Eigen::Index>(rows.size()), nan);
  for (size_t k = 0; k < rows.size(); ++k)
    out.time[static_cast<Eigen::Index>(k)] = log.time[rows[k]];
  for (size_t i = 0; i < channels.size(); ++i) {
    const auto found = log.channels.find(channels[i]);
    if (found == log.channels.end()) continue;
    for (size_t k = 0; k < rows.size(); ++k) {
      out.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          found->second[rows[k]];
    }
  }
  return out;
}

/// Vectors of a sensor: all their numbers are channels, or none.
void check_whole(const Log& log, const SensorKind& kind, const std::vector<std::string>& channels) {
  for (const auto& [first, count] : kind.vectors()) {
    std::string found, missing;
    for (int i = first; i < first + count; ++i)
      (log.channels.contains(channels[i]) ? found : missing) = channels[i];
    if (found.empty() || missing.empty()) continue;
    throw InputError(log.file + ": there is a channel " + found + " but no " + missing +
                     "; a vector needs all its numbers");
  }
}

/// Groups of sensors that the configuration names.
std::set<std::string> configured_groups(const MeasurementConfig& given) {
  Noise named;
  named.poses = given.poses;
  named.wrenches = given.wrenches;
  for (const auto& [name, imu] : given.imus) named.imus[name];
  std::set<std::string> out;
  for (const SensorKind* kind : sensor_kinds()) {
    for (const std::string& group : kind->groups(named)) out.insert(group);
  }
  return out;
}

}  // namespace

MatrixXd nearest_samples(const Series& series, const VectorXd& time) {
  MatrixXd out = MatrixXd::Constant(series.values.rows(), time.size(), nan);
  for (Eigen::Index j = 0; j < series.time.size(); ++j) {
    const double* next = std::lower_bound(time.data(), time.data() + time.size(), series.time[j]);
    Eigen::Index k = next - time.data();
    if (k == time.size() || (k > 0 && series.time[j] - time[k - 1] < time[k] - series.time[j])) --k;
    const Eigen::Index other = k + 1 < time.size() ? k + 1 : k - 1;
    const double step = other >= 0 ? std::abs(time[other] - time[k]) : 0;
    if (std::abs(series.time[j] - time[k]) <= step) out.col(k) = series.values.col(j);
  }
  return out;
}

GriddedLog place_on_grid(const Robot& robot, const Log& log, const Config& config,
                         std::optional<double> rate, std::vector<std::string>& warnings) {
  const std::map<std::string, std::vector<int>> groups = rows_of_groups(log);
  GriddedLog out{.log = log, .series = {}};
  if (groups.empty()) return out;
  const auto& delays = config.parameters.delay;
  const std::vector<int> best = fastest(log);
  std::vector<double> measured;
  for (const int row : best) measured.push_back(log.time[row]);
  const bool is_whole = !rate && best.size() == log.time.size();
  if (measured.size() < 2) return out;
  const Grid grid(log, rate ? even_times(measured, *rate) : measured);
  if (grid.time().size() < 2)
    throw InputError(log.file + ": rate " + rounded(rate.value_or(0), 6) +
                     " Hz gives fewer than two samples of the estimation: raise logs[].rate");
  const std::set<std::string> configured = configured_groups(config.measurements);
  for (const auto& [group, rows] : groups) {
    const SensorKind* kind = kind_of_group(group);
    if (!kind) continue;
    const bool has_clock = kind->sampled_at() != SampledAt::states;
    const std::vector<std::string> channels = kind->channels(robot, group);
    // Of sensors that share the clock of the states, those who gather them speak.
    if (has_clock) check_whole(log, *kind, channels);
    if (!configured.contains(group)) {
      if (has_clock)
        warnings.push_back(log.file + ": " + group + " is not fitted: measurements has no " +
                           group);
      continue;
    }
    if (has_clock || delays.contains(group) || (!is_whole && !grid.holds(rows)))
      out.series[group] = gather(log, channels, rows);
  }
  for (const std::string& group : configured) {
    const bool has_clock = sampled_at(group) != SampledAt::states;
    if (has_clock && !groups.contains(group))
      warnings.push_back(log.file + ": no channels " + group + ".*, which measurements configures");
  }
  const auto effort_delay = delays.find("effort");
  const double late = effort_delay == delays.end() ? 0 : effort_delay->second.prior;
  if (is_whole && late == 0) return out;
  if (!is_whole) {
    out.log.time = grid.time();
    out.log.lines = grid.lines();
  }
  const VectorXd times =
      Eigen::Map<const VectorXd>(grid.time().data(), static_cast<Eigen::Index>(grid.time().size()));
  for (auto& [name, values] : out.log.channels) {
    const std::string group = group_of(name);
    if (group == "effort" || group.empty()) {
      values = grid.zero_order_hold(values, group == "effort" ? late : 0);
    } else if (is_whole) {
      continue;
    } else if (group == "position" || group == "velocity") {
      values = out.series.contains(group) ? grid.interpolated(values) : grid.at_samples(values);
    } else if (out.series.contains(group)) {
      // The nearest sample, for where the motion begins.
      const MatrixXd placed = nearest_samples(gather(log, {name}, groups.at(group)), times);
      values.assign(placed.data(), placed.data() + placed.size());
    } else {
      values = grid.at_samples(values);
    }
  }
  return out;
}

}  // namespace bayesid
