// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bayesid/report/excitation_report.hpp"
#include "bayesid/report/result.hpp"

namespace bayesid {

namespace {

using Json = nlohmann::ordered_json;

double median_gain(const std::vector<ExcitationForecast>& random) {
  std::vector<double> gains;
  for (const ExcitationForecast& one : random) gains.push_back(one.log_det_gain);
  std::ranges::sort(gains);
  const std::size_t n = gains.size();
  return n % 2 == 1 ? gains[n / 2] : 0.5 * (gains[n / 2 - 1] + gains[n / 2]);
}

/// JSON knows no infinity.
Json bound(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json estimates_json(const std::vector<Estimate>& from) {
  Json out = Json::object();
  for (const Estimate& one : from) {
    if (one.prior_std <= 0) continue;
    out[one.name] = {
        {"value", one.prior}, {"prior_std", one.prior_std}, {"std", one.std}, {"seen", one.seen}};
  }
  return out;
}

Json margins_json(const std::vector<LimitMargin>& from) {
  Json out = Json::array();
  for (const LimitMargin& one : from) {
    out.push_back({{"limit", one.name},
                   {"of", one.of},
                   {"unit", one.unit},
                   {"value", one.value},
                   {"time", one.time},
                   {"lower", bound(one.lower)},
                   {"upper", bound(one.upper)},
                   {"margin", one.margin},
                   {"margin_of_share", one.allowed}});
  }
  return out;
}

Json attempts_json(const std::vector<ExcitationAttempt>& from) {
  Json out = Json::array();
  for (const ExcitationAttempt& one : from) {
    out.push_back({{"status", one.status},
                   {"iterations", one.iterations},
                   {"criterion", bound(one.value)},
                   {"margin", bound(one.margin)}});
  }
  return out;
}

Json information_json(const Excitation& from) {
  const int identifiable = from.forecast.identifiability.structural_rank;
  Json out{{"log_det_gain", from.forecast.log_det_gain},
           {"parameters", from.forecast.num_parameters},
           {"identifiable", identifiable},
           {"per_parameter", std::exp(from.forecast.log_det_gain / std::max(1, identifiable))},
           {"criterion", from.value}};
  if (from.random.empty()) return out;
  out["random"] = {{"count", from.random.size()},
                   {"median_log_det_gain", median_gain(from.random)},
                   {"gain_per_parameter", gain_over_random(from)}};
  for (const ExcitationForecast& one : from.random)
    out["random"]["log_det_gains"].push_back(one.log_det_gain);
  return out;
}

}  // namespace

double gain_over_random(const Excitation& from) {
  if (from.random.empty()) return 1;
  const int identifiable = std::max(1, from.forecast.identifiability.structural_rank);
  return std::exp((from.forecast.log_det_gain - median_gain(from.random)) / identifiable);
}

std::string excitation_json(const Excitation& from, const Config& config, unsigned seed) {
  Json out{{"schema", 1},
           {"version", BAYESID_VERSION},
           {"seed", seed},
           {"found", from.found},
           {"duration", config.excitation.duration},
           {"harmonics", config.excitation.harmonics},
           {"rate", config.excitation.rate},
           {"attempts", attempts_json(from.attempts)}};
  if (from.found) {
    const Posterior& posterior = from.forecast.posterior;
    out["best"] = from.best;
    out["grid"] = {{"points", from.num_points}, {"rounds", from.rounds}, {"shrunk", from.shrunk}};
    out["information"] = information_json(from);
    out["margins"] = margins_json(from.margins);
    out["held_within"] = from.held;
    out["parameters"] = estimates_json(posterior.parameters);
    out["physical"] = estimates_json(posterior.physical);
    out["identifiability"] =
        Json::parse(identifiability_json(posterior, from.forecast.identifiability));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bayesid
