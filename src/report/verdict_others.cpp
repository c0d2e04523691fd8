// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "bayesid/excitation/excite.hpp"
#include "bayesid/report/verdict.hpp"
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
    out.push_back({.topic = "convergence", .text = "all methods converged"});
  } else {
    out.push_back(
        {.light = Light::red, .topic = "convergence", .text = "not converged: " + listed(stopped)});
  }
  const auto best = std::ranges::min_element(
      methods, {}, [](const MethodVerdict& one) { return mean_share(one.effort); });
  if (best != methods.end()) {
    const double share = mean_share(best->effort);
    out.push_back({.topic = "prediction",
                   .text = best->name + " predicts efforts best " + where + ": within " +
                           percent_text(share) + " of their range, mean over joints",
                   .numbers = {{"identified", share}}});
  }
  if (!impossible.empty()) {
    out.push_back({.light = Light::yellow,
                   .topic = "doubts",
                   .text = "bodies that cannot be (negative mass or inertia) were found by " +
                           listed(impossible)});
  }
  sort_by_light(out);
  return out;
}

std::vector<Verdict> excitation_verdict(const Excitation& from) {
  if (!from.found) {
    return {{.light = Light::red,
             .topic = "convergence",
             .text = "no start led to a motion within limits"}};
  }
  const Identifiability& shown = from.forecast.identifiability;
  std::vector<Verdict> out{{.topic = "convergence",
                            .text = "a motion within all limits was found, from " +
                                    counted(from.attempts.size(), "start", "starts")}};
  Verdict unseen{.topic = "unseen",
                 .text = "a log of it would show " + std::to_string(shown.log_rank) + " of the " +
                         std::to_string(shown.structural_rank) +
                         " combinations of parameters that motions can show"};
  unseen.numbers = {{"structural_rank", shown.structural_rank}, {"log_rank", shown.log_rank}};
  if (shown.log_rank < shown.structural_rank) unseen.light = Light::yellow;
  out.push_back(unseen);
  sort_by_light(out);
  return out;
}

}  // namespace bayesid
