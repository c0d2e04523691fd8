// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "bayesid/excite.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"

namespace bayesid {

namespace {

double mean_share(const EffortError& error) {
  double sum = 0;
  int count = 0;
  for (Eigen::Index j = 0; j < error.rmse.size(); ++j) {
    if (!(error.range[j] > 0)) continue;
    sum += error.rmse[j] / error.range[j];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

std::vector<Verdict> comparison_verdict(const std::vector<MethodVerdict>& methods,
                                        const std::string& where) {
  std::vector<Verdict> out;
  std::vector<std::string> stopped, impossible;
  for (const MethodVerdict& one : methods) {
    if (!one.converged) stopped.push_back(one.name);
    if (one.impossible_bodies > 0) impossible.push_back(one.name);
  }
  if (stopped.empty()) {
    out.push_back({.topic = "convergence", .text = "All methods converged."});
  } else {
    out.push_back({.severity = Severity::error,
                   .topic = "convergence",
                   .text = "Not converged: " + listed(stopped) + ". Do not use their numbers."});
  }
  const auto best = std::ranges::min_element(
      methods, {}, [](const MethodVerdict& one) { return mean_share(one.effort); });
  if (best != methods.end()) {
    const double share = mean_share(best->effort);
    out.push_back({.topic = "prediction",
                   .text = "Best effort prediction " + where + ": " + best->name + ", error " +
                           percent_text(share) + " of the range (mean over joints).",
                   .numbers = {{"identified", share}}});
  }
  if (!impossible.empty()) {
    out.push_back({.severity = Severity::warning,
                   .topic = "diagnostics",
                   .text = "Physically impossible inertias (negative mass or inertia): " +
                           listed(impossible) + "."});
  }
  sort_by_severity(out);
  return out;
}

std::vector<Verdict> excitation_verdict(const Excitation& from) {
  if (!from.found) {
    return {{.severity = Severity::error,
             .topic = "convergence",
             .text = "No start led to a motion within limits. Next: relax excitation.limits or "
                     "raise excitation.starts."}};
  }
  const Identifiability& forecast = from.forecast.identifiability;
  std::vector<Verdict> out{{.topic = "convergence",
                            .text = "Motion within all limits found from " +
                                    counted(from.attempts.size(), "start", "starts") + "."}};
  Verdict undetermined{.topic = "undetermined",
                       .text = std::to_string(forecast.structural_rank) + " of " +
                               std::to_string(forecast.num_parameters) +
                               " parameter combinations are identifiable; a log of this motion "
                               "determines " +
                               std::to_string(forecast.log_rank) + "."};
  undetermined.numbers = {{"structural_rank", forecast.structural_rank},
                          {"log_rank", forecast.log_rank}};
  if (forecast.log_rank < forecast.structural_rank) undetermined.severity = Severity::warning;
  out.push_back(undetermined);
  sort_by_severity(out);
  return out;
}

}  // namespace bayesid
