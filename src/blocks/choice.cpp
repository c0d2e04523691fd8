// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/choice.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bayesid/error.hpp"
#include "math/nearest_name.hpp"
#include "math/text.hpp"

namespace bayesid::blocks {

namespace {

std::string quoted_list(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names);
}

int index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

std::string key_location(const Config& config, const std::string& key) {
  std::string out = config.file;
  for (std::string around = key; !around.empty();) {
    const auto line = config.lines.find(around);
    if (line != config.lines.end()) {
      out += ":" + std::to_string(line->second);
      break;
    }
    const std::size_t dot = around.rfind('.');
    around.resize(dot == std::string::npos ? 0 : dot);
  }
  return out.empty() ? key : out + ": " + key;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) return ", did you mean \"" + nearest + "\"?";
  constexpr std::size_t readable = 12;
  if (candidates.size() > readable) return ", which does not exist";
  return ", expected one of: " + quoted_list(candidates);
}

void throw_unknown(const Config& config, const std::string& key, const std::string& name,
                   const std::vector<std::string>& candidates) {
  throw InputError(key_location(config, key) + ": unknown name \"" + name + "\"" +
                   suggestion(name, candidates));
}

std::vector<int> choose(const Config& config, const std::string& key, const Selection& selection,
                        const std::vector<std::string>& candidates) {
  std::vector<int> out;
  if (selection.all) {
    for (std::size_t i = 0; i < candidates.size(); ++i) out.push_back(static_cast<int>(i));
    return out;
  }
  for (const std::string& name : selection.names) {
    const int i = index_of(candidates, name);
    if (i < 0) throw_unknown(config, key, name, candidates);
    if (std::find(out.begin(), out.end(), i) != out.end()) {
      throw InputError(key_location(config, key) + ": \"" + name + "\" is named twice");
    }
    out.push_back(i);
  }
  return out;
}

std::vector<double> read_numbers(const Config& config, const std::string& key, const Numbers& n) {
  const std::size_t listed = n.given.list.size();
  if (listed > 0 && static_cast<int>(listed) != n.num_joints && listed != n.candidates.size()) {
    throw InputError(key_location(config, key) + ": found " + std::to_string(listed) +
                     " numbers, expected one for each joint: " + quoted_list(n.candidates));
  }
  std::vector<std::string> names;
  names.reserve(n.chosen.size());
  for (const int i : n.chosen) names.push_back(n.candidates[i]);
  for (const auto& [name, value] : n.given.by_name) {
    if (index_of(names, name) < 0) throw_unknown(config, key, name, names);
  }
  std::vector<double> out;
  for (const int i : n.chosen) {
    double value = n.given.all.value_or(n.otherwise);
    if (i < static_cast<int>(listed)) value = n.given.list[i];
    const auto named = n.given.by_name.find(n.candidates[i]);
    if (named != n.given.by_name.end()) value = named->second;
    if (!std::isfinite(value)) {
      throw InputError(key_location(config, key) + ": the number for " + n.candidates[i] +
                       " is not finite");
    }
    out.push_back(value);
  }
  return out;
}

double positive(const Config& config, const std::string& key, double value) {
  if (value > 0 && std::isfinite(value)) return value;
  throw InputError(key_location(config, key) + ": found " + number_text(value) +
                   ", expected a positive number");
}

std::string number_text(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace bayesid::blocks
