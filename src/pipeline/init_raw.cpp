// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_raw.hpp"

#include <algorithm>

#include "bayesid/error.hpp"
#include "log/column_words.hpp"
#include "log/log_source.hpp"
#include "math/text.hpp"

namespace bayesid::pipeline {
namespace {

/// Seconds and what is beyond them in two columns: most seconds repeat.
void check_clock(const RawLog& raw) {
  const std::vector<long double>& stamps = raw.table.stamps;
  std::size_t repeated = 0;
  for (std::size_t k = 1; k < stamps.size(); ++k) repeated += stamps[k] == stamps[k - 1] ? 1 : 0;
  if (2 * repeated < stamps.size()) return;
  const auto is_part = [](const std::string& name) {
    return std::ranges::any_of(words_of(name), [](const std::string& word) {
      return word == "nsec" || word == "nsecs" || word == "nanosec" || word == "nanosecs";
    });
  };
  const auto part = std::ranges::find_if(raw.names, is_part);
  if (part == raw.names.end() || *part == raw.names[raw.clock()]) return;
  throw InputError(raw.place + "the time is in two columns, " + raw.names[raw.clock()] + " and " +
                   *part + ", it seems: write their sum in one unit into one column");
}

}  // namespace

RawLog read_raw(const Robot& robot, const std::string& file) {
  LogSource source(file);
  JointNames joints;
  for (const Joint& joint : robot.joints) joints.joints.push_back(joint.name);
  for (const Coordinate& one : robot.coordinates)
    if (robot.joint_index(one.name) < 0) joints.followers.push_back(one.name);
  RawLog out{.names = source.header().names,
             .place = source.place(),
             .matches = match_columns(source.header(), joints),
             .table = {}};
  if (out.matches.times.empty()) source.map({.file = file});  // says what is missing
  if (out.matches.matches.empty() && out.matches.unclear.empty()) {
    constexpr std::size_t most = 5;  // in one sentence
    std::vector<std::string> shown(out.names.begin(),
                                   out.names.begin() + std::min(most, out.names.size()));
    if (out.names.size() > most) shown.emplace_back("…");
    throw InputError(out.place +
                     "no column looks like a position, a velocity or an effort of a "
                     "joint (" +
                     join(shown) + "): expected names such as q." + robot.joints[0].name + ", " +
                     robot.joints[0].name + "_pos or q1");
  }
  ColumnMap map{.time = {.channel = "time", .column = out.clock()}};
  for (const ColumnMatch& match : out.matches.matches)
    map.channels.push_back({.channel = match.channel, .column = match.column});
  out.table = source.read(map);
  if (out.table.stamps.size() < 2) {
    throw InputError(file + ": has " + std::to_string(out.table.stamps.size()) +
                     (out.table.stamps.size() == 1 ? " sample" : " samples") +
                     ", expected at least 2");
  }
  check_clock(out);
  return out;
}

}  // namespace bayesid::pipeline
