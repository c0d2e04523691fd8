// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_model.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "config/yaml_text.hpp"
#include "log/column_words.hpp"
#include "log/match_columns.hpp"
#include "math/nearest_name.hpp"
#include "math/text.hpp"
#include "pipeline/init_sensors.hpp"

namespace bayesid::pipeline {
namespace {

using Names = std::vector<std::string>;

bool has_channel(const LogDraft& log, const std::string& channel) {
  return log.currents.contains(channel) ||
         std::ranges::find(log.matches, channel, &DraftMatch::channel) != log.matches.end();
}

bool any_channel(const std::vector<LogDraft>& logs, const std::string& channel) {
  return std::ranges::any_of(logs, [&](const LogDraft& log) { return has_channel(log, channel); });
}

Names joints_without(const Robot& robot, const std::vector<LogDraft>& logs, const Names& prefixes) {
  Names out;
  for (const Joint& joint : robot.joints) {
    const bool is_there = std::ranges::any_of(prefixes, [&](const std::string& prefix) {
      return any_channel(logs, prefix + joint.name);
    });
    if (!is_there) out.push_back(joint.name);
  }
  return out;
}

double nearest_to_zero(const Robot& robot, const std::string& name) {
  const Joint& joint = robot.joints[static_cast<std::size_t>(robot.joint_index(name))];
  return std::min(std::max(0.0, joint.lower), joint.upper);
}

std::string lock_line(const Robot& robot, const Names& joints) {
  std::string out;
  for (const std::string& joint : joints) {
    out += (out.empty() ? "lock: {" : ", ") + text_of(joint) + ": " +
           text_of(nearest_to_zero(robot, joint));
  }
  return out + "}";
}

/// Fingers that no log speaks of stand still; of other joints this is not known.
void add_missing_joints(const Robot& robot, const std::vector<LogDraft>& logs, ModelDraft& out) {
  const Names missing = joints_without(robot, logs, {"q.", "v.", "tau."});
  Names open;
  for (const std::string& joint : missing) {
    if (is_gripper(joint) && missing.size() < robot.joints.size()) {
      out.config.lock[joint] = nearest_to_zero(robot, joint);
    } else {
      open.push_back(joint);
    }
  }
  if (!open.empty()) {
    out.questions.push_back({.about = "model.lock",
                             .text = "no log has a column for " + join(open) +
                                     ": which column is it, or does it stand still?",
                             .candidates = open,
                             .lines = {lock_line(robot, open)}});
  }
  for (const Joint& joint : robot.joints) {
    const bool is_missing = std::ranges::find(missing, joint.name) != missing.end();
    if (is_missing || any_channel(logs, "q." + joint.name)) continue;
    out.questions.push_back({.about = "q." + joint.name,
                             .text = "no column gives the position of " + joint.name +
                                     ", which every joint needs: which one is it?"});
  }
}

/// Joints that move without an effort are passive, or their effort was not recorded.
void ask_about_efforts(const Robot& robot, const std::vector<LogDraft>& logs, ModelDraft& out) {
  Names without, with;
  for (const Joint& joint : robot.joints) {
    if (!any_channel(logs, "q." + joint.name)) continue;
    (any_channel(logs, "tau." + joint.name) ? with : without).push_back(joint.name);
  }
  if (without.empty()) return;
  const std::string text =
      with.empty() ? "no column is the effort of a joint; efforts are needed: which columns are "
                     "they, or is the robot passive?"
                   : "no column is the effort of " + join(without) +
                         ": which one is it, or is it passive, without a motor?";
  out.questions.push_back({.about = "model.actuation.joints",
                           .text = text,
                           .candidates = without,
                           .lines = {"actuation: {joints: " + text_of(with) + "}"}});
}

/// What follows contact., pose. … in the channels of all logs.
std::set<std::string> names_after(const std::vector<LogDraft>& logs, const std::string& prefix) {
  std::set<std::string> out;
  for (const LogDraft& log : logs) {
    for (const DraftMatch& match : log.matches) {
      if (!match.channel.starts_with(prefix)) continue;
      std::string name = match.channel.substr(prefix.size());
      if (prefix == "pose." || prefix == "imu." || prefix == "wrench.")
        name.resize(name.rfind('.'));
      out.insert(name);
    }
  }
  return out;
}

bool is_foot(const std::string& frame) {
  static const std::set<std::string> feet{"foot", "feet", "sole", "toe", "tip", "ball", "contact"};
  return std::ranges::any_of(words_of(frame),
                             [](const std::string& word) { return feet.contains(word); });
}

/// Frames that have all words of a name (feet, when some are), else the one of the nearest
/// spelling.
Names frames_like(const Robot& robot, const std::string& name) {
  Names out;
  const Names frames = frame_names(robot);
  for (const std::string& frame : frames) {
    const Names words = words_of(frame);
    const bool has_all = std::ranges::all_of(words_of(name), [&](const std::string& word) {
      return std::ranges::find(words, word) != words.end();
    });
    const bool is_new = std::ranges::find(out, frame) == out.end();
    if (has_all && is_new) out.push_back(frame);
  }
  const std::string near = nearest_name(name, frames);
  if (out.empty() && !near.empty()) out.push_back(near);
  if (std::ranges::any_of(out, is_foot)) std::erase_if(out, std::not_fn(is_foot));
  return out;
}

void add_contacts(const Robot& robot, const std::vector<LogDraft>& logs, ModelDraft& out) {
  Names open, lines;
  for (const std::string& name : names_after(logs, "contact.")) {
    if (find_frame(robot, name)) {
      out.config.contacts.push_back({.name = name, .frame = name});
      continue;
    }
    const Names candidates = frames_like(robot, name);
    open.push_back("contact." + name);
    const bool is_unknown = candidates.empty();
    lines.push_back("  - {name: " + text_of(name) +
                    ", frame: " + (is_unknown ? "<frame>" : text_of(candidates[0])) + "}" +
                    (candidates.size() > 1 ? "  # or one of " + join(candidates) : ""));
  }
  if (open.empty()) return;
  if (out.config.contacts.empty()) lines.insert(lines.begin(), "contacts:");
  out.questions.push_back({.about = "model.contacts",
                           .text = "which frames are in contact when " + join(open) +
                                   (open.size() == 1 ? " is 1?" : " are 1?"),
                           .candidates = open,
                           .lines = lines});
}

}  // namespace

ModelDraft draft_model(const Robot& robot, const std::vector<LogDraft>& logs) {
  ModelDraft out;
  out.config.urdf = robot.urdf_file;
  if (logs.empty()) return out;
  add_missing_joints(robot, logs, out);
  ask_about_efforts(robot, logs, out);
  add_contacts(robot, logs, out);
  for (const std::string& joint : names_after(logs, "torque.")) out.torque_sensors.push_back(joint);
  std::set<std::string> channels;
  for (const LogDraft& log : logs)
    for (const DraftMatch& match : log.matches) channels.insert(match.channel);
  const SensorNames sensors{.channels = channels,
                            .poses = names_after(logs, "pose."),
                            .imus = names_after(logs, "imu."),
                            .wrenches = names_after(logs, "wrench."),
                            .rotors = names_after(logs, "thrust."),
                            .contacts = names_after(logs, "contact.")};
  ask_about_base(robot, sensors, out.questions);
  ask_about_sensors(robot, sensors, out.questions);
  return out;
}

}  // namespace bayesid::pipeline
