// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "config/yaml_text.hpp"
#include "math/text.hpp"
#include "pipeline/init_columns.hpp"

namespace bayesid::pipeline {
namespace {

namespace fs = std::filesystem;

std::string number(double value) {
  return rounded(value, 4);
}

/// Comment lines of at most 110 letters; `start` leads the first one, spaces the others.
std::string comment(std::size_t indent, const std::string& start, const std::string& text) {
  constexpr std::size_t width = 110;
  const std::string margin = std::string(indent, ' ') + "# ";
  std::string out, line = margin + start;
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && line.size() + 1 + word.size() > width) {
      out += line + '\n';
      line = margin + std::string(start.size(), ' ') + word;
    } else {
      line += (is_first ? "" : " ") + word;
    }
  }
  return out + line + '\n';
}

/// With the lines to write if the answer is yes below it.
std::string question_text(std::size_t indent, const DraftQuestion& question) {
  std::string out = comment(indent, "? ", question.text);
  for (const std::string& line : question.lines)
    out += std::string(indent, ' ') + "# " + line + '\n';
  return out;
}

std::string relative_path(const std::string& path, const std::string& file) {
  const auto whole = [](const fs::path& one) { return fs::weakly_canonical(fs::absolute(one)); };
  return text_of(whole(path).lexically_proximate(whole(file).parent_path()).string());
}

// ---- model

bool is_of_model(const DraftQuestion& question) {
  return question.about.starts_with("model.");
}

bool is_of_measurements(const DraftQuestion& question) {
  return question.about.starts_with("measurements.");
}

std::string model_text(const Robot& robot, const ModelDraft& model, const std::string& file) {
  std::string out = "model:\n  urdf: " + relative_path(robot.urdf_file, file) + '\n';
  std::vector<std::string> joints, locks, contacts;
  for (const Joint& joint : robot.joints) joints.push_back(joint.name);
  out += comment(2, "joints: ", join(joints));
  for (const auto& [joint, value] : model.config.lock)
    locks.push_back(text_of(joint) + ": " + text_of(value));
  if (!locks.empty())
    out += "  lock: {" + join(locks) + "}  # not in the logs, taken as standing still there\n";
  for (const ContactConfig& contact : model.config.contacts)
    contacts.push_back("{name: " + text_of(contact.name) + ", frame: " + text_of(contact.frame) +
                       "}");
  if (!contacts.empty()) out += "  contacts:\n";
  for (const std::string& contact : contacts) out += "    - " + contact + '\n';
  for (const DraftQuestion& question : model.questions)
    if (is_of_model(question)) out += question_text(2, question);
  return out + '\n';
}

std::string measurements_text(const ModelDraft& model) {
  std::string active, questions;
  if (!model.torque_sensors.empty()) active = "  torque: auto\n";
  for (const DraftQuestion& question : model.questions)
    if (is_of_measurements(question)) questions += question_text(2, question);
  if (active.empty() && questions.empty()) return "";
  return (active.empty() ? "# measurements:\n" : "measurements:\n" + active) + questions + '\n';
}

// ---- logs

std::string span_text(const LogDraft& log) {
  const std::vector<double>& time = log.log.time;
  std::string out =
      std::to_string(time.size()) + " samples, " + number(time.back() - time.front()) + " s";
  if (log.log.time_origin != 0)
    out += ", stamps since 1970, counted from " + rounded(log.log.time_origin, 12) + " s";
  return out;
}

std::string group_text(const std::string& name, const GroupFacts& group) {
  constexpr double gap = 1.5;  // steps
  std::string out = name + ": " + std::to_string(group.channels) +
                    (group.channels == 1 ? " channel, " : " channels, ") + number(group.rate) +
                    " Hz, ";
  if (group.longest_gap * group.rate < gap) return out + "no gaps";
  return out + "longest gap " + number(1e3 * group.longest_gap) + " ms at " +
         number(group.longest_gap_at) + " s";
}

std::string channel_text(const std::string& name, const ChannelFacts& channel) {
  std::string out = name + ": " + number(channel.lowest) + " … " + number(channel.highest) +
                    ", noise " + number(channel.noise);
  if (channel.step > 0) out += ", in steps of " + number(channel.step);
  return out;
}

std::string reason_of(const DraftMatch& match) {
  static const std::map<std::string, std::string> words{{"name", "by name"},
                                                        {"similar", "by a similar name: check it"},
                                                        {"number", "by number"},
                                                        {"order", "by order"}};
  const auto found = words.find(match.by);
  std::string out = found == words.end() ? "" : found->second;
  if (!match.evidence.empty()) out += (out.empty() ? "" : "; ") + match.evidence;
  return out;
}

std::string columns_text(const LogDraft& log) {
  std::string active, questions;
  for (const DraftMatch& match : log.matches) {
    const auto column = log.config.columns.find(match.channel);
    if (column == log.config.columns.end()) continue;
    const std::string reason = reason_of(match);
    active += "      " + column_line(match.channel, column->second) +
              (reason.empty() ? "" : "  # " + reason) + '\n';
  }
  for (const DraftQuestion& question : log.questions) questions += question_text(6, question);
  const bool is_by_order =
      std::ranges::any_of(log.matches, [](const DraftMatch& match) { return match.by == "order"; });
  std::string out;
  if (is_by_order && log.config.joint_order.empty()) {
    out += comment(4, "",
                   "numbered columns are taken in the order of the joints of the model: check it");
  }
  if (!log.config.joint_order.empty()) {
    out += "    joint_order: " + text_of(log.config.joint_order) + "  # of the numbered columns, " +
           (is_by_order ? "as in the model: check it" : "by the numbers of the joints") + '\n';
  }
  if (!active.empty()) out += "    columns:\n" + active;
  const bool has_lines = std::ranges::any_of(
      log.questions, [](const DraftQuestion& question) { return !question.lines.empty(); });
  if (active.empty() && has_lines) out += "    # columns:\n";
  return out + questions;
}

std::string log_text(const LogDraft& log, const std::string& file) {
  std::string out = "  - file: " + relative_path(log.config.file, file) + '\n';
  if (log.is_read) {
    out += comment(4, "", span_text(log));
    for (const auto& [name, group] : log.facts.groups)
      out += comment(4, "", group_text(name, group));
  }
  out += columns_text(log);
  if (!log.unused.empty()) out += comment(4, "not used: ", join(log.unused));
  for (const std::string& note : log.notes) out += comment(4, "note: ", note);
  if (!log.is_read) return out;
  out += comment(4, "", "range, and noise measured from differences (std):");
  for (const auto& [name, channel] : log.facts.channels)
    if (channel.samples > 0 && !name.starts_with("contact."))
      out += comment(4, "  ", channel_text(name, channel));
  return out;
}

std::string logs_text(const std::vector<LogDraft>& logs, const std::string& file) {
  if (logs.empty())
    return "# logs:\n#   - file: run.csv  # time, q.<joint>, v.<joint>, tau.<joint>; SI units\n\n";
  std::string out = "logs:\n";
  for (const LogDraft& log : logs) out += log_text(log, file);
  return out + '\n';
}

std::size_t number_of_questions(const ModelDraft& model, const std::vector<LogDraft>& logs,
                                const std::vector<DraftQuestion>& others) {
  std::size_t out = model.questions.size() + others.size();
  for (const LogDraft& log : logs) out += log.questions.size();
  return out;
}

}  // namespace

std::string draft_text(const Robot& robot, const ModelDraft& model,
                       const std::vector<LogDraft>& logs, const std::vector<DraftQuestion>& others,
                       const std::string& file) {
  const std::size_t open = number_of_questions(model, logs, others);
  std::string out = "# Drafted by bayesid init, version " BAYESID_VERSION ".\n";
  if (open > 0) {
    out +=
        comment(0, "",
                std::to_string(open) + (open == 1 ? " question is" : " questions are") +
                    " open, marked with ?. The commented lines below a question are what to write, "
                    "in place of the same key, if the answer is yes.");
  }
  out += comment(0, "",
                 "Standard deviations of sensors and disturbances that are not stated are found "
                 "from the data.");
  out += "schema: 1\n\n" + model_text(robot, model, file) + logs_text(logs, file) +
         measurements_text(model);
  for (const DraftQuestion& question : model.questions)
    if (!is_of_model(question) && !is_of_measurements(question)) out += question_text(0, question);
  for (const DraftQuestion& question : others) out += question_text(0, question);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace bayesid::pipeline
