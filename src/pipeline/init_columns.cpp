// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_columns.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "config/yaml_text.hpp"
#include "log/column_words.hpp"
#include "math/parse_number.hpp"
#include "math/text.hpp"

namespace bayesid::pipeline {
namespace {

using Names = std::vector<std::string>;

const char* kind_of(const std::string& prefix) {
  return prefix == "q" ? "position" : prefix == "v" ? "velocity" : "effort";
}

/// Joints of the robot that have no such channel in the log yet.
Names joints_without(const Robot& robot, const std::string& prefix, const ColumnMatches& found) {
  Names out;
  for (const Joint& joint : robot.joints)
    if (!found.find(prefix + '.' + joint.name)) out.push_back(joint.name);
  return out;
}

std::string quoted(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "`" : ", `") + name + "`";
  return out;
}

/// Every joint has its column, so that these are of something else; channels are always read.
void set_aside(const Names& columns, Names& channels, LogDraft& draft) {
  for (const std::string& name : columns)
    (is_channel(last_part(name)) ? channels : draft.unused).push_back(name);
}

/// `check` refuses channels of joints that the model does not have.
void ask_about_unknown(const Names& channels, LogDraft& draft) {
  if (channels.empty()) return;
  draft.questions.push_back(
      {.log = draft.config.file,
       .about = "columns",
       .text = "the model has no joint for " + quoted(channels) +
               ", which bayesid check refuses: remove from the log, or rename?",
       .candidates = channels});
}

}  // namespace

std::string column_line(const std::string& channel, const ColumnConfig& column) {
  const std::string key = text_of(channel) + ": ";
  if (column.scale == 1 && column.sign == 1) return key + text_of(column.source);
  std::string out = key + "{source: " + text_of(column.source);
  if (column.scale != 1) out += ", scale: " + text_of(column.scale);
  if (column.sign != 1) out += ", sign: -1";
  return out + "}";
}

void shorten_to_joint_order(const Names& names, const ColumnMatches& found, LogDraft& draft) {
  std::map<int, std::string> order;  // by number
  Names channels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_numbered(names[i])) continue;
    const auto match = std::ranges::find(found.matches, i, &ColumnMatch::column);
    if (match == found.matches.end() || match->by == MatchedBy::channel) return;
    const auto column = draft.config.columns.find(match->channel);
    const bool is_plain = column != draft.config.columns.end() && column->second.scale == 1 &&
                          column->second.sign == 1;
    if (!is_plain) return;
    const std::string joint = match->channel.substr(match->channel.find('.') + 1);
    const int number = static_cast<int>(parse_number(words_of(names[i]).back()).value_or(-1));
    if (!order.emplace(number, joint).second && order.at(number) != joint) return;
    channels.push_back(match->channel);
  }
  const int first = order.empty() ? -1 : order.begin()->first;
  const bool is_dense =
      !order.empty() && order.rbegin()->first - first + 1 == static_cast<int>(order.size());
  if (first < 0 || first > 1 || !is_dense) return;
  for (const auto& [number, joint] : order) draft.config.joint_order.push_back(joint);
  for (const std::string& channel : channels) draft.config.columns.erase(channel);
}

void ask_about_columns(const Robot& robot, const Names& names, const ColumnMatches& found,
                       LogDraft& draft) {
  using Key = std::tuple<std::string, std::string, Names>;  // prefix, reason, candidates
  std::map<Key, Names> columns;
  for (const UnclearColumn& one : found.unclear)
    columns[{one.prefix, one.reason, one.joints}].push_back(names[one.column]);
  Names unknown;
  for (const auto& [key, sources] : columns) {
    const auto& [prefix, reason, joints] = key;
    const Names candidates = joints.empty() ? joints_without(robot, prefix, found) : joints;
    if (candidates.empty()) {
      set_aside(sources, unknown, draft);
      continue;
    }
    DraftQuestion question{.log = draft.config.file, .about = prefix, .candidates = candidates};
    question.text = "the " + std::string(kind_of(prefix)) + " of which joint is " +
                    quoted(sources) + " (" + reason + ")? Candidates: " + join(candidates);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::string& joint = candidates[std::min(i, candidates.size() - 1)];
      question.lines.push_back(column_line(prefix + '.' + joint, {.source = sources[i]}));
    }
    draft.questions.push_back(std::move(question));
  }
  ask_about_unknown(unknown, draft);
}

}  // namespace bayesid::pipeline
