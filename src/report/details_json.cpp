// SPDX-License-Identifier: BSD-3-Clause
#include "report/details_json.hpp"

#include <cmath>

#include "bayesid/parameters.hpp"
#include "problem/model_digest.hpp"
#include "report/document.hpp"
#include "report/log_facts_json.hpp"
#include "report/model_error_report.hpp"

namespace bayesid {

using Json = nlohmann::ordered_json;

namespace {

Json list(const Eigen::VectorXd& values) {
  return std::vector<double>(values.begin(), values.end());
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json friction_json(const std::vector<FrictionCurve>& from) {
  Json out = Json::array();
  for (const FrictionCurve& one : from) {
    out.push_back({{"drive", one.drive},
                   {"speed", list(one.speed)},
                   {"prior", list(one.prior)},
                   {"value", list(one.value)},
                   {"std", list(one.std)}});
  }
  return out;
}

/// Mass, centre of mass, inertia about it in the axes of the link.
Json inertia_json(const InertialParameters& pi) {
  const double mass = pi[0];
  const Eigen::Vector3d com = mass != 0 ? Eigen::Vector3d(pi.segment<3>(1) / mass)
                                        : Eigen::Vector3d(Eigen::Vector3d::Zero());
  const Eigen::Matrix3d I =
      symmetric_matrix(pi.tail<6>()) -
      mass * (com.squaredNorm() * Eigen::Matrix3d::Identity() - com * com.transpose());
  return {{"mass", mass},
          {"com", list(com)},
          {"inertia", {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}}};
}

Json inertias_json(const std::vector<LinkInertia>& from) {
  Json out = Json::array();
  for (const LinkInertia& one : from) {
    out.push_back({{"link", one.link},
                   {"prior", inertia_json(one.prior)},
                   {"value", inertia_json(one.value)}});
  }
  return out;
}

Json white_json(const std::optional<bool>& is_white) {
  return is_white ? Json(*is_white) : Json(nullptr);
}

Json innovations_json(const InnovationCheck& from) {
  Json out{{"samples", from.samples},
           {"mean", from.mean},
           {"mean_square", from.mean_square},
           {"range", {from.lower, from.upper}}};
  if (!from.autocorrelation.empty()) out["autocorrelation"] = from.autocorrelation;
  out["white"] = white_json(from.is_white);
  return out;
}

Json sensors_json(const std::vector<SensorCheck>& from) {
  Json out = Json::array();
  for (const SensorCheck& one : from) {
    Json& entry = out.emplace_back(Json{{"sensor", one.sensor}});
    entry.update(innovations_json(one.innovations));
  }
  return out;
}

Json residual_json(const ResidualCheck& from) {
  Json edges = Json::array();
  const auto num_bins = static_cast<int>(from.counts.size());
  for (int i = 0; i <= num_bins; ++i) edges.push_back(-5.0 + 10.0 * i / num_bins);
  Json out{{"sensor", from.sensor},
           {"channel", from.channel},
           {"unit", from.unit},
           {"samples", from.samples},
           {"mean", from.mean},
           {"rms", from.rms},
           {"configured_rms", from.configured_rms}};
  out["expected_rms"] = optional_json(from.expected);
  out["histogram"] = {
      {"edges", edges}, {"counts", from.counts}, {"below", from.below}, {"above", from.above}};
  out["autocorrelation"] = from.autocorrelation;
  out["white"] = white_json(from.is_white);
  out["innovations"] = from.innovations ? innovations_json(*from.innovations) : Json(nullptr);
  return out;
}

Json cones_json(const std::vector<ConeUse>& from) {
  Json out = Json::array();
  for (const ConeUse& one : from) {
    Json& entry = out.emplace_back();
    entry["contact"] = one.contact;
    entry["friction"] = optional_json(one.friction);
    entry["worst"] = one.worst;
    entry["share_outside"] = one.share_outside;
  }
  return out;
}

Json file_json(const ReadFile& from) {
  return {{"file", from.file}, {"sha256", from.sha256}, {"bytes", from.bytes}};
}

/// Share of samples that stand exactly at the largest or smallest value, where it stands out.
Json clipped_json(const LogFacts& facts) {
  constexpr int seldom = 3;  // noise can repeat its extreme
  Json out = Json::object();
  for (const auto& [name, channel] : facts.channels) {
    if (channel.is_constant() || channel.at_extreme <= seldom) continue;
    out[name] = channel.at_extreme / static_cast<double>(channel.samples);
  }
  return out;
}

double fastest_rate(const LogFacts& facts) {
  double out = 0;
  for (const auto& [name, group] : facts.groups) out = std::max(out, group.rate);
  return out;
}

/// Steps of more than twice the usual one, the longest of each group.
Json gaps_json(const LogFacts& facts) {
  constexpr double long_step = 2;
  Json out = Json::array();
  for (const auto& [name, group] : facts.groups) {
    if (!(group.longest_gap * group.rate > long_step)) continue;
    out.push_back({{"group", name},
                   {"from", group.longest_gap_at},
                   {"to", group.longest_gap_at + group.longest_gap}});
  }
  return out;
}

Json delays_json(const Posterior* posterior) {
  Json out = Json::object();
  if (!posterior) return out;
  const std::string prefix = "delay.";
  for (const Estimate& one : posterior->parameters) {
    if (one.name.starts_with(prefix)) out[one.name.substr(prefix.size())] = one.value;
  }
  return out;
}

}  // namespace

Json log_quality_json(const std::vector<LogUse>& logs, const Posterior* posterior) {
  Json out = Json::array();
  for (const LogUse& log : logs) {
    out.push_back({{"file", log.file},
                   {"rate", fastest_rate(log.facts)},
                   {"samples", log.samples},
                   {"dropped", log.dropped},
                   {"segments", log.segments},
                   {"groups", report::groups_json<Json>(log.facts)},
                   {"gaps", gaps_json(log.facts)},
                   {"clipped", clipped_json(log.facts)},
                   {"delays", delays_json(posterior)}});
  }
  return out;
}

Json verdict_json(const std::vector<Verdict>& verdict) {
  Json out = Json::array();
  for (const Verdict& one : verdict) {
    Json& entry = out.emplace_back();
    entry = {{"severity", to_string(one.severity)}, {"topic", one.topic}, {"text", one.text}};
    for (const auto& [name, value] : one.numbers) entry[name] = value;
  }
  return out;
}

Json model_json(const ModelFacts& model) {
  Json joints = Json::array();
  for (const ModelFacts::NamedJoint& joint : model.joints)
    joints.push_back({{"name", joint.name}, {"type", joint.type}, {"unit", joint.unit}});
  return {{"name", model.name},
          {"urdf", model.urdf},
          {"joints", joints},
          {"links", model.links},
          {"floating", model.floating}};
}

Json provenance_json(const Provenance& from) {
  Json logs = Json::array();
  for (const ReadFile& log : from.logs) logs.push_back(file_json(log));
  return {{"program", from.program},
          {"compiler", from.compiler},
          {"pinocchio", from.pinocchio},
          {"command", from.command},
          {"config", from.config},
          {"config_sha256", digest(from.config)},
          {"model_sha256", from.model.sha256},
          {"logs", logs},
          {"seed", from.seed},
          {"time", from.time},
          {"host_threads", from.host_threads}};
}

std::string with_facts(const std::string& document, const DocumentFacts& facts) {
  Json out = Json::parse(document);
  if (facts.model) out["model"] = model_json(*facts.model);
  if (facts.logs) out["log_quality"] = log_quality_json(*facts.logs, nullptr);
  if (facts.verdict) out["verdict"] = verdict_json(*facts.verdict);
  if (facts.provenance) out["provenance"] = provenance_json(*facts.provenance);
  if (facts.series) out["series"] = Json::parse(facts.series->index);
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void add_details(const Result& result, Json& out) {
  out["model"] = model_json(result.model);
  out["bounds"] = result.bounds;
  out["log_quality"] = log_quality_json(result.logs, &result.posterior);
  out["verdict"] = verdict_json(result.verdict);
  if (result.provenance) out["provenance"] = provenance_json(*result.provenance);
  if (!result.details) return;
  const ResultDetails& details = *result.details;
  out["friction_curves"] = friction_json(details.friction);
  out["inertias"] = inertias_json(details.inertias);
  out["residuals"] = Json::array();
  for (const ResidualCheck& one : details.residuals) out["residuals"].push_back(residual_json(one));
  out["innovations"] = sensors_json(details.sensors);
  out["model_error"] = model_error_json(details.model_error);
  out["cones"] = cones_json(details.cones);
  out["series"] = Json::parse(details.series.index);
}

}  // namespace bayesid
