// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "config/sections.hpp"
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
double scale_to_model(const EffortCheck& check) {
  const double scale = 1 / std::abs(check.slope);
  const double digit = std::pow(10, std::floor(std::log10(scale)) - 1);
  return digit > 0 ? std::round(scale / digit) * digit : scale;
}

void add_current(const EffortCheck& check, DraftQuestion& question, const LogDraft& log) {
  question.text += "; it is " + compared(check);
  if (!has_other_unit(check) && !has_other_sign(check)) return;
  question.line =
      column_line(question.about, {.source = log.currents.at(question.about),
                                   .scale = std::stod(rounded(scale_to_model(check), 2)),
                                   .sign = check.slope < 0 ? -1.0 : 1.0});
}

void ask_about_effort(const std::string& channel, const EffortCheck& check, LogDraft& log) {
  if (!has_other_unit(check) && !has_other_sign(check)) return;
  ColumnConfig column = column_of(log, channel);
  if (check.slope < 0) column.sign *= -1;
  if (has_other_unit(check)) column.scale *= scale_to_model(check);
  column.scale = std::stod(rounded(column.scale, 2));
  log.questions.push_back(
      {.log = log.config.file,
       .about = channel,
       .text = channel + " is " + compared(check) +
               (has_other_sign(check) ? ": is its sign the opposite?"
                                      : ": is it a current or a raw number? Then scale is the "
                                        "torque constant times the gear ratio"),
       .candidates = {column.source},
       .line = column_line(channel, column)});
}

void add_diagnostics(const LogDiagnostics& found, LogDraft& log) {
  for (const JointCheck& joint : found.joints) {
    if (!joint.effort) continue;
    const std::string channel = "tau." + joint.joint;
    if (log.currents.contains(channel)) {
      for (DraftQuestion& question : log.questions)
        if (question.about == channel) add_current(*joint.effort, question, log);
    } else {
      ask_about_effort(channel, *joint.effort, log);
    }
  }
  for (const std::string& text : found.diagnostics) {
    const bool is_asked = std::ranges::any_of(log.questions, [&](const DraftQuestion& one) {
      return text.starts_with(log.config.file + ": " + one.about + ' ');
    });
    if (!is_asked) log.notes.push_back(text.substr(log.config.file.size() + 2));
  }
}

}  // namespace

void compare_with_model(const ModelDraft& model, std::vector<LogDraft>& logs,
                        std::vector<DraftQuestion>& questions) {
  bool is_open = !model.questions.empty();
  for (const LogDraft& log : logs) {
    is_open = is_open || !log.questions.empty();
    if (!log.is_read) return;
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
