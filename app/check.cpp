// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/check.hpp"

#include "console.hpp"
#include "parameter_text.hpp"
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
  return table_text({"group", "channels", "samples", "rate", "longest step"}, rows);
}

std::string channels_text(const LogCheck& log) {
  std::vector<Row> rows;
  for (const auto& [name, channel] : log.use.facts.channels) {
    if (channel.samples == 0) continue;
    const auto claimed = log.noise_std.find(name);
    rows.push_back({name, number(channel.lowest) + " … " + number(channel.highest),
                    number(channel.noise),
                    claimed == log.noise_std.end() ? "-" : number(claimed->second),
                    channel.step > 0 ? number(channel.step) : "-",
                    percent(channel.at_extreme / static_cast<double>(channel.samples))});
  }
  return table_text({"channel", "range", "noise ≤", "claimed", "step", "at extreme"}, rows);
}

std::string joints_text(const LogDoubts& doubts) {
  std::vector<Row> rows;
  for (const JointCheck& joint : doubts.joints) {
    const auto& v = joint.velocity;
    const auto& tau = joint.effort;
    rows.push_back({joint.joint, v ? number(1 / v->slope) : "-", v ? number(v->correlation) : "-",
                    v ? number(1e3 * v->lag) + " ms" : "-", tau ? number(tau->slope) : "-",
                    tau ? number(tau->correlation) : "-", percent(joint.at_limit)});
  }
  return "v against the differences of q; tau against what the prior needs for the motion:\n" +
         table_text({"joint", "v/dq", "corr.", "lag", "tau/model", "corr.", "at limit"}, rows);
}

std::string log_text(const LogCheck& log) {
  std::string out = log.use.file + ": " + std::to_string(log.use.samples) + " samples, " +
                    number(log.rate) + " Hz, " + number(log.duration) + " s, " +
                    std::to_string(log.use.pieces) +
                    (log.use.pieces == 1 ? " piece, " : " pieces, ") +
                    std::to_string(log.use.dropped) + " dropped\n";
  out += groups_text(log.use.facts) + "\n" + channels_text(log) + "\n" + joints_text(log.doubts);
  if (const std::optional<EffortDelay>& found = log.doubts.effort_delay) {
    out += "efforts fit the motion best " + number(1e3 * found->delay) +
           " ms late, which lessens what is unexplained by a factor of " + number(found->gain) +
           "\n";
  }
  if (log.doubts.at_rest > 0) out += "at rest: " + number(log.doubts.at_rest) + " s\n";
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
  return table_text({"joint", "position", "fastest", "effort rms", "q missing", "v missing"}, rows);
}

std::string forecast_text(const Check& found) {
  std::string out = "\nidentifiability, linearised at the prior: the data determine " +
                    std::to_string(found.forecast.rank) + " combinations of " +
                    std::to_string(found.forecast.names.size()) + " parameters\n" +
                    identifiability_summary(found.identifiability, "--json");
  const std::vector<std::string> unseen = names_not_determined(found.forecast.physical);
  if (unseen.empty()) return out;
  return out + std::to_string(unseen.size()) +
         " values the data will not see (less than 10 % of the prior variance removed):\n" +
         wrapped(unseen);
}

}  // namespace

Signature check_signature() {
  return {.name = "check",
          .positional = "CONFIG",
          .summary = "model, logs, excitation and what can be identified; writes nothing",
          .options = {}};
}

int check(const Arguments& arguments) {
  Console console(arguments);
  const Check found =
      bayesid::check(read_config(arguments.positional), run_options(arguments, console));
  console.print(model_text(found.loaded.problem->dynamics()));
  for (const LogCheck& log : found.logs) console.print(log_text(log));
  console.print(use_text(found.joints) + forecast_text(found));
  for (const std::string& one : found.problems) console.print("problem: " + one + "\n");
  console.print(found.problems.empty() ? "no problem found\n" : "");
  console.document(document_of(found));
  return found.problems.empty() ? exit_done : exit_problems;
}

}  // namespace bayesid::app
