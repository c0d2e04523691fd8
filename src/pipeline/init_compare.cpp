// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bayesid/error.hpp"
#include "config/sections.hpp"
#include "math/parse_number.hpp"
#include "math/text.hpp"
#include "pipeline/init_columns.hpp"
#include "pipeline/load.hpp"
#include "posterior/channel_checks.hpp"

namespace bayesid::pipeline {
namespace {

Config config_of(const ModelDraft& model, const std::vector<LogDraft>& logs) {
  Config out;
  out.model = model.config;
  out.parameters = config::default_parameters();
  for (const LogDraft& log : logs) {
    LogConfig& one = out.logs.emplace_back(log.config);
    for (const auto& [channel, column] : log.currents) one.columns[channel] = {.source = column};
  }
  if (!model.torque_sensors.empty())
    out.measurements.joint_sensors["torque"].all = std::numeric_limits<double>::quiet_NaN();
  return out;
}

/// The column that a channel is read from, as it is configured.
ColumnConfig column_of(const LogDraft& log, const std::string& channel) {
  const auto configured = log.config.columns.find(channel);
  if (configured != log.config.columns.end()) return configured->second;
  const auto match = std::ranges::find(log.matches, channel, &DraftMatch::channel);
  return {.source = match == log.matches.end() ? channel : match->column};
}

std::string compared(const EffortCheck& check) {
  return rounded(check.slope, 3) + " times the model's prediction (correlation " +
         rounded(check.correlation, 3) + ")";
}

/// Two digits: the model is not known better.
double two_digits(double value) {
  return parse_number(rounded(value, 2)).value_or(value);
}

std::string line_of(const std::string& channel, const ColumnConfig& column,
                    const EffortCheck& check) {
  return column_line(channel, column) + "  # " + compared(check);
}

/// With the scales that the model suggests, as far as it is right.
DraftQuestion current_question(const LogDiagnostics& found, const LogDraft& log,
                               DraftQuestion out) {
  constexpr double clear = 0.8;
  out.lines.clear();
  for (const JointCheck& joint : found.joints) {
    const std::string channel = "tau." + joint.joint;
    const auto current = log.currents.find(channel);
    if (current == log.currents.end()) continue;
    ColumnConfig column{.source = current->second};
    const bool is_clear = joint.effort && std::abs(joint.effort->correlation) > clear;
    if (is_clear) {
      column.scale = two_digits(1 / std::abs(joint.effort->slope));
      column.sign = joint.effort->slope < 0 ? -1 : 1;
    }
    out.lines.push_back(joint.effort ? line_of(channel, column, *joint.effort)
                                     : column_line(channel, column));
  }
  return out;
}

using Asked = bool (*)(const EffortCheck&);

/// One question about all efforts for which `is_asked` is true; no lines: there are none.
DraftQuestion effort_question(const LogDiagnostics& found, const LogDraft& log, Asked is_asked) {
  DraftQuestion out{.log = log.config.file, .about = "tau", .text = ""};
  for (const JointCheck& joint : found.joints) {
    const std::string channel = "tau." + joint.joint;
    if (!joint.effort || log.currents.contains(channel) || !is_asked(*joint.effort)) continue;
    ColumnConfig column = column_of(log, channel);
    if (joint.effort->slope < 0) column.sign *= -1;
    const double ratio = std::abs(joint.effort->slope);
    if (has_other_unit(*joint.effort)) column.scale = two_digits(column.scale / ratio);
    out.candidates.push_back(channel);
    out.lines.push_back(line_of(channel, column, *joint.effort));
  }
  out.text = join(out.candidates);
  return out;
}

void add_effort_questions(const LogDiagnostics& found, LogDraft& log) {
  for (DraftQuestion& question : log.questions)
    if (question.about == "current") question = current_question(found, log, question);
  DraftQuestion unit = effort_question(found, log, has_other_unit);
  unit.text +=
      ": are they currents or raw numbers? Then scale is the torque constant times the "
      "gear ratio";
  DraftQuestion sign = effort_question(found, log, has_other_sign);
  sign.text += ": with the opposite sign?";
  for (DraftQuestion* question : {&unit, &sign})
    if (!question->lines.empty()) log.questions.push_back(std::move(*question));
}

/// What is asked already is no note.
bool is_asked(const LogDraft& log, const std::string& diagnostic) {
  return std::ranges::any_of(log.questions, [&](const DraftQuestion& question) {
    return std::ranges::any_of(question.candidates, [&](const std::string& channel) {
      return diagnostic.starts_with(log.config.file + ": " + channel + ' ');
    });
  });
}

/// Notes of commented columns would name channels that are not there.
bool is_of_current(const LogDraft& log, const std::string& diagnostic) {
  return std::ranges::any_of(log.currents, [&](const auto& current) {
    return diagnostic.starts_with(log.config.file + ": " + current.first + ' ');
  });
}

/// The draft states no standard deviation that could be too small.
bool is_of_stated_noise(const std::string& diagnostic) {
  return diagnostic.find(", but measurements.") != std::string::npos;
}

void add_diagnostics(const LogDiagnostics& found, LogDraft& log) {
  add_effort_questions(found, log);
  for (const std::string& text : found.diagnostics)
    if (!is_asked(log, text) && !is_of_current(log, text) && !is_of_stated_noise(text))
      log.notes.push_back(text.substr(log.config.file.size() + 2));
}

}  // namespace

void compare_with_model(const ModelDraft& model, std::vector<LogDraft>& logs,
                        std::vector<DraftQuestion>& questions) {
  bool is_open = !model.questions.empty();
  for (const LogDraft& log : logs) {
    is_open = is_open || !log.questions.empty();
    const bool is_timed =
        std::ranges::find(log.questions, "time", &DraftQuestion::about) == log.questions.end();
    if (!log.is_read || !is_timed) return;
  }
  const bool is_floating = std::ranges::find(model.questions, "model.base",
                                             &DraftQuestion::about) != model.questions.end();
  if (logs.empty() || is_floating) return;
  try {
    const CheckedProblem found = load(config_of(model, logs));
    for (std::size_t i = 0; i < logs.size(); ++i) add_diagnostics(found.diagnostics[i], logs[i]);
  } catch (const InputError& error) {
    // Of a draft with open questions it is no news.
    if (!is_open) {
      questions.push_back(
          {.about = "logs", .text = std::string("bayesid check refuses this: ") + error.what()});
    }
  }
}

}  // namespace bayesid::pipeline
