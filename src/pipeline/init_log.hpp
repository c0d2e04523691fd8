// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bayesid/init.hpp"
#include "bayesid/log.hpp"
#include "bayesid/robot.hpp"

namespace bayesid::pipeline {

/// What is found in one log.
struct LogDraft {
  LogConfig config;                 // of what is clear
  std::vector<DraftMatch> matches;  // all that is clear
  // Currents of motors, for the comparison with the model: channel → column.
  std::map<std::string, std::string> currents;
  std::vector<DraftQuestion> questions;
  std::vector<std::string> unused;  // columns
  std::vector<std::string> notes;   // of the comparison with the model
  bool is_read = false;             // false: the unit of its clock is open
  Log log = {};
  LogFacts facts = {};
};

/// Matches the columns of a log to the robot and guesses their units. Throws InputError where the
/// log cannot be used.
LogDraft draft_log(const Robot& robot, const std::string& file);

}  // namespace bayesid::pipeline
