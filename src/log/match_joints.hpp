// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "log/column_words.hpp"
#include "log/match_columns.hpp"

namespace bayesid::match {

/// A column of some joint, and what was found about which.
struct Column {
  std::size_t index = 0;
  ColumnName name;
  std::string joint = {};  // "": not found
  MatchedBy by = MatchedBy::name;
  std::vector<std::string> candidates = {};  // when several joints fit alike

  /// Its number is its last word.
  bool is_numbered() const { return !name.joint.empty() && is_number_word(name.joint.back()); }
};

/// Arrays of columns, q_0 … q_5: by the numbers of the joints' names (similar when the columns have
/// other words, too), else by the order of the joints when there are as many.
void by_number(const std::vector<std::string>& joints, std::vector<Column>& columns);

/// By words: name when they are those of the joint; similar when all of the column are among those
/// of the joint or the other way round, and of no other joint as closely, or by spelling, with the
/// same numbers.
void by_name(const std::vector<std::string>& joints, Column& column);

/// Number of words that one has more; −1 when neither has all words of the other.
int words_apart(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace bayesid::match
