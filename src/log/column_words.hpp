// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bayesid {

/// The words and numbers of a name, in lower case: leftHip_pos2 → left, hip, pos, 2.
std::vector<std::string> words_of(std::string_view name);

bool is_number_word(const std::string& word);

/// The prefix q, v or tau that an array of this name has: position → q; "" for other words.
std::string prefix_of_word(std::string_view word);

/// Is it the name of a clock, as far as a name tells: stamp, t, sim_time?
bool may_be_time(const std::string& name);

/// What the name of a foreign column says.
struct ColumnName {
  std::string prefix;                   // q, v or tau; "": none of them
  std::vector<std::string> joint = {};  // the words that are left: of the joint, and others
  bool is_current = false;              // of a motor: tau in A, perhaps
  bool is_command = false;              // not measured
  bool is_degrees = false;              // the name says so
};
ColumnName read_column_name(const std::string& name);

/// Words without those that say nothing about which joint it is: joint, state, measured …
std::vector<std::string> telling_words(const std::vector<std::string>& words);

}  // namespace bayesid
