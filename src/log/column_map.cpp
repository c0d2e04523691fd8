// SPDX-License-Identifier: BSD-3-Clause
#include "log/column_map.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "bayesid/error.hpp"
#include "config/sensor_fields.hpp"
#include "log/column_words.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid {
namespace {

constexpr std::size_t max_listed = 5;  // names in one message

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), max_listed); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > max_listed) {
    text += " and " + std::to_string(names.size() - max_listed) + " more";
  }
  return text;
}

/// A column that is one element of an array without names: q[0], position_1,
/// /joint_states/effort[2].
struct ArrayColumn {
  std::string prefix;  // q, v or tau
  std::size_t index = 0;
};

std::optional<ArrayColumn> array_column(std::string_view name) {
  constexpr std::size_t max_digits = 4;
  if (name.ends_with(']')) name.remove_suffix(1);
  const std::size_t last_letter = name.find_last_not_of("0123456789");
  if (last_letter == name.npos) return {};
  const std::string_view digits = name.substr(last_letter + 1);
  if (digits.empty() || digits.size() > max_digits) return {};

  std::string_view word = name.substr(0, last_letter + 1);
  if (word.ends_with('[') || word.ends_with('_') || word.ends_with('.')) word.remove_suffix(1);
  word = word.substr(word.rfind('/') + 1);
  const std::string prefix = prefix_of_word(word);
  if (prefix.empty()) return {};
  ArrayColumn column{.prefix = prefix};
  std::from_chars(digits.data(), digits.data() + digits.size(), column.index);
  return column;
}

bool is_on_request(const Header& header, std::size_t column) {
  return !header.on_request.empty() && header.on_request[column];
}

/// Channel of each column that is an element of an array, by column.
std::map<std::size_t, std::string> array_channels(const Header& header,
                                                  const std::vector<std::string>& joints,
                                                  const std::string& place) {
  const auto element_of = [&](std::size_t i) {
    return is_on_request(header, i) ? std::nullopt : array_column(header.names[i]);
  };
  // Counted from 1 when there is no 0 and the last one would otherwise have no joint.
  bool has_zero = false, has_size = false;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const std::optional<ArrayColumn> element = element_of(i);
    has_zero |= element && element->index == 0;
    has_size |= element && element->index == joints.size();
  }
  const std::size_t first = has_size && !has_zero ? 1 : 0;

  std::map<std::size_t, std::string> channels;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const std::optional<ArrayColumn> element = element_of(i);
    if (!element) continue;
    if (element->index - first >= joints.size()) {
      throw InputError(place + "column " + header.names[i] +
                       " has no joint, logs[].joint_order names " + std::to_string(joints.size()));
    }
    channels[i] = element->prefix + '.' + joints[element->index - first];
  }
  return channels;
}

std::size_t find_source(const std::vector<std::string>& header, const std::string& name,
                        const std::string& channel, const std::string& place) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  throw InputError(place + "no column is named " + name + ", which logs[].columns." + channel +
                   " asks for" + did_you_mean(name, header));
}

[[noreturn]] void fail_without_time(const std::vector<std::string>& header,
                                    const std::string& place) {
  const auto likely = std::find_if(header.begin(), header.end(), may_be_time);
  const std::string source = likely == header.end() ? "<column>" : *likely;
  throw InputError(place + "no column is named time" +
                   (likely == header.end() ? "." : ", did you mean " + source + "?") +
                   " Map it with logs[].columns: {time: \"" + source + "\"}");
}

bool is_time(const std::string& name) {
  return units_per_second(name) > 0;
}

/// Two groups with the same channel: which one is meant?
void check_not_doubled(const std::vector<std::string>& names, const ColumnSource& first,
                       std::size_t second, const LogConfig& config, const std::string& place) {
  const bool is_chosen = config.columns.contains(first.channel);
  const bool is_path = names[first.column].find('/') != std::string::npos &&
                       names[second].find('/') != std::string::npos;
  if (is_chosen || !is_path) return;
  throw InputError(place + "columns " + names[first.column] + " and " + names[second] +
                   " are both " + first.channel + ": choose one with logs[].columns");
}

/// The one time channel: that of `columns`, or the only one there is. Others are then no channels.
ColumnSource take_time(const std::vector<std::string>& names, const LogConfig& config,
                       const std::string& place, std::map<std::string, ColumnSource>& sources,
                       std::vector<std::string>& ignored) {
  std::vector<ColumnSource> found, chosen;
  for (const char* name : {"time", "time_ms", "time_us", "time_ns"}) {
    const auto source = sources.find(name);
    if (source == sources.end()) continue;
    source->second.per_second = units_per_second(name);
    found.push_back(source->second);
    if (config.columns.contains(name)) chosen.push_back(source->second);
    sources.erase(source);
  }
  if (found.empty()) fail_without_time(names, place);
  const std::vector<ColumnSource>& left = chosen.empty() ? found : chosen;
  if (left.size() > 1) {
    std::vector<std::string> columns;
    for (const ColumnSource& one : left)
      columns.push_back(chosen.empty() ? names[one.column] : one.channel);
    const ColumnSource& last = left.back();
    throw InputError(place + (chosen.empty() ? "columns " : "logs[].columns maps ") +
                     listed(columns) + (chosen.empty() ? " all hold" : ", which all are") +
                     " the time: choose one with logs[].columns: {" + last.channel + ": \"" +
                     names[last.column] + "\"}");
  }
  for (const ColumnSource& one : found) {
    if (one.column != left[0].column) ignored.push_back(names[one.column]);
  }
  return left[0];
}

[[noreturn]] void fail_without_channels(const ColumnMap& map, const std::vector<std::string>& names,
                                        const std::string& place) {
  std::vector<std::string> elements;
  for (const std::string& name : map.ignored) {
    if (array_column(name)) elements.push_back(name);
  }
  if (!elements.empty()) {
    throw InputError(place + "columns are numbered, not named (" + listed(elements) +
                     "): name the joints in that order with logs[].joint_order: [joint1, …]");
  }
  throw InputError(place + "no column is a channel (" +
                   listed(map.ignored.empty() ? names : map.ignored) +
                   "): expected names such as q.<joint>, v.<joint>, tau.<joint>; map others with "
                   "logs[].columns");
}

}  // namespace

bool is_numbered(const std::string& name) {
  return array_column(name).has_value();
}

bool is_channel(const std::string& name) {
  static const std::regex pattern(config::channel_pattern());
  return std::regex_match(name, pattern);
}

std::string last_part(const std::string& name) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return is_time(last) || is_channel(last) ? last : name;
}

long double units_per_second(const std::string& name) {
  if (name == "time") return 1;
  if (name == "time_ms") return 1e3L;
  if (name == "time_us") return 1e6L;
  return name == "time_ns" ? 1e9L : 0;
}

ColumnMap make_column_map(const Header& header, const LogConfig& config, const std::string& place) {
  const std::vector<std::string>& names = header.names;
  ColumnMap map;
  std::map<std::string, ColumnSource> sources;
  std::set<std::size_t> used;
  for (const auto& [channel, column] : config.columns) {
    const std::size_t index = find_source(names, column.source, channel, place);
    sources[channel] = {channel, index, column.sign * column.scale, column.offset};
    used.insert(index);
  }

  std::map<std::size_t, std::string> elements;
  if (!config.joint_order.empty()) elements = array_channels(header, config.joint_order, place);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (used.contains(i) || names[i].empty() || is_on_request(header, i)) continue;
    const std::string name = elements.contains(i) ? elements[i] : last_part(names[i]);
    const bool is_known = is_time(name) || is_channel(name);
    // A channel that `columns` maps comes from there, whatever else bears its name.
    const bool is_new = is_known && sources.emplace(name, ColumnSource{name, i}).second;
    if (is_known && !is_new) check_not_doubled(names, sources[name], i, config, place);
    if (is_new) continue;
    // The same data under another name.
    const bool is_alias = is_known && is_on_request(header, sources[name].column);
    if (!is_alias) map.ignored.push_back(names[i]);
  }

  map.time = take_time(names, config, place, sources, map.ignored);
  for (const auto& [channel, source] : sources) map.channels.push_back(source);
  if (map.channels.empty()) fail_without_channels(map, names, place);
  return map;
}

}  // namespace bayesid
