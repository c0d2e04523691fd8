// SPDX-License-Identifier: BSD-3-Clause
#include "log/match_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "log/match_joints.hpp"

namespace bayesid {
namespace {

using match::Column;

/// What follows q., v. or tau.; "" for other channels.
std::string joint_of(const std::string& channel) {
  for (const std::string prefix : {"q.", "v.", "tau."})
    if (channel.starts_with(prefix)) return channel.substr(prefix.size());
  return "";
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Columns of joints under other names; the others are sorted into `out`.
std::vector<Column> foreign_columns(const Header& header, const JointNames& names,
                                    ColumnMatches& out) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const std::string channel = last_part(header.names[i]);
    const bool is_on_request = !header.on_request.empty() && header.on_request[i];
    if (header.names[i].empty() || is_on_request) continue;
    const std::string joint = is_channel(channel) ? joint_of(channel) : "";
    if (is_channel(channel) &&
        (joint.empty() || contains(names.joints, joint) || contains(names.followers, joint))) {
      if (!out.find(channel)) {
        out.matches.push_back({.column = i, .channel = channel});
      } else {
        out.unused.push_back(i);
      }
      continue;
    }
    if (channel == "time" || may_be_time(header.names[i])) {
      out.times.push_back(i);
      continue;
    }
    Column column{.index = i, .name = read_column_name(header.names[i])};
    if (!joint.empty()) {  // q.elbow_1 of a robot without a joint of that name
      column.name = {.prefix = channel.substr(0, channel.size() - joint.size() - 1),
                     .joint = telling_words(words_of(joint))};
    }
    if (column.name.prefix.empty()) {
      out.unused.push_back(i);
    } else {
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

/// The likeliest first: time itself, then names with fewer other words.
void sort_times(const Header& header, std::vector<std::size_t>& times) {
  std::ranges::stable_sort(times, {}, [&](std::size_t i) {
    const std::string name = last_part(header.names[i]);
    const bool is_part = name.find("nsec") != name.npos || name.find("nanosec") != name.npos;
    return name == "time" ? 0 : words_of(name).size() + (is_part ? 10 : 0);
  });
}

/// Measured before commanded, efforts before currents.
int rank(const Column& column) {
  return (column.name.is_command ? 2 : 0) + (column.name.is_current ? 1 : 0);
}

/// Of all columns for one channel the one that is clearly meant.
void choose(const std::string& channel, std::vector<const Column*> columns, ColumnMatches& out) {
  std::ranges::stable_sort(columns, {}, [](const Column* one) { return rank(*one); });
  const Column& best = *columns[0];
  const bool is_tie = columns.size() > 1 && rank(*columns[1]) == rank(best);
  const bool is_known = out.find(channel) != nullptr;
  for (const Column* column : columns) {
    const bool is_best = rank(*column) == rank(best);
    if (is_known || !is_best) {
      out.unused.push_back(column->index);
    } else if (is_tie || best.name.is_command) {
      const std::string reason = is_tie ? "several columns fit" : "its name is that of a command";
      out.unclear.push_back({.column = column->index,
                             .prefix = column->name.prefix,
                             .joints = {column->joint},
                             .reason = reason});
    } else {
      out.matches.push_back({.column = column->index,
                             .channel = channel,
                             .by = column->by,
                             .is_current = column->name.is_current,
                             .is_degrees = column->name.is_degrees});
    }
  }
}

}  // namespace

const char* to_string(MatchedBy by) {
  static constexpr std::array<const char*, 5> words{"channel", "name", "similar", "number",
                                                    "order"};
  return words.at(static_cast<std::size_t>(by));
}

const ColumnMatch* ColumnMatches::find(const std::string& channel) const {
  const auto found = std::ranges::find(matches, channel, &ColumnMatch::channel);
  return found == matches.end() ? nullptr : &*found;
}

bool is_gripper(const std::string& joint) {
  static const std::set<std::string> words{"finger", "fingers", "gripper", "grip",  "thumb",
                                           "jaw",    "knuckle", "claw",    "pinch", "index"};
  return std::ranges::any_of(words_of(joint),
                             [](const std::string& word) { return words.contains(word); });
}

ColumnMatches match_columns(const Header& header, const JointNames& names) {
  ColumnMatches out;
  std::vector<Column> columns = foreign_columns(header, names, out);
  sort_times(header, out.times);
  match::by_number(names.joints, columns);
  std::map<std::string, std::vector<const Column*>> by_channel;
  for (Column& column : columns) {
    const bool is_number = column.is_numbered() && column.name.joint.size() == 1;
    if (column.joint.empty() && !is_number) match::by_name(names.joints, column);
    if (!column.joint.empty()) {
      by_channel[column.name.prefix + '.' + column.joint].push_back(&column);
      continue;
    }
    const std::string reason = is_number                   ? "the joints are not counted like this"
                               : column.candidates.empty() ? "no joint has such a name"
                                                           : "several joints fit";
    out.unclear.push_back({.column = column.index,
                           .prefix = column.name.prefix,
                           .joints = column.candidates,
                           .reason = reason});
  }
  for (const auto& [channel, found] : by_channel) choose(channel, found, out);
  std::ranges::sort(out.matches, {}, &ColumnMatch::column);
  std::ranges::sort(out.unclear, {}, &UnclearColumn::column);
  std::ranges::sort(out.unused);
  return out;
}

}  // namespace bayesid
