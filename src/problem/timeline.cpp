// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace bayesid {

namespace {

constexpr double same_time = 0.02;  // of a time step: an event so near a sample happens there

/// Instants of the recording: samples, and events between them.
std::vector<NodePlan> make_instants(const Recording& recording) {
  std::vector<NodePlan> out;
  for (int k = 0; k < recording.num_samples(); ++k) out.push_back({recording.time[k], k});
  const auto insert = [&](double time) {
    const auto next = std::lower_bound(out.begin(), out.end(), time,
                                       [](const NodePlan& n, double t) { return n.time < t; });
    if (next == out.begin() || next == out.end()) return;
    const double dt = next->time - (next - 1)->time;
    if (next->time - time < same_time * dt || time - (next - 1)->time < same_time * dt) return;
    out.insert(next, {time, -1});
  };
  for (const ImpactConfig& impact : recording.impacts) insert(impact.time);
  return out;
}

/// Index of the instant at a time; −1 when it is outside of the recording.
int find_instant(const std::vector<NodePlan>& instants, double time) {
  const auto next = std::lower_bound(instants.begin(), instants.end(), time,
                                     [](const NodePlan& n, double t) { return n.time < t; });
  const int i = static_cast<int>(next - instants.begin());
  const double dt = instants.size() > 1 ? instants[1].time - instants[0].time : 0;
  if (i == static_cast<int>(instants.size())) return time - instants.back().time < dt ? i - 1 : -1;
  if (i == 0) return instants[0].time - time < dt ? 0 : -1;
  return instants[i].time - time <= time - instants[i - 1].time ? i : i - 1;
}

/// Names of the contacts closed from each instant to the next; of the last one, from there on.
std::vector<std::set<std::string>> make_schedule(const Recording& recording,
                                                 const std::vector<NodePlan>& instants) {
  std::vector<std::set<std::string>> out(instants.size());
  const double begin = instants.front().time;
  const double last_dt =
      instants.size() > 1 ? instants.back().time - (instants.end() - 2)->time : 0;
  const double end = instants.back().time + same_time * last_dt;
  for (const PhaseConfig& phase : recording.phases) {
    if (phase.to <= begin || phase.from > end) continue;
    const int first = phase.from <= begin ? 0 : find_instant(instants, phase.from);
    const int last =
        phase.to > end ? static_cast<int>(instants.size()) : find_instant(instants, phase.to);
    for (int i = first; i < last; ++i) out[i].insert(phase.contacts.begin(), phase.contacts.end());
  }
  return out;
}

/// How contacts bounce, by name.
using Bounces = std::map<std::string, ImpactConfig>;

/// The impacts at each instant.
std::map<int, Bounces> make_impacts(const Recording& recording,
                                    const std::vector<NodePlan>& instants) {
  std::map<int, Bounces> out;
  for (const ImpactConfig& impact : recording.impacts) {
    const int i = find_instant(instants, impact.time);
    if (i <= 0) continue;
    for (const std::string& name : impact.contacts) out[i][name] = impact;
  }
  return out;
}

class Builder {
 public:
  Builder(const Recording& recording, const MotionConstraints& constraints)
      : constraints_(constraints),
        instants_(make_instants(recording)),
        closed_(make_schedule(recording, instants_)),
        impacts_(make_impacts(recording, instants_)) {}

  Timeline build() {
    out_.nodes.push_back(instants_[0]);
    const int last = static_cast<int>(instants_.size()) - 1;
    for (int i = 0; i < last; ++i) {
      if (i > 0) add_impact(i);
      if (i == 0 || closed_[i] != closed_[i - 1] || out_.stages.back().impact)
        mode_ = add_mode(closed_[i], {});
      add_stage({instants_[i + 1].time - instants_[i].time, sample_before(i), mode_, false},
                instants_[i + 1]);
    }
    // A foot that touches down at the last sample has changed what that sample saw.
    if (last > 0) add_impact(last);
    return std::move(out_);
  }

 private:
  int sample_before(int i) const {
    while (instants_[i].sample < 0) --i;
    return instants_[i].sample;
  }

  void add_stage(const StagePlan& stage, const NodePlan& next) {
    out_.stages.push_back(stage);
    out_.nodes.push_back(next);
  }

  /// At instant i: contacts of the configuration's impacts, and those that close here.
  void add_impact(int i) {
    Bounces bounces;
    if (const auto found = impacts_.find(i); found != impacts_.end()) bounces = found->second;
    for (const std::string& name : closed_[i]) {
      if (!closed_[i - 1].contains(name)) bounces.try_emplace(name);
    }
    if (bounces.empty()) return;
    std::set<std::string> names;
    std::set_intersection(closed_[i - 1].begin(), closed_[i - 1].end(), closed_[i].begin(),
                          closed_[i].end(), std::inserter(names, names.end()));
    for (const auto& [name, value] : bounces) names.insert(name);
    // What the sample saw is the state after the impact.
    NodePlan after = out_.nodes.back();
    out_.nodes.back().sample = -1;
    add_stage({0, sample_before(i), add_mode(names, bounces), true}, after);
  }

  int add_mode(const std::set<std::string>& names, const Bounces& bounces) {
    Mode& mode = out_.modes.emplace_back();
    mode.constraints = constraints_.loops;
    for (const MotionConstraint& contact : constraints_.contacts) {
      if (!names.contains(contact.name)) continue;
      MotionConstraint& added = mode.constraints.emplace_back(contact);
      const auto found = bounces.find(contact.name);
      if (found == bounces.end()) continue;
      added.restitution = found->second.restitution;
      added.slip = found->second.slip;
      added.twist = found->second.twist;
      const MotionConstraint slipping = slipping_rows(added);
      if (!slipping.rows.empty()) mode.slips.push_back(slipping);
    }
    return static_cast<int>(out_.modes.size()) - 1;
  }

  const MotionConstraints& constraints_;
  std::vector<NodePlan> instants_;
  std::vector<std::set<std::string>> closed_;
  std::map<int, Bounces> impacts_;
  Timeline out_;
  int mode_ = 0;
};

}  // namespace

int Timeline::max_rows() const {
  int out = 0;
  for (const Mode& mode : modes) out = std::max(out, mode.num_rows());
  return out;
}

int Timeline::max_slips() const {
  int out = 0;
  for (const Mode& mode : modes) out = std::max(out, mode.num_slips());
  return out;
}

Timeline Timeline::of(const Recording& recording) {
  return make_timeline(recording, {});
}

Timeline make_timeline(const Recording& recording, const MotionConstraints& constraints) {
  return Builder(recording, constraints).build();
}

std::vector<EnergyWindow> make_energy_windows(const Timeline& timeline, int size) {
  const int num_stages = static_cast<int>(timeline.stages.size());
  std::vector<EnergyWindow> out(num_stages);
  int open = 0;  // stages since a window began
  for (int k = 0; k < num_stages; ++k) {
    open = timeline.stages[k].impact ? 0 : open + 1;
    if (open < size) continue;
    for (int i = k - size + 1; i <= k; ++i) out[i].first = k - size + 1;
    out[k].ends = true;
    open = 0;
  }
  return out;
}

}  // namespace bayesid
