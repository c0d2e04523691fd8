// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "bayesid/compare.hpp"
#include "pipeline/config_stamp.hpp"
#include "pipeline/page_files.hpp"
#include "report/document.hpp"
#include "report/provenance.hpp"

namespace bayesid {

using nlohmann::json;

namespace {

json model_json(const ModelFit& fit) {
  return {{"parameters", fit.ntheta},
          {"status", to_string(fit.status)},
          {"iterations", fit.iterations},
          {"cost", fit.cost},
          {"log_evidence", fit.log_evidence}};
}

json error_json(const EffortError& error) {
  const auto list = [](const Eigen::VectorXd& v) {
    return std::vector<double>(v.begin(), v.end());
  };
  return {{"rmse", list(error.rmse)}, {"range", list(error.range)}};
}

json base_json(const std::vector<BaseEstimate>& base) {
  json out = json::array();
  for (const BaseEstimate& one : base) {
    json terms = json::object();
    for (const auto& [name, factor] : one.terms) terms[name] = factor;
    out.push_back(
        {{"name", one.terms[0].first}, {"terms", terms}, {"value", one.value}, {"std", one.std}});
  }
  return out;
}

json method_json(const MethodFit& fit, const ParameterSet& parameters) {
  const BaselineResult& found = fit.found;
  json out{{"status", to_string(found.status)},
           {"iterations", found.iterations},
           {"seconds", fit.seconds},
           {"impossible_bodies", num_impossible_bodies(found.eta)},
           {"effort", error_json(fit.effort)}};
  if (found.window > 0) out["smoothing"] = {{"window", found.window}, {"order", found.order}};
  if (fit.held_out) out["held_out"] = error_json(*fit.held_out);
  for (const auto& [name, value] : found.values) out["physical"][name] = value;
  const std::vector<std::string> names = parameters.names();
  for (Eigen::Index i = 0; i < found.theta.size(); ++i)
    out["parameters"][names[static_cast<std::size_t>(i)]] = found.theta[i];
  if (!found.base.empty()) out["base"] = base_json(found.base);
  if (!fit.error) return out;
  out["error"] = {{"base", fit.error->base}, {"effort", fit.error->effort}};
  if (fit.error->friction) out["error"]["friction"] = *fit.error->friction;
  if (fit.error->mass) out["error"]["mass"] = *fit.error->mass;
  return out;
}

}  // namespace

std::string document_of(const GroupComparison& comparison) {
  json groups = json::array();
  for (const GroupEvidence& one : comparison.groups) {
    groups.push_back({{"group", one.group},
                      {"difference", one.log_ratio()},
                      {"verdict", one.verdict()},
                      {"with", model_json(one.with)},
                      {"without", model_json(one.without)}});
  }
  const json out{{"schema", 1},
                 {"version", BAYESID_VERSION},
                 {"given", model_json(comparison.given)},
                 {"groups", groups}};
  return out.dump(1);
}

std::string document_of(const MethodComparison& comparison, const std::string& folder) {
  const Dynamics& dynamics = comparison.loaded.problem->dynamics();
  json out{{"schema", 1},
           {"version", BAYESID_VERSION},
           {"joints", comparison.joints},
           {"samples", comparison.loaded.num_samples()},
           {"warnings", comparison.loaded.all_warnings()}};
  for (const MethodFit& fit : comparison.methods)
    out["methods"][fit.name] = method_json(fit, dynamics.parameters());
  const ModelFacts model = make_model_facts(dynamics.robot());
  const Provenance provenance = pipeline::with_config(
      comparison.provenance,
      pipeline::stamped_config(comparison.config, folder.empty() ? "." : folder,
                               comparison.provenance.seed));
  return with_facts(out.dump(-1, ' ', false, json::error_handler_t::replace),
                    {.model = &model,
                     .verdict = &comparison.verdict,
                     .provenance = &provenance,
                     .logs = &comparison.loaded.logs});
}

Files files_of(const MethodComparison& comparison, const std::string& folder) {
  const std::string document = document_of(comparison, folder);
  const ReportData page{.kind = "compare", .title = folder, .results = {}, .comparison = document};
  return {{"comparison.json", document}, {"report.html", report_html(page)}};
}

}  // namespace bayesid
