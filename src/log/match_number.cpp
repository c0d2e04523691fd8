// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "log/match_joints.hpp"
#include "math/parse_number.hpp"

namespace bayesid::match {
namespace {

using Words = std::vector<std::string>;
using Numbers = std::set<int>;

int number_of(const Words& words) {
  constexpr double most = 1e6;
  return static_cast<int>(std::min(most, parse_number(words.back()).value_or(most)));
}

Words without_last(const Words& words) {
  return {words.begin(), words.end() - 1};
}

/// Joints whose names end with a number, and otherwise agree with `stem` as far as it goes.
std::map<int, std::string> numbered_joints(const std::vector<std::string>& joints,
                                           const Words& stem) {
  std::map<int, std::string> out;
  int least = std::numeric_limits<int>::max();
  for (const std::string& joint : joints) {
    const Words words = telling_words(words_of(joint));
    if (words.empty() || !is_number_word(words.back())) continue;
    const int apart = words_apart(without_last(words), stem);
    if (apart < 0 || apart > least) continue;
    if (apart < least) out.clear();
    least = apart;
    const bool is_new = out.emplace(number_of(words), joint).second;
    if (!is_new) return {};  // left_1 and right_1
  }
  return out;
}

Numbers shifted(const Numbers& numbers, int by) {
  Numbers out;
  for (const int number : numbers) out.insert(number + by);
  return out;
}

/// q_0 … q_5 of joint_1 … joint_6.
std::map<int, std::string> by_own_numbers(const Numbers& numbers,
                                          const std::map<int, std::string>& joints) {
  Numbers own;
  for (const auto& [number, joint] : joints) own.insert(number);
  std::map<int, std::string> out;
  const bool is_part =
      *numbers.begin() > 0 && std::ranges::includes(own, numbers) && !own.contains(0);
  for (const int shift : {0, 1, -1}) {
    if (shifted(numbers, shift) != own && !(shift == 0 && is_part)) continue;
    for (const int number : numbers) out[number] = joints.at(number + shift);
    return out;
  }
  return out;
}

/// As many as there are joints, counted from 0 or 1.
std::map<int, std::string> by_order(const Numbers& numbers, std::vector<std::string> joints) {
  if (numbers.size() != joints.size()) std::erase_if(joints, is_gripper);
  const int first = *numbers.begin();
  const bool is_dense = *numbers.rbegin() - first + 1 == static_cast<int>(numbers.size());
  if (numbers.size() != joints.size() || first > 1 || !is_dense) return {};
  std::map<int, std::string> out;
  for (const int number : numbers) out[number] = joints[static_cast<std::size_t>(number - first)];
  return out;
}

/// Than its joint: wheel_speed_1 of joint_1.
bool has_more_words(const Column& column) {
  return column.name.joint.size() > telling_words(words_of(column.joint)).size();
}

}  // namespace

void by_number(const std::vector<std::string>& joints, std::vector<Column>& columns) {
  using Key = std::tuple<std::string, bool, bool, Words>;
  std::map<Key, std::vector<Column*>> arrays;
  for (Column& column : columns) {
    if (!column.is_numbered() || !column.joint.empty()) continue;
    const ColumnName& name = column.name;
    arrays[{name.prefix, name.is_command, name.is_current, without_last(name.joint)}].push_back(
        &column);
  }
  for (const auto& [key, array] : arrays) {
    const Words& stem = std::get<3>(key);
    Numbers numbers;
    for (const Column* column : array) numbers.insert(number_of(column->name.joint));
    MatchedBy by = MatchedBy::number;
    std::map<int, std::string> found = by_own_numbers(numbers, numbered_joints(joints, stem));
    if (found.empty() && stem.empty()) {
      found = by_order(numbers, joints);
      by = MatchedBy::order;
    }
    for (Column* column : array) {
      const auto joint = found.find(number_of(column->name.joint));
      if (joint == found.end()) continue;
      column->joint = joint->second;
      const bool is_similar = by == MatchedBy::number && has_more_words(*column);
      column->by = is_similar ? MatchedBy::similar : by;
    }
  }
}

}  // namespace bayesid::match
