// SPDX-License-Identifier: BSD-3-Clause
#include "problem/repair_log.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "bayesid/error.hpp"
#include "math/median.hpp"
#include "math/median_step.hpp"
#include "math/text.hpp"

namespace bayesid {

namespace {

using Values = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double turn = 2 * M_PI;

Values* find(Log& log, const std::string& name) {
  const auto found = log.channels.find(name);
  return found == log.channels.end() ? nullptr : &found->second;
}

std::string seconds(double time) {
  return rounded(time, 6) + " s";
}

/// "1 sample" or "3 samples"
std::string samples(int count) {
  return std::to_string(count) + (count == 1 ? " sample" : " samples");
}

// ---- angles that wrap

/// A step of a whole turn, to half a radian, that the velocity does not confirm: no joint with
/// limits turns that far in a sample. Pauses may hide motion and are not judged; a velocity of half
/// a turn in a sample is none.
int turns_of_step(double step, double velocity_says) {
  constexpr double slack = 0.5;
  const double expected = std::abs(velocity_says) < M_PI ? velocity_says : 0;
  const double turns = std::round((step - expected) / turn);
  return std::abs(step - expected - turns * turn) < slack ? static_cast<int>(turns) : 0;
}

struct Unwrapped {
  int jumps = 0;
  double first = 0;  // time of the first jump
};

/// Median time between two measured angles, or between two samples.
double step_of(const Log& log, const Values& angle) {
  Values times;
  for (std::size_t k = 0; k < angle.size(); ++k) {
    if (std::isfinite(angle[k])) times.push_back(log.time[k]);
  }
  return median_step(times.size() < 2 ? log.time : times);
}

Unwrapped unwrap(const Log& log, const Values* velocity, Values& angle) {
  constexpr double longest = 5;  // median steps: what is longer is a gap
  const double pause = longest * step_of(log, angle);
  Unwrapped out;
  int turns = 0;
  std::ptrdiff_t last = -1;
  for (std::ptrdiff_t k = 0; k < std::ssize(angle); ++k) {
    if (!std::isfinite(angle[k])) continue;
    angle[k] -= turn * turns;
    const double dt = last < 0 ? INFINITY : log.time[k] - log.time[last];
    if (dt <= pause) {
      const double v = velocity && std::isfinite((*velocity)[last]) ? (*velocity)[last] : 0;
      const int more = turns_of_step(angle[k] - angle[last], v * dt);
      if (more != 0 && out.jumps++ == 0) out.first = log.time[k];
      turns += more;
      angle[k] -= turn * more;
    }
    last = k;
  }
  return out;
}

/// Whole turns that bring all angles inside the limits; 0 when they are, or when one turn does not.
int turns_to_limits(const Joint& joint, const Values& angle) {
  constexpr double slack = 0.1;  // rad beyond a limit
  double low = INFINITY, high = -INFINITY;
  for (const double x : angle) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  const auto fits = [&](int n) {
    return low + n * turn > joint.lower - slack && high + n * turn < joint.upper + slack;
  };
  if (fits(0)) return 0;
  if (fits(1)) return 1;
  return fits(-1) ? -1 : 0;
}

void repair_wraps(const Joint& joint, Log& log) {
  Values* angle = find(log, "q." + joint.name);
  if (!angle || joint.prismatic || joint.continuous || log.time.size() < 2) return;
  const Unwrapped found = unwrap(log, find(log, "v." + joint.name), *angle);
  if (found.jumps > 0) {
    log.warnings.push_back(log.file + ": q." + joint.name + " jumps by a turn " +
                           (found.jumps == 1 ? "once" : std::to_string(found.jumps) + " times") +
                           ", first at time " + seconds(found.first) +
                           ": the encoder wraps, the angle was made continuous");
  }
  const int turns =
      std::isfinite(joint.lower) && std::isfinite(joint.upper) ? turns_to_limits(joint, *angle) : 0;
  if (turns == 0) return;
  for (double& x : *angle) x += turns * turn;
  log.warnings.push_back(log.file + ": q." + joint.name + " was shifted by " +
                         (turns > 0 ? "+" : "−") + "2π, into the joint's limits");
}

// ---- single samples far off

/// Distance of a sample from the cubic through its four neighbours.
double off_neighbours(const Values& q, std::ptrdiff_t k) {
  return q[k] - (4 * (q[k - 1] + q[k + 1]) - q[k - 2] - q[k + 2]) / 6;
}

/// Largest step between the neighbours of a sample, itself left out.
double step_around(const Values& q, std::ptrdiff_t k) {
  constexpr std::ptrdiff_t reach = 5;
  double out = std::abs(q[k + 1] - q[k - 1]) / 2;
  const auto last = std::ssize(q) - 1;
  for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(1, k - reach); i <= std::min(last, k + reach);
       ++i) {
    if (i != k && i != k + 1) out = std::max(out, std::abs(q[i] - q[i - 1]));
  }
  return out;
}

/// More than 20 times the usual distance from the neighbours, which noise never is, and more than
/// 5 times as far as the joint moves in a sample there, which a blow to the joint never is.
std::vector<std::ptrdiff_t> find_spikes(const Values& q) {
  constexpr double unusual = 20, unmoved = 5;
  Values off(q.size(), nan), sizes;
  for (std::ptrdiff_t k = 2; k + 2 < std::ssize(q); ++k) {
    off[k] = std::abs(off_neighbours(q, k));
    sizes.push_back(off[k]);
  }
  const double usual = robust_std(sizes);
  std::vector<std::ptrdiff_t> out;
  for (std::ptrdiff_t k = 2; usual > 0 && k + 2 < std::ssize(q); ++k) {
    const bool is_peak = off[k] >= std::fmax(off[k - 1], off[k + 1]);
    if (!is_peak || off[k] < unusual * usual) continue;
    const double excursion = std::abs(q[k] - (q[k - 1] + q[k + 1]) / 2);
    if (excursion > unmoved * step_around(q, k)) out.push_back(k);
  }
  return out;
}

/// Where the samples are constant or in coarse steps there is no usual distance, and no spike.
void repair_spikes(const Joint& joint, Log& log) {
  Values* channel = find(log, "q." + joint.name);
  if (!channel) return;
  Values q;
  std::vector<std::ptrdiff_t> rows;
  for (std::ptrdiff_t k = 0; k < std::ssize(*channel); ++k) {
    if (!std::isfinite((*channel)[k])) continue;
    q.push_back((*channel)[k]);
    rows.push_back(k);
  }
  const std::vector<std::ptrdiff_t> spikes = find_spikes(q);
  constexpr std::size_t rare = 50;  // more than one in so many is no exception
  if (spikes.empty() || rare * spikes.size() > q.size()) return;
  for (const std::ptrdiff_t k : spikes) (*channel)[rows[k]] = nan;
  const std::ptrdiff_t first = rows[spikes[0]];
  log.warnings.push_back(log.file + ": q." + joint.name + " is an outlier in " +
                         samples(static_cast<int>(spikes.size())) + " (time " +
                         seconds(log.time[first]) + ", line " + std::to_string(log.lines[first]) +
                         (spikes.size() > 1 ? " and others" : "") + "): taken as not measured");
}

// ---- velocities that are zero

double range_of(const Values& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high - low;
}

void repair_velocity(const Joint& joint, Log& log) {
  constexpr double least_motion = 1e-2;  // rad or m: far above the noise of encoders
  const Values* position = find(log, "q." + joint.name);
  const Values* velocity = find(log, "v." + joint.name);
  if (!position || !velocity || range_of(*position) < least_motion) return;
  const bool is_zero =
      std::ranges::all_of(*velocity, [](double v) { return v == 0 || std::isnan(v); });
  if (!is_zero || range_of(*velocity) < 0) return;
  log.warnings.push_back(log.file + ": v." + joint.name +
                         " is zero in every sample while the joint moves by " +
                         rounded(range_of(*position), 3) + ": taken as not measured");
  log.channels.erase("v." + joint.name);
}

// ---- quaternions

/// pose.<frame> and imu.<name> that have a channel .qw.
std::set<std::string> oriented_groups(const Log& log) {
  std::set<std::string> out;
  for (const auto& [name, values] : log.channels) {
    const bool is_sensor = name.starts_with("pose.") || name.starts_with("imu.");
    if (is_sensor && name.ends_with(".qw")) out.insert(name.substr(0, name.size() - 3));
  }
  return out;
}

/// Rounding of printed numbers is smaller than the tolerance, a wrong column is larger.
void repair_quaternions(const std::string& group, Log& log) {
  constexpr double tolerance = 1e-3, smallest = 1e-9;
  std::array<Values*, 4> parts{};
  constexpr std::array<const char*, 4> axes{".qx", ".qy", ".qz", ".qw"};
  for (int i = 0; i < 4; ++i) {
    parts[i] = find(log, group + axes[i]);
    if (!parts[i]) return;  // reported elsewhere
  }
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    double squares = 0;
    for (const Values* part : parts) squares += (*part)[k] * (*part)[k];
    const double length = std::sqrt(squares);
    if (std::isnan(length)) continue;
    const std::string place =
        log.file + ":" + std::to_string(log.lines[k]) + ": the quaternion " + group + ".q* ";
    if (length < smallest)
      throw InputError(place + "is zero; leave the cells empty when nothing was measured");
    if (std::abs(length - 1) > tolerance)
      throw InputError(place + "has length " + rounded(length, 4) +
                       ", expected 1: check the columns and their scale");
    for (Values* part : parts) (*part)[k] /= length;
  }
}

}  // namespace

void repair_log(const Robot& robot, Log& log) {
  for (const Joint& joint : robot.joints) {
    repair_wraps(joint, log);
    repair_spikes(joint, log);
    repair_velocity(joint, log);
  }
  for (const std::string& group : oriented_groups(log)) repair_quaternions(group, log);
}

}  // namespace bayesid
