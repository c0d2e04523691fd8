// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bayesid {

/// A column of a log that is a channel of the robot: value = sign · scale · column.
struct DraftMatch {
  std::string log, channel, column;
  std::string by;  // channel, name, similar, number, order, clock
  double scale = 1, sign = 1;
  std::string evidence = {};  // for the match and its unit
};

/// What the files do not tell.
struct DraftQuestion {
  std::string log;    // "": of the robot
  std::string about;  // a channel, or a key of the configuration
  std::string text;
  std::vector<std::string> candidates = {};
  std::vector<std::string> lines = {};  // of the configuration, if the answer is yes
};

/// A first configuration: as text, with its evidence and questions in comments.
struct ConfigDraft {
  std::string file;  // where it will stand
  std::string text;
  std::vector<std::string> joints;
  std::vector<DraftMatch> matches;
  std::vector<DraftQuestion> questions;
  std::vector<std::string> warnings;  // of robot and logs
};

/// Drafts a configuration from a robot description and logs. `file` is where it will stand, which
/// must not exist; "": <name of the model>.yaml in the current folder. Throws InputError.
ConfigDraft init(const std::string& model, const std::vector<std::string>& logs,
                 const std::string& file = "");

/// Writes the draft, whole or not at all; throws InputError when the file exists.
void write_draft(const ConfigDraft& draft);

/// File, matches and questions as one JSON document.
std::string document_of(const ConfigDraft& draft);

}  // namespace bayesid
