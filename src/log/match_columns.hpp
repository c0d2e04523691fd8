// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "log/column_map.hpp"

namespace bayesid {

/// Why a column is that of a joint. channel: it is called so; name: it has the words of the joint;
/// similar: some of them, or nearly; number: that at the end of the joint's name; order: that of
/// the joints.
enum class MatchedBy { channel, name, similar, number, order };
const char* to_string(MatchedBy by);

/// A column that is a channel, or may be.
struct ColumnMatch {
  std::size_t column = 0;
  std::string channel;
  MatchedBy by = MatchedBy::channel;
  bool is_current = false;  // of a motor, by its name: not an effort as it stands
  bool is_degrees = false;  // by its name
};

/// A column of a joint, it seems, and of which one is not clear.
struct UnclearColumn {
  std::size_t column = 0;
  std::string prefix;               // q, v or tau
  std::vector<std::string> joints;  // candidates; empty: any that is left
  std::string reason;
};

struct ColumnMatches {
  std::vector<std::size_t> times;  // columns that may be the clock, the likeliest first
  std::vector<ColumnMatch> matches;
  std::vector<UnclearColumn> unclear;
  std::vector<std::size_t> unused;

  const ColumnMatch* find(const std::string& channel) const;
};

/// The joints of the robot that a log is to be matched to.
struct JointNames {
  std::vector<std::string> joints;     // in the order of the model
  std::vector<std::string> followers;  // <mimic>, or locked: known, and not needed
};

/// Finds the joint of each column by name or number. Columns that a file offers on request only
/// are left aside. Each channel has one column at most.
ColumnMatches match_columns(const Header& header, const JointNames& names);

/// Fingers and grippers: often part of the model, rarely of the log.
bool is_gripper(const std::string& joint);

}  // namespace bayesid
