// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bayesid/robot.hpp"
#include "log/match_columns.hpp"
#include "log/table.hpp"

namespace bayesid::pipeline {

/// A log as it stands in its file: the clock and the columns that were matched.
struct RawLog {
  std::vector<std::string> names;
  std::string place;
  ColumnMatches matches;
  Table table;

  std::size_t clock() const { return matches.times.at(0); }
  const std::string& name_of(const ColumnMatch& match) const { return names[match.column]; }
  const std::vector<double>* values(const std::string& channel) const {
    const ColumnMatch* match = matches.find(channel);
    return match ? &table.columns[static_cast<std::size_t>(match - matches.matches.data())]
                 : nullptr;
  }
};

/// Throws InputError where nothing can be matched.
RawLog read_raw(const Robot& robot, const std::string& file);

}  // namespace bayesid::pipeline
