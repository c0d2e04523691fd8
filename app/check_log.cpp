// SPDX-License-Identifier: BSD-3-Clause
#include "check_log.hpp"

#include <optional>

#include "table.hpp"

namespace bayesid::app {

using nlohmann::json;

namespace {

/// Standard deviation that the configuration claims for a channel; absent: it is not fitted, or
/// exact.
class Claims {
 public:
  explicit Claims(const RobotProblem& problem)
      : robot_(problem.dynamics().robot()), noise_(problem.noise()) {}

  std::optional<double> of(const std::string& channel) const {
    if (channel.starts_with("q.")) return of_joint(channel.substr(2), noise_.position);
    if (channel.starts_with("v.")) return of_joint(channel.substr(2), noise_.velocity);
    if (channel.starts_with("tau.")) return of_joint(channel.substr(4), noise_.effort);
    const std::size_t dot = channel.rfind('.');
    const std::string group = channel.substr(0, dot), axis = channel.substr(dot + 1);
    if (group.starts_with("pose.")) return of_pose(group.substr(5), axis);
    if (group.starts_with("wrench.")) return of_wrench(group.substr(7), axis);
    return group.starts_with("imu.") ? of_imu(group.substr(4), axis) : std::nullopt;
  }

 private:
  std::optional<double> of_joint(const std::string& name, const Eigen::VectorXd& std) const {
    const int j = robot_.joint_index(name);
    if (j < 0 || std.size() == 0) return std::nullopt;
    return std[robot_.joints[j].idx_v];
  }
  std::optional<double> of_pose(const std::string& frame, const std::string& axis) const {
    const auto found = noise_.poses.find(frame);
    if (found == noise_.poses.end()) return std::nullopt;
    return axis[0] == 'p' ? found->second.position : half(found->second.orientation);
  }
  std::optional<double> of_imu(const std::string& name, const std::string& axis) const {
    const auto found = noise_.imus.find(name);
    if (found == noise_.imus.end()) return std::nullopt;
    if (axis[0] == 'q') return half(found->second.std.orientation);
    return axis[0] == 'a' ? found->second.std.acceleration : found->second.std.rate;
  }
  std::optional<double> of_wrench(const std::string& name, const std::string& axis) const {
    const auto found = noise_.wrenches.find(name);
    if (found == noise_.wrenches.end()) return std::nullopt;
    return axis[0] == 'f' ? found->second.force : found->second.torque;
  }
  /// Numbers of a quaternion change by half of the angle.
  static std::optional<double> half(const std::optional<double>& angle) {
    return angle ? std::optional(*angle / 2) : std::nullopt;
  }

  const Robot& robot_;
  const Noise& noise_;
};

json optional_json(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

json groups_json(const LogFacts& facts) {
  json out = json::object();
  for (const auto& [name, group] : facts.groups) {
    out[name] = {{"channels", group.channels},
                 {"samples", group.samples},
                 {"rate", group.rate},
                 {"longest_gap", group.longest_gap},
                 {"longest_gap_at", group.longest_gap_at}};
  }
  return out;
}

json channels_json(const Claims& claims, const LogFacts& facts) {
  json out = json::object();
  for (const auto& [name, channel] : facts.channels) {
    if (channel.samples == 0) continue;
    out[name] = {{"samples", channel.samples},
                 {"range", {channel.lowest, channel.highest}},
                 {"noise", channel.noise},
                 {"noise_is_white", channel.is_white},
                 {"claimed", optional_json(claims.of(name))},
                 {"step", channel.step},
                 {"repeats", channel.hold},
                 {"at_extreme", channel.at_extreme / static_cast<double>(channel.samples)}};
  }
  return out;
}

json joints_json(const LogDoubts& doubts) {
  json out = json::array();
  for (const JointCheck& joint : doubts.joints) {
    json one{{"joint", joint.joint}, {"effort_at_limit", joint.at_limit}};
    if (joint.velocity) {
      one["velocity"] = {{"slope", 1 / joint.velocity->slope},
                         {"correlation", joint.velocity->correlation},
                         {"lag", joint.velocity->lag}};
    }
    if (joint.effort) {
      one["effort"] = {{"slope", joint.effort->slope},
                       {"correlation", joint.effort->correlation},
                       {"gravity", joint.effort->gravity},
                       {"rest", joint.effort->rest}};
    }
    out.push_back(one);
  }
  return out;
}

void print_groups(const Console& console, const json& groups) {
  std::vector<Row> rows;
  for (const auto& [name, group] : groups.items()) {
    rows.push_back({name, group["channels"].dump(), group["samples"].dump(),
                    number(group["rate"]) + " Hz",
                    number(group["longest_gap"].get<double>() * 1e3) + " ms at " +
                        number(group["longest_gap_at"]) + " s"});
  }
  console.print(table_text({"group", "channels", "samples", "rate", "longest step"}, rows) + "\n");
}

void print_channels(const Console& console, const json& channels) {
  std::vector<Row> rows;
  for (const auto& [name, channel] : channels.items()) {
    const double step = channel["step"];
    rows.push_back({name, number(channel["range"][0]) + " … " + number(channel["range"][1]),
                    number(channel["noise"]),
                    channel["claimed"].is_null() ? "-" : number(channel["claimed"]),
                    step > 0 ? number(step) : "-", percent(channel["at_extreme"])});
  }
  console.print(table_text({"channel", "range", "noise ≤", "claimed", "step", "at extreme"}, rows) +
                "\n");
}

/// Cells of one comparison, dashes when there is none.
Row cells(const json& joint, const char* kind, const std::vector<std::string>& keys) {
  if (!joint.contains(kind)) return Row(keys.size(), "-");
  Row out;
  for (const std::string& key : keys) out.push_back(number(joint[kind][key]));
  return out;
}

void print_joints(const Console& console, const json& joints) {
  std::vector<Row> rows;
  for (const json& joint : joints) {
    Row row = cells(joint, "velocity", {"slope", "correlation"});
    row.insert(row.begin(), joint["joint"].get<std::string>());
    row.push_back(joint.contains("velocity")
                      ? number(1e3 * joint["velocity"]["lag"].get<double>()) + " ms"
                      : "-");
    const Row effort = cells(joint, "effort", {"slope", "correlation"});
    row.insert(row.end(), effort.begin(), effort.end());
    row.push_back(percent(joint["effort_at_limit"]));
    rows.push_back(row);
  }
  console.print(
      "v against the differences of q; tau against what the prior needs for the motion:\n" +
      table_text({"joint", "v/dq", "corr.", "lag", "tau/model", "corr.", "at limit"}, rows));
}

}  // namespace

json log_json(const RobotProblem& problem, const LogUse& log, const LogDoubts& doubts) {
  json out{{"groups", groups_json(log.facts)},
           {"channels", channels_json(Claims(problem), log.facts)},
           {"joints", joints_json(doubts)},
           {"at_rest", doubts.at_rest},
           {"doubts", doubts.doubts}};
  if (doubts.effort_delay) {
    out["effort_delay"] = {{"delay", doubts.effort_delay->delay},
                           {"gain", doubts.effort_delay->gain}};
  }
  return out;
}

void print_log(const Console& console, const json& log) {
  print_groups(console, log["groups"]);
  print_channels(console, log["channels"]);
  print_joints(console, log["joints"]);
  if (log.contains("effort_delay")) {
    const double delay = log["effort_delay"]["delay"], gain = log["effort_delay"]["gain"];
    console.print("efforts fit the motion best " + number(1e3 * delay) +
                  " ms late, which lessens what is unexplained by a factor of " + number(gain) +
                  "\n");
  }
  if (log["at_rest"] > 0) console.print("at rest: " + number(log["at_rest"]) + " s\n");
  console.print("\n");
}

}  // namespace bayesid::app
