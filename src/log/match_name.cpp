// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "log/match_joints.hpp"
#include "math/nearest_name.hpp"

namespace bayesid::match {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += word;
  return out;
}

Words numbers_of(const Words& words) {
  Words out;
  std::ranges::copy_if(words, std::back_inserter(out), is_number_word);
  return out;
}

bool has_all(const Words& whole, Words part) {
  for (const std::string& word : whole) {
    const auto found = std::ranges::find(part, word);
    if (found != part.end()) part.erase(found);
  }
  return part.empty();
}

/// joint_7 is spelt nearly as joint_1 and another joint: numbers have to be the same.
std::string nearest_joint(const Words& words, const Words& joints) {
  Words spelt, names;
  for (const std::string& joint : joints) {
    const Words own = telling_words(words_of(joint));
    if (numbers_of(own) != numbers_of(words)) continue;
    spelt.push_back(joined(own));
    names.push_back(joint);
  }
  constexpr std::size_t shortest = 4;  // letters; two of fewer say nothing
  const std::string word = joined(words);
  if (word.size() < shortest) return "";
  const std::string near = nearest_name(word, spelt);
  const auto at = std::ranges::find(spelt, near) - spelt.begin();
  if (near.empty() || near.size() < shortest || std::ranges::count(spelt, near) != 1) return "";
  return names[static_cast<std::size_t>(at)];
}

}  // namespace

int words_apart(const Words& a, const Words& b) {
  if (!has_all(a, b) && !has_all(b, a)) return -1;
  return std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size()));
}

void by_name(const std::vector<std::string>& joints, Column& column) {
  const Words& words = column.name.joint;
  if (words.empty()) {
    if (joints.size() == 1) column.joint = joints[0];
    return;
  }
  int least = std::numeric_limits<int>::max();
  for (const std::string& joint : joints) {
    const Words own = telling_words(words_of(joint));
    const int apart = own.empty() ? -1 : words_apart(own, words);
    if (apart < 0 || apart > least) continue;
    if (apart < least) column.candidates.clear();
    least = apart;
    column.candidates.push_back(joint);
  }
  if (column.candidates.size() == 1) {
    column.joint = column.candidates[0];
    column.by = least == 0 ? MatchedBy::name : MatchedBy::similar;
  } else if (column.candidates.empty()) {
    column.joint = nearest_joint(words, joints);
    column.by = MatchedBy::similar;
  }
}

}  // namespace bayesid::match
