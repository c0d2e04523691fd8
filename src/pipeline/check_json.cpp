// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "bayesid/check.hpp"
#include "bayesid/result.hpp"
#include "report/log_facts_json.hpp"

namespace bayesid {

using nlohmann::json;

namespace {

json channels_json(const LogCheck& log) {
  json out = json::object();
  for (const auto& [name, channel] : log.use.facts.channels) {
    if (channel.samples == 0) continue;
    const auto configured = log.noise_std.find(name);
    out[name] = {{"samples", channel.samples},
                 {"range", {channel.lowest, channel.highest}},
                 {"noise", channel.noise},
                 {"noise_is_white", channel.is_white},
                 {"configured_noise",
                  configured == log.noise_std.end() ? json(nullptr) : json(configured->second)},
                 {"step", channel.step},
                 {"repeats", channel.repeats},
                 {"at_extreme", channel.at_extreme / static_cast<double>(channel.samples)}};
  }
  return out;
}

json joints_json(const LogDiagnostics& diagnostics) {
  json out = json::array();
  for (const JointCheck& joint : diagnostics.joints) {
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

json log_json(const LogCheck& log) {
  json out{{"file", log.use.file},
           {"samples", log.use.samples},
           {"dropped", log.use.dropped},
           {"segments", log.use.segments},
           {"duration", log.duration},
           {"rate", log.rate},
           {"groups", report::groups_json<json>(log.use.facts)},
           {"channels", channels_json(log)},
           {"joints", joints_json(log.diagnostics)},
           {"at_rest", log.diagnostics.at_rest},
           {"diagnostics", log.diagnostics.diagnostics}};
  if (log.diagnostics.effort_delay) {
    out["effort_delay"] = {{"delay", log.diagnostics.effort_delay->delay},
                           {"gain", log.diagnostics.effort_delay->gain}};
  }
  return out;
}

json model_json(const Dynamics& dynamics) {
  json links = json::object();
  double total = 0;
  for (const Link& link : dynamics.robot().links) {
    links[link.name] = link.pi[0];
    total += link.pi[0];
  }
  json joints = json::array();
  for (const Joint& joint : dynamics.robot().joints) joints.push_back(joint.name);
  return {{"name", dynamics.robot().name},
          {"joints", joints},
          {"masses", links},
          {"moving_mass", total},
          {"parameters", dynamics.parameters().names()}};
}

json excitation_json(const std::vector<JointUse>& joints) {
  json out = json::object();
  for (const JointUse& use : joints) {
    out[use.joint] = {{"range", {use.lowest, use.highest}},
                      {"fastest", use.fastest},
                      {"effort_rms", use.effort_rms},
                      {"position_missing", use.position_missing()},
                      {"velocity_missing", use.velocity_missing()}};
  }
  return out;
}

}  // namespace

std::string document_of(const Check& check) {
  json identifiability = json::parse(identifiability_json(check.forecast, check.identifiability));
  for (const Estimate& one : check.forecast.parameters) {
    if (one.prior_std == 0) identifiability["parameters"].erase(one.name);
  }
  json logs = json::array();
  for (const LogCheck& log : check.logs) logs.push_back(log_json(log));
  const json out{{"schema", 1},
                 {"version", BAYESID_VERSION},
                 {"model", model_json(check.loaded.problem->dynamics())},
                 {"logs", logs},
                 {"excitation", excitation_json(check.joints)},
                 {"identifiability", identifiability},
                 {"undetermined", names_not_determined(check.forecast.physical)},
                 {"warnings", check.loaded.all_warnings()},
                 {"problems", check.problems}};
  return out.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace bayesid
