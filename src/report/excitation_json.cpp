// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bayesid/report.hpp"
#include "bayesid/result.hpp"
#include "math/median.hpp"

namespace bayesid {

namespace {

using Json = nlohmann::ordered_json;

double median_of(const std::vector<ExcitationForecast>& random,
                 double ExcitationForecast::* number) {
  std::vector<double> values;
  values.reserve(random.size());
  for (const ExcitationForecast& one : random) values.push_back(one.*number);
  return median(values);
}

/// JSON knows no infinity.
Json bound(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json estimates_json(const std::vector<Estimate>& from) {
  Json out = Json::object();
  for (const Estimate& one : from) {
    if (one.prior_std <= 0) continue;
    out[one.name] = {{"value", one.prior},
                     {"prior_std", one.prior_std},
                     {"std", one.std},
                     {"determined", one.determined}};
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
                   {"margin_to_allowed", one.allowed}});
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

Json random_json(const Excitation& from, const std::vector<ExcitationForecast>& random) {
  const GainOverRandom gain = gain_over_random(from, random);
  Json out{{"count", random.size()},
           {"median_log_det_gain", median_of(random, &ExcitationForecast::log_det_gain)},
           {"gain_per_parameter", gain.with_prior},
           {"data_gain_per_parameter", gain.of_data}};
  for (const ExcitationForecast& one : random) out["log_det_gains"].push_back(one.log_det_gain);
  return out;
}

Json information_json(const Excitation& from) {
  const int identifiable = from.forecast.identifiability.structural_rank;
  Json out{{"log_det_gain", from.forecast.log_det_gain},
           {"parameters", from.forecast.num_parameters},
           {"identifiable", identifiable},
           {"per_parameter", std::exp(from.forecast.log_det_gain / std::max(1, identifiable))},
           {"data_log_det", from.forecast.log_det_data},
           {"criterion", from.value}};
  if (from.random.empty()) return out;
  out["random"] = random_json(from, from.random);
  out["largest_random"] = random_json(from, from.largest_random);
  return out;
}

}  // namespace

GainOverRandom gain_over_random(const Excitation& from,
                                const std::vector<ExcitationForecast>& random) {
  if (random.empty()) return {};
  const int identifiable = std::max(1, from.forecast.identifiability.structural_rank);
  const auto gain = [&](double ExcitationForecast::* number) {
    return std::exp((from.forecast.*number - median_of(random, number)) / identifiable);
  };
  return {.with_prior = gain(&ExcitationForecast::log_det_gain),
          .of_data = gain(&ExcitationForecast::log_det_data)};
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
    out["constraint_error"] = from.constraint_error;
    out["parameters"] = estimates_json(posterior.parameters);
    out["physical"] = estimates_json(posterior.physical);
    out["identifiability"] =
        Json::parse(identifiability_json(posterior, from.forecast.identifiability));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bayesid
