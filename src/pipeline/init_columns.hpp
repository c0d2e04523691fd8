// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "log/match_columns.hpp"
#include "pipeline/init_log.hpp"

namespace bayesid::pipeline {

/// "q.elbow: {source: q1, scale: 0.1}", or "q.elbow: q1".
std::string column_line(const std::string& channel, const ColumnConfig& column);

/// Numbered columns that need no scale are named by the order of their joints alone.
void shorten_to_joint_order(const std::vector<std::string>& names, const ColumnMatches& found,
                            LogDraft& draft);

/// Questions about columns of joints that were not matched, one for those that differ in number
/// only.
void ask_about_columns(const Robot& robot, const std::vector<std::string>& names,
                       const ColumnMatches& found, LogDraft& draft);

}  // namespace bayesid::pipeline
