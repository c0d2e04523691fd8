// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "bayesid/result.hpp"
#include "report/details_json.hpp"

namespace bayesid {

namespace {

using Json = nlohmann::ordered_json;

Json estimates(const std::vector<Estimate>& from, bool mark_fixed) {
  Json out = Json::object();
  for (const Estimate& estimate : from) {
    Json& entry = out[estimate.name];
    entry = {{"prior", estimate.prior},
             {"prior_std", estimate.prior_std},
             {"value", estimate.value},
             {"std", estimate.std}};
    if (estimate.std_white > 0) entry["std_white"] = estimate.std_white;
    if (mark_fixed && estimate.prior_std == 0) entry["fixed"] = true;
  }
  return out;
}

Json covariance(const std::vector<std::string>& names, const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json& row = rows.emplace_back(Json::array());
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
  }
  return {{"names", names}, {"matrix", rows}};
}

Json terms_json(const std::vector<ParameterTerm>& terms) {
  Json out = Json::object();
  for (const ParameterTerm& term : terms) out[term.name] = term.coefficient;
  return out;
}

Json base_parameters_json(const std::vector<BaseParameter>& from) {
  Json out = Json::array();
  for (const BaseParameter& one : from) {
    out.push_back({{"text", one.text},
                   {"terms", terms_json(one.terms)},
                   {"value", one.value},
                   {"std", one.std},
                   {"data_std", one.data_std}});
  }
  return out;
}

Json undetermined_json(const std::vector<UndeterminedDirection>& from) {
  Json out = Json::array();
  for (const UndeterminedDirection& one : from) {
    Json& entry = out.emplace_back();
    entry = {{"text", one.text},
             {"terms", terms_json(one.terms)},
             {"kind", one.is_structural ? "structural" : "this log"}};
    entry["motion"] = one.is_structural ? Json(nullptr) : Json(one.motion);
  }
  return out;
}

Json correlations_json(const std::vector<Correlation>& from) {
  Json out = Json::array();
  for (const Correlation& one : from) {
    Json& entry = out.emplace_back();
    entry = {{"a", one.a}, {"b", one.b}, {"value", one.value}};
    entry["data_value"] = one.of_data ? Json(*one.of_data) : Json(nullptr);
  }
  return out;
}

Json identifiability_of(const Posterior& posterior, const Identifiability& from) {
  Json shares = Json::object();
  for (const Estimate& estimate : posterior.parameters) shares[estimate.name] = estimate.determined;
  return {{"rank", posterior.rank},
          {"structural_rank", from.structural_rank},
          {"log_rank", from.log_rank},
          {"numerical_rank", from.numerical_rank},
          {"parameters", shares},
          {"base_parameters", base_parameters_json(from.base_parameters)},
          {"undetermined", undetermined_json(from.undetermined)},
          {"correlations", correlations_json(from.correlations)},
          {"covariance", covariance(from.coordinates, from.cov)}};
}

Json history(const std::vector<Iteration>& from) {
  Json out = Json::array();
  for (const Iteration& i : from) {
    out.push_back({{"iteration", i.number},
                   {"cost", i.cost},
                   {"violation", i.violation},
                   {"step", i.step},
                   {"length", i.length},
                   {"damping", i.damping},
                   {"curvature", i.curvature},
                   {"seconds", i.seconds}});
  }
  return out;
}

Json prediction(const Result& result) {
  Json out = Json::object();
  for (size_t i = 0; i < result.joints.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    if (j >= result.identified.rmse.size()) break;
    out[result.joints[i]] = {{"nominal", result.nominal.rmse[j]},
                             {"identified", result.identified.rmse[j]},
                             {"range", result.identified.range[j]}};
  }
  return out;
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts kilobytes
}

Json timing(const Result& result) {
  const auto iterations = static_cast<double>(std::max<size_t>(1, result.history.size()));
  const double per_iteration = result.timing.total / iterations;
  return {{"total", result.timing.total},
          {"per_iteration", per_iteration},
          {"per_stage_us", 1e6 * per_iteration / std::max(1, result.num_stages)},
          {"threads", result.num_threads},
          {"peak_memory_mb", peak_memory_mb()}};
}

Json logs(const std::vector<LogUse>& from) {
  Json out = Json::array();
  for (const LogUse& log : from) {
    out.push_back({{"file", log.file},
                   {"model", log.model},
                   {"samples", log.samples},
                   {"dropped", log.dropped},
                   {"segments", log.segments},
                   {"warnings", log.warnings}});
  }
  return out;
}

Json noise(const std::vector<NoiseReport>& from) {
  Json out = Json::object();
  for (const NoiseReport& one : from) {
    out[one.name] = {{"configured", one.configured ? Json(*one.configured) : Json("auto")},
                     {"found", one.found},
                     {"unit", one.unit}};
  }
  return out;
}

/// A map with its keys in the order people read them.
Json in_order(const std::map<std::string, double>& from, const std::vector<std::string>& keys) {
  Json out = Json::object();
  for (const std::string& key : keys) {
    const auto found = from.find(key);
    out[key] = found == from.end() ? 0.0 : found->second;
  }
  return out;
}

}  // namespace

std::string identifiability_json(const Posterior& posterior,
                                 const Identifiability& identifiability) {
  return identifiability_of(posterior, identifiability).dump();
}

std::string result_json(const Result& result) {
  Json out;
  out["schema"] = 1;
  out["version"] = BAYESID_VERSION;
  out["status"] = to_string(result.status);
  if (!result.message.empty()) out["message"] = result.message;
  out["iterations"] = result.history.size();
  out["cost"] = in_order(result.cost, {"total", "arrival", "prior", "disturbance"});
  out["cost"]["measurements"] = result.measurements;
  out["violation"] = in_order(result.violation, {"gap", "dynamics", "constraint", "position",
                                                 "parameter_equality", "parameter_inequality"});
  if (!result.active_limits.empty()) {
    out["violation"]["stage_inequality"] = result.violation.at("stage_inequality");
    out["active_limits"] = result.active_limits;
  }
  out["parameters"] = estimates(result.posterior.parameters, true);
  out["physical"] = estimates(result.posterior.physical, false);
  out["covariance"] = covariance(result.posterior.names, result.posterior.theta_cov);
  out["identifiability"] = identifiability_of(result.posterior, result.identifiability);
  if (!result.noise.empty()) out["noise"] = noise(result.noise);
  out["evidence"] = {{"log", result.log_evidence}};
  out["history"] = history(result.history);
  out["prediction"] = prediction(result);
  out["timing"] = timing(result);
  out["logs"] = logs(result.logs);
  out["warnings"] = result.warnings;
  for (const std::string& finding : result.findings) out["warnings"].push_back(finding);
  out["seed"] = result.seed;
  add_details(result, out);
  // File names may hold any bytes; what is no UTF-8 is replaced.
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bayesid
