// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/init_sensors.hpp"

#include <optional>
#include <utility>

#include "bayesid/error.hpp"
#include "config/yaml_text.hpp"
#include "math/text.hpp"

namespace bayesid::pipeline {
namespace {

/// Mass of what is rigidly joined to the root link; 0 where it cannot float.
double root_mass(const Robot& robot) {
  try {
    const Robot floating = read_robot({.urdf = robot.urdf_file, .floating_base = true});
    double out = 0;
    for (const Link& link : floating.links) out += link.body == 1 ? link.pi[0] : 0;
    return out;
  } catch (const InputError&) {
    return 0;  // a joint has the name of the base
  }
}

/// "position: auto, orientation: auto", of the parts that have channels.
std::string parts_of(const SensorNames& sensors, const std::string& sensor,
                     const std::vector<std::pair<std::string, std::string>>& parts) {
  std::vector<std::string> out;
  for (const auto& [channel, key] : parts)
    if (sensors.channels.contains(sensor + '.' + channel)) out.push_back(key + ": auto");
  return join(out);
}

bool is_on_root(const Robot& robot, const std::string& frame) {
  const std::optional<FramePlacement> found = find_frame(robot, frame);
  return found && found->body == 0;
}

}  // namespace

void ask_about_base(const Robot& robot, const SensorNames& sensors,
                    std::vector<DraftQuestion>& questions) {
  std::vector<std::string> reasons;
  for (const std::string& frame : sensors.poses)
    if (is_on_root(robot, frame)) reasons.push_back("pose." + frame);
  for (const std::string& name : sensors.imus)
    if (is_on_root(robot, name) || !find_frame(robot, name)) reasons.push_back("imu." + name);
  if (!sensors.contacts.empty()) reasons.emplace_back("contacts");
  if (reasons.empty()) return;
  const double mass = root_mass(robot);
  if (mass == 0) return;
  questions.push_back({.about = "model.base",
                       .text = "does the root link move freely? It has a mass of " +
                               rounded(mass, 4) + " kg, and the logs have " + join(reasons),
                       .lines = {"base: floating"}});
}

void ask_about_sensors(const Robot& robot, const SensorNames& sensors,
                       std::vector<DraftQuestion>& questions) {
  const auto frame_of = [&](const std::string& name) {
    return find_frame(robot, name) ? text_of(name) : std::string("<link>");
  };
  for (const std::string& frame : sensors.poses) {
    questions.push_back(
        {.about = "measurements.pose." + frame,
         .text = "is pose." + frame +
                 (find_frame(robot, frame) ? " the pose of that frame in a world with z up"
                                           : " the pose of a frame of the robot, and which") +
                 (robot.floating || is_on_root(robot, frame)
                      ? "?"
                      : " in which the root link stands at the origin?"),
         .lines = {text_of("pose." + frame) + ": {" +
                   parts_of(sensors, "pose." + frame, {{"px", "position"}, {"qw", "orientation"}}) +
                   "}"}});
  }
  for (const std::string& name : sensors.imus) {
    questions.push_back(
        {.about = "measurements.imu." + name,
         .text = "on which link is the sensor imu." + name + ", where (m) and how turned (rad)?",
         .lines = {text_of("imu." + name) + ": {link: " + frame_of(name) +
                   ", xyz: [0, 0, 0], rpy: [0, 0, 0], " +
                   parts_of(sensors, "imu." + name,
                            {{"ax", "acceleration"}, {"wx", "rate"}, {"qw", "orientation"}}) +
                   "}"}});
  }
  for (const std::string& name : sensors.wrenches) {
    questions.push_back(
        {.about = "measurements.wrench." + name,
         .text = "the force of which contact is wrench." + name + "?",
         .lines = {text_of("wrench." + name) + ": {contact: " + text_of(name) + ", " +
                   parts_of(sensors, "wrench." + name, {{"fz", "force"}, {"tz", "torque"}}) +
                   "}"}});
  }
  if (sensors.rotors.empty()) return;
  std::vector<std::string> channels, lines{"actuation:", "  rotors:"};
  for (const std::string& name : sensors.rotors) {
    channels.push_back("thrust." + name);
    lines.push_back("    - {name: " + text_of(name) + ", frame: " + frame_of(name) +
                    ", thrust: 1, moment: 0}");
  }
  questions.push_back(
      {.about = "model.actuation.rotors",
       .text = "where are the rotors of " + join(channels) + ", and what are their coefficients?",
       .candidates = channels,
       .lines = lines});
}

}  // namespace bayesid::pipeline
