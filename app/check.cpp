// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/check.hpp"

#include <cmath>

#include "console.hpp"
#include "math/text.hpp"
#include "parameter_text.hpp"
#include "posterior/shift_peak.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace bayesid::app {
namespace {

std::string groups_text(const LogFacts& facts) {
  std::vector<Row> rows;
  for (const auto& [name, group] : facts.groups) {
    rows.push_back(
        {name, std::to_string(group.channels), std::to_string(group.samples),
         number(group.rate) + " Hz",
         number(group.longest_gap * 1e3) + " ms at " + number(group.longest_gap_at) + " s"});
  }
  return table_text({"group", "channels", "samples", "rate", "longest gap"}, rows);
}

std::string channels_text(const LogCheck& log) {
  std::vector<Row> rows;
  for (const auto& [name, channel] : log.use.facts.channels) {
    if (channel.samples == 0) continue;
    const auto configured = log.noise_std.find(name);
    rows.push_back({name, number(channel.lowest) + " … " + number(channel.highest),
                    number(channel.noise),
                    configured == log.noise_std.end() ? "-" : number(configured->second),
                    channel.step > 0 ? number(channel.step) : "-",
                    percent(channel.at_extreme / static_cast<double>(channel.samples))});
  }
  return table_text(
      {"channel", "range", "measured noise", "configured noise", "step", "at extreme"}, rows);
}

std::string joints_text(const LogDiagnostics& diagnostics) {
  std::vector<Row> rows;
  for (const JointCheck& joint : diagnostics.joints) {
    const auto& v = joint.velocity;
    const auto& tau = joint.effort;
    rows.push_back({joint.joint, v ? number(1 / v->slope) : "-", v ? number(v->correlation) : "-",
                    v ? number(1e3 * v->lag) + " ms" : "-", tau ? number(tau->slope) : "-",
                    tau ? number(tau->correlation) : "-", percent(joint.at_limit)});
  }
  return "velocity sensors against dq/dt, efforts against the prediction of the prior model:\n" +
         table_text({"joint", "v/dq", "corr.", "lag", "tau/model", "corr.", "at limit"}, rows);
}

/// The same criterion as the warning; a configured delay of the positions is not yet in them.
std::string delay_text(const EffortDelay& found, double rate, const Config& config) {
  const std::string size = rounded(1e3 * found.delay, 2) + " ms";
  const bool is_clear = found.gain >= clear_gain && std::abs(found.delay) * rate >= clear_shift;
  if (!is_clear) return "Torque delay: no clear evidence (" + size + ").\n";
  if (config.parameters.delay.contains("position")) return "Torque delay: " + size + ".\n";
  return "Torque delay: " + size + ". Set parameters.delay: {" +
         (found.delay > 0 ? "effort" : "position") + ": " + rounded(std::abs(found.delay), 3) +
         "}.\n";
}

std::string log_text(const LogCheck& log, const Config& config) {
  std::string out = log.use.file + ": " + std::to_string(log.use.samples) + " samples, " +
                    number(log.rate) + " Hz, " + number(log.duration) + " s, " +
                    std::to_string(log.use.segments) +
                    (log.use.segments == 1 ? " segment, " : " segments, ") +
                    std::to_string(log.use.dropped) + " dropped\n";
  out +=
      groups_text(log.use.facts) + "\n" + channels_text(log) + "\n" + joints_text(log.diagnostics);
  if (const std::optional<EffortDelay>& found = log.diagnostics.effort_delay) {
    out += delay_text(*found, log.rate, config);
  }
  if (log.diagnostics.at_rest > 0) out += "at rest: " + number(log.diagnostics.at_rest) + " s\n";
  return out + "\n";
}

std::string model_text(const Dynamics& dynamics) {
  const Robot& robot = dynamics.robot();
  double moving_mass = 0;
  std::vector<Row> rows;
  for (const Link& link : robot.links) {
    moving_mass += link.pi[0];
    rows.push_back({link.name, number(link.pi[0]) + " kg"});
  }
  return "robot " + robot.name + ": " + std::to_string(robot.joints.size()) +
         (robot.floating ? " joints on a floating base, " : " joints, ") +
         std::to_string(robot.links.size()) + " moving links, " + number(moving_mass) + " kg, " +
         std::to_string(dynamics.parameters().ntheta()) + " unknown parameters\n" +
         table_text({"link", "mass"}, rows) + "\n";
}

std::string use_text(const std::vector<JointUse>& joints) {
  if (joints.empty()) return "";
  std::vector<Row> rows;
  rows.reserve(joints.size());
  for (const JointUse& use : joints) {
    rows.push_back({use.joint, number(use.lowest) + " … " + number(use.highest),
                    number(use.fastest), number(use.effort_rms), percent(use.position_missing()),
                    use.velocities > 0 ? percent(use.velocity_missing()) : "no sensor"});
  }
  return table_text({"joint", "position", "max speed", "effort rms", "q missing", "v missing"},
                    rows);
}

std::string forecast_text(const Check& found) {
  std::string out = "\nIdentifiability, linearised at the prior: rank " +
                    std::to_string(found.forecast.rank) + " of " +
                    std::to_string(found.forecast.names.size()) + " parameters.\n" +
                    identifiability_summary(found.identifiability, "--json");
  const std::vector<std::string> undetermined = names_not_determined(found.forecast.physical);
  if (undetermined.empty()) return out;
  return out + std::to_string(undetermined.size()) +
         " values are not determined (less than 10 % of the prior variance removed):\n" +
         wrapped(undetermined);
}

/// "6 warnings, 1 error."
std::string counts_text(std::size_t warnings, std::size_t errors) {
  return std::to_string(warnings) + (warnings == 1 ? " warning, " : " warnings, ") +
         std::to_string(errors) + (errors == 1 ? " error.\n" : " errors.\n");
}

}  // namespace

Signature check_signature() {
  return {.name = "check",
          .positional = "CONFIG",
          .summary = "check model, logs, excitation and identifiability; writes nothing",
          .options = {}};
}

int check(const Arguments& arguments) {
  Console console(arguments);
  const Config config = read_config(arguments.positional);
  const Check found = bayesid::check(config, run_options(arguments, console));
  console.print(model_text(found.loaded.problem->dynamics()));
  for (const LogCheck& log : found.logs) console.print(log_text(log, config));
  console.print(use_text(found.joints) + forecast_text(found));
  for (const std::string& one : found.problems) console.print("error: " + one + "\n");
  console.print(counts_text(found.loaded.all_warnings().size(), found.problems.size()));
  console.document(document_of(found));
  return found.problems.empty() ? exit_done : exit_problems;
}

}  // namespace bayesid::app
