// SPDX-License-Identifier: BSD-3-Clause
#include "report/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bayesid/result.hpp"
#include "report/model_error_report.hpp"
#include "report/words.hpp"

namespace bayesid {

namespace {

constexpr double good_prediction = 0.1;     // of the range
constexpr double odd_rms = 1.5;             // or its inverse: the configured noise is wrong …
constexpr double wrong_rms = 3;             // … by so much that error bars mean nothing
constexpr double tolerated_outside = 0.05;  // of the time a contact is closed

/// What to do after a search that did not converge.
std::string next_step(Status status) {
  if (status == Status::iteration_limit) return "raise solver.max_iterations.";
  if (status == Status::interrupted) return "continue with bayesid identify --resume.";
  return "run bayesid check and correct what it reports, then tighten the priors.";
}

Verdict convergence(const Result& result) {
  std::string status = to_string(result.status);
  std::replace(status.begin(), status.end(), '_', ' ');
  status += " after " + counted(result.history.size(), "iteration", "iterations");
  Verdict out{.topic = "convergence",
              .text = status,
              .numbers = {{"iterations", static_cast<double>(result.history.size())}}};
  if (result.status == Status::converged) return out;
  out.severity = Severity::error;
  if (!result.message.empty()) status += ", " + result.message;
  out.text =
      "Not converged (" + status + "): do not use these numbers. Next: " + next_step(result.status);
  return out;
}

/// How much is identifiable, and what the logs do not determine of it.
Verdict undetermined(const Result& result) {
  const Identifiability& from = result.identifiability;
  std::size_t kept = 0, free = 0;
  for (const Estimate& one : result.posterior.physical) {
    if (one.prior_std <= 0) continue;
    ++free;
    kept += one.determined < least_determined ? 1 : 0;
  }
  Verdict out{.topic = "undetermined", .text = {}};
  out.numbers = {{"structural_rank", from.structural_rank},
                 {"log_rank", from.log_rank},
                 {"values", static_cast<double>(free)},
                 {"values_undetermined", static_cast<double>(kept)}};
  out.text = std::to_string(from.structural_rank) + " of " + std::to_string(from.num_parameters) +
             " parameter combinations are identifiable; your logs determine " +
             std::to_string(from.log_rank) + ". " + std::to_string(kept) + " of " +
             std::to_string(free) + " values keep their prior.";
  const UndeterminedDirection* simplest = nullptr;
  for (const UndeterminedDirection& one : from.undetermined) {
    if (one.is_structural) continue;
    if (!simplest || one.text.size() < simplest->text.size()) simplest = &one;
  }
  if (simplest || from.log_rank < from.structural_rank) out.severity = Severity::warning;
  if (simplest)
    out.text += " Not determined: " + simplest->text +
                (simplest->motion == too_small_to_measure ? " (" : " (next: ") + simplest->motion +
                ").";
  return out;
}

/// Root mean square of a channel, 1 where noise and model are right: of innovations where it has
/// them; nothing else is as sensitive to a wrong configured noise.
std::optional<double> relative_rms(const ResidualCheck& from) {
  if (from.innovations) {
    const InnovationCheck& check = *from.innovations;
    const bool is_chance = check.mean_square > check.lower && check.mean_square < check.upper;
    return is_chance ? 1 : std::sqrt(check.mean_square);
  }
  return from.expected ? std::optional(from.rms) : std::nullopt;
}

/// What to configure when the noise of a channel is `rms` times the configured one.
std::string noise_remedy(const ResidualCheck& from, double rms) {
  if (from.is_automatic) return "It was found as small as it can be: look at the model";
  if (from.noise_key.empty() || !(from.configured_std > 0)) return "Correct its configured noise";
  return "Set measurements." + from.noise_key +
         (from.is_one_of_several ? " of " + from.channel : std::string()) + " to about " +
         formatted("%.2g", rms * from.configured_std);
}

/// Channels whose samples contradict the configured noise.
void diagnose_residuals(const Result& result, std::vector<Verdict>& out) {
  if (!result.details) return;
  const ResidualCheck* worst = nullptr;
  double rms = 1;
  std::vector<std::string> coloured;
  for (const ResidualCheck& one : result.details->residuals) {
    const std::optional<bool>& is_white =
        one.innovations ? one.innovations->is_white : one.is_white;
    if (is_white && !*is_white) coloured.push_back(one.sensor + " of " + one.channel);
    const double own = relative_rms(one).value_or(1);
    if (!(own > 0) || std::abs(std::log(own)) <= std::abs(std::log(rms))) continue;
    worst = &one;
    rms = own;
  }
  const double oddness = std::abs(std::log(rms));
  if (worst && oddness > std::log(odd_rms)) {
    const bool is_large = rms > 1;
    const std::string what = worst->innovations ? "Innovations" : "Residuals";
    const std::string model =
        worst->sensor == "effort" ? ", or add a friction term." : ", or extend the model.";
    out.push_back({.severity = oddness > std::log(wrong_rms) ? Severity::error : Severity::warning,
                   .topic = "diagnostics",
                   .text = what + " of " + worst->sensor + " of " + worst->channel + " are " +
                           formatted("%.2g", rms) + " times the configured noise. " +
                           noise_remedy(*worst, rms) + (is_large ? model : "."),
                   .numbers = {{"rms", rms}}});
  }
  if (coloured.empty()) return;
  out.push_back({.severity = Severity::warning,
                 .topic = "diagnostics",
                 .text = "Residuals are autocorrelated (" + listed(coloured) +
                         "): an effect is not modelled; std allows for it, std_white does not.",
                 .numbers = {{"channels", static_cast<double>(coloured.size())}}});
}

void diagnose_cones(const Result& result, std::vector<Verdict>& out) {
  if (!result.details) return;
  for (const ConeUse& one : result.details->cones) {
    if (!one.friction || one.share_outside <= tolerated_outside) continue;
    out.push_back({.severity = Severity::warning,
                   .topic = "diagnostics",
                   .text = "The force of contact " + one.contact +
                           " violates its friction cone in " + percent_text(one.share_outside) +
                           " of its contact time. Raise mu, or check logs[].phases.",
                   .numbers = {{"share", one.share_outside}, {"worst", one.worst}}});
  }
}

std::vector<Verdict> diagnostics(const Result& result) {
  std::vector<Verdict> out;
  diagnose_residuals(result, out);
  diagnose_cones(result, out);
  for (const std::vector<std::string>* list : {&result.findings, &result.warnings}) {
    for (const std::string& text : *list)
      out.push_back({.severity = Severity::warning, .topic = "diagnostics", .text = text});
  }
  if (out.empty()) out.push_back({.topic = "diagnostics", .text = "No warnings."});
  return out;
}

double share(double rmse, double range) {
  return range > 0 ? rmse / range : 0;
}

}  // namespace

const char* to_string(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "ok";
}

Verdict prediction_verdict(const std::vector<std::string>& joints, const EffortError& nominal,
                           const EffortError& identified, const std::string& where) {
  Verdict out{.topic = "prediction", .text = {}};
  double before = 0, after = 0, worst_share = -1;
  int count = 0;
  std::string worst;
  std::vector<std::string> worse;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    if (j >= identified.range.size() || !(identified.range[j] > 0)) continue;
    ++count;
    const double here = share(identified.rmse[j], identified.range[j]);
    before += share(nominal.rmse[j], nominal.range[j]);
    after += here;
    if (here > worst_share) worst = joints[i];
    worst_share = std::max(worst_share, here);
    if (identified.rmse[j] > nominal.rmse[j]) worse.push_back(joints[i]);
  }
  if (count == 0) return {.topic = "prediction", .text = "No effort to predict."};
  before /= count;
  after /= count;
  out.numbers = {{"nominal", before}, {"identified", after}, {"worst", worst_share}};
  out.text = "Effort prediction error " + where + ": " + percent_text(before) +
             " of the range before, " + percent_text(after) +
             " after (mean over joints; worst: " + worst + ", " + percent_text(worst_share) + ").";
  if (!worse.empty()) out.text += " Not improved: " + listed(worse) + ".";
  if (!worse.empty() || after > good_prediction) out.severity = Severity::warning;
  if (!(after < before) && after > 0.01) out.severity = Severity::error;
  return out;
}

std::vector<Verdict> make_verdict(const Result& result) {
  std::vector<Verdict> out{
      convergence(result),
      prediction_verdict(result.joints, result.nominal, result.identified, "on the logs used"),
      undetermined(result)};
  if (result.details) {
    for (Verdict& one : model_error_verdict(result.details->model_error))
      out.push_back(std::move(one));
  }
  for (Verdict& one : diagnostics(result)) out.push_back(std::move(one));
  sort_by_severity(out);
  return out;
}

std::vector<Verdict> validation_verdict(const std::vector<std::string>& joints,
                                        const EffortError& nominal, const EffortError& identified,
                                        const std::vector<std::string>& warnings) {
  std::vector<Verdict> out{prediction_verdict(joints, nominal, identified, "on held-out logs")};
  for (const std::string& text : warnings)
    out.push_back({.severity = Severity::warning, .topic = "diagnostics", .text = text});
  sort_by_severity(out);
  return out;
}

void sort_by_severity(std::vector<Verdict>& verdict) {
  std::ranges::stable_sort(verdict, {}, &Verdict::severity);
}

}  // namespace bayesid
