// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_log.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "log/column_map.hpp"
#include "math/text.hpp"
#include "pipeline/init_columns.hpp"
#include "pipeline/init_raw.hpp"
#include "pipeline/init_units.hpp"

namespace bayesid::pipeline {
namespace {

/// Joints that have a position in the log.
std::vector<JointSignals> signals_of(const Robot& robot, const RawLog& raw) {
  std::vector<JointSignals> out;
  for (const Joint& joint : robot.joints) {
    const std::vector<double>* q = raw.values("q." + joint.name);
    if (!q) continue;
    const ChannelFacts facts = describe_channel(*q);
    JointSignals one{.joint = &joint, .lowest = facts.lowest, .highest = facts.highest};
    one.q_says_degrees = raw.matches.find("q." + joint.name)->is_degrees;
    if (const std::vector<double>* v = raw.values("v." + joint.name)) {
      one.has_velocity = true;
      one.v_says_degrees = raw.matches.find("v." + joint.name)->is_degrees;
      one.velocity = velocity_ratio(raw.table.stamps, *q, *v);
    }
    out.push_back(one);
  }
  return out;
}

UnitGuess clock_of(const RawLog& raw, const std::vector<JointSignals>& signals) {
  std::vector<VelocityRatio> revolute;
  for (const JointSignals& one : signals)
    if (!one.joint->prismatic) revolute.push_back(one.velocity);
  return guess_time(raw.names[raw.clock()], raw.table.stamps, revolute);
}

/// By channel.
std::map<std::string, UnitGuess> units_of(std::vector<JointSignals> signals, double clock) {
  for (JointSignals& one : signals) one.velocity.ratio *= clock;
  const std::vector<JointUnits> units = guess_joints(signals);
  std::map<std::string, UnitGuess> out;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    out["q." + signals[i].joint->name] = units[i].position;
    if (signals[i].has_velocity) out["v." + signals[i].joint->name] = units[i].velocity;
  }
  return out;
}

void add_clock(const RawLog& raw, const UnitGuess& clock, LogDraft& out) {
  const std::string& name = raw.names[raw.clock()];
  const bool is_canonical = last_part(name) == "time";
  if (!clock.question.empty()) {
    out.questions.push_back(
        {.log = out.config.file,
         .about = "time",
         .text = "time: " + clock.question,
         .lines = {column_line("time", {.source = name, .scale = clock.scale})}});
  }
  const double scale = clock.question.empty() ? clock.scale : 1;
  std::string evidence = clock.question.empty() ? clock.evidence : "";
  for (std::size_t i = 1; i < raw.matches.times.size() && !is_canonical; ++i)
    evidence += (evidence.empty() ? "not " : "; not ") + raw.names[raw.matches.times[i]];
  out.matches.push_back({.log = out.config.file,
                         .channel = "time",
                         .column = name,
                         .by = is_canonical ? "channel" : "clock",
                         .scale = scale,
                         .evidence = evidence});
  if (!is_canonical || scale != 1) out.config.columns["time"] = {.source = name, .scale = scale};
}

DraftQuestion current_question(const RawLog& raw, const LogDraft& draft) {
  DraftQuestion out{.log = draft.config.file, .about = "current", .text = ""};
  for (const ColumnMatch& match : raw.matches.matches) {
    if (!match.is_current) continue;
    out.candidates.push_back(raw.name_of(match));
    out.lines.push_back(column_line(match.channel, {.source = raw.name_of(match)}));
  }
  out.text = join(out.candidates) +
             ": currents of motors in A? Then scale is the torque constant times the gear "
             "ratio, in N·m/A";
  return out;
}

void add_channel(const RawLog& raw, const ColumnMatch& match, const UnitGuess& unit,
                 LogDraft& out) {
  const std::string& name = raw.name_of(match);
  if (match.is_current) {
    out.currents[match.channel] = name;
    return;
  }
  const ColumnConfig column{.source = name, .scale = unit.scale, .sign = unit.sign};
  const bool is_canonical = match.by == MatchedBy::channel;
  if (!unit.question.empty()) {
    out.questions.push_back({.log = out.config.file,
                             .about = match.channel,
                             .text = unit.question,
                             .candidates = {name},
                             .lines = {column_line(match.channel, column)}});
    if (!is_canonical) return;
  }
  const bool is_clear = unit.question.empty();
  out.matches.push_back({.log = out.config.file,
                         .channel = match.channel,
                         .column = name,
                         .by = to_string(match.by),
                         .scale = is_clear ? unit.scale : 1,
                         .sign = is_clear ? unit.sign : 1,
                         .evidence = is_clear ? unit.evidence : ""});
  const bool is_scaled = is_clear && (unit.scale != 1 || unit.sign != 1);
  if (!is_canonical || is_scaled)
    out.config.columns[match.channel] = is_clear ? column : ColumnConfig{.source = name};
}

/// Positions beyond the limits of the joint they were taken for: of another joint, perhaps.
void compare_with_limits(const Robot& robot, LogDraft& draft) {
  constexpr double slack = 0.1;  // of the range
  for (const Joint& joint : robot.joints) {
    const auto found = draft.facts.channels.find("q." + joint.name);
    const double range = joint.upper - joint.lower;
    if (found == draft.facts.channels.end() || !std::isfinite(range)) continue;
    const ChannelFacts& facts = found->second;
    if (facts.lowest > joint.lower - slack * range && facts.highest < joint.upper + slack * range)
      continue;
    const std::string text = "q." + joint.name + " reads " + rounded(facts.lowest, 4) + " … " +
                             rounded(facts.highest, 4) + ", beyond the limits of the joint, " +
                             rounded(joint.lower, 4) + " … " + rounded(joint.upper, 4);
    const auto match = std::ranges::find(draft.matches, found->first, &DraftMatch::channel);
    if (match == draft.matches.end()) continue;
    if (match->by != "order" && match->by != "similar") {
      draft.notes.push_back(text);
      continue;
    }
    draft.questions.push_back({.log = draft.config.file,
                               .about = found->first,
                               .text = text + ": is `" + match->column + "` of another joint?"});
  }
}

}  // namespace

LogDraft draft_log(const Robot& robot, const std::string& file) {
  const RawLog raw = read_raw(robot, file);
  LogDraft out;
  out.config.file = file;
  const std::vector<JointSignals> signals = signals_of(robot, raw);
  const UnitGuess clock = clock_of(raw, signals);
  add_clock(raw, clock, out);
  const std::map<std::string, UnitGuess> units = units_of(signals, clock.scale);
  for (const ColumnMatch& match : raw.matches.matches) {
    const auto unit = units.find(match.channel);
    add_channel(raw, match, unit == units.end() ? UnitGuess{} : unit->second, out);
  }
  if (!out.currents.empty()) out.questions.push_back(current_question(raw, out));
  shorten_to_joint_order(raw.names, raw.matches, out);
  ask_about_columns(robot, raw.names, raw.matches, out);
  for (const std::size_t i : raw.matches.unused) out.unused.push_back(raw.names[i]);

  const bool has_channels = std::ranges::any_of(
      out.matches, [](const DraftMatch& match) { return match.channel != "time"; });
  if (!has_channels) return out;
  out.log = read_log(out.config);
  out.facts = describe_log(out.log);
  out.is_read = true;
  compare_with_limits(robot, out);
  return out;
}

}  // namespace bayesid::pipeline
