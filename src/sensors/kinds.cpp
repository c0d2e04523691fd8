// SPDX-License-Identifier: BSD-3-Clause
#include "sensors/kinds.hpp"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>

#include "bayesid/error.hpp"
#include "bayesid/sensor.hpp"

namespace bayesid {

namespace {

using List = std::vector<const SensorKind*>;

/// The kinds of this process. A list that was handed out stays as it is.
class Kinds {
 public:
  const List& all() const { return *now_.load(); }

  void add(std::unique_ptr<const SensorKind> kind) {
    const std::string prefix = kind->prefix();
    const std::string here = "sensor kind " + prefix;
    if (prefix.size() < 2 || prefix.find('.') != prefix.size() - 1)
      throw InputError(here + ": a prefix is a word and a point, such as \"range.\"");
    if (kind->sampled_at() == SampledAt::states)
      throw InputError(here +
                       ": it needs times of its own (SampledAt::own_times), or is read "
                       "where stages begin (SampledAt::stage_starts)");
    const std::lock_guard lock(mutex_);
    const bool is_known = std::ranges::any_of(
        all(), [&](const SensorKind* other) { return other->prefix() == prefix; });
    if (is_known || prefix == "tau." || prefix == "thrust." || prefix == "contact.")
      throw InputError(here + ": channels " + prefix + "* are taken by another kind");
    List longer = all();
    longer.push_back(kind.get());
    added_.push_back(std::move(kind));
    now_ = &lists_.emplace_back(std::move(longer));
  }

 private:
  std::mutex mutex_;
  std::list<List> lists_{{&position_kind(), &velocity_kind(), &pose_kind(), &imu_kind(),
                          &wrench_kind(), &torque_kind()}};
  std::vector<std::unique_ptr<const SensorKind>> added_;
  std::atomic<const List*> now_{&lists_.front()};
};

Kinds& kinds() {
  static Kinds one;
  return one;
}

}  // namespace

const std::vector<const SensorKind*>& sensor_kinds() {
  return kinds().all();
}

void register_sensor_kind(std::unique_ptr<const SensorKind> kind) {
  kinds().add(std::move(kind));
}

const SensorKind* kind_of_group(const std::string& group) {
  for (const SensorKind* kind : sensor_kinds()) {
    const std::string own = kind->group();
    if (own.empty() ? group.starts_with(kind->prefix()) : group == own) return kind;
  }
  return nullptr;
}

std::string group_of_channel(const std::string& channel) {
  for (const SensorKind* kind : sensor_kinds()) {
    if (!channel.starts_with(kind->prefix())) continue;
    const std::string own = kind->group();
    return own.empty() ? channel.substr(0, channel.rfind('.')) : own;
  }
  return "";
}

}  // namespace bayesid
