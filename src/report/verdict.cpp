// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/report/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bayesid/report/result.hpp"
#include "report/words.hpp"

namespace bayesid {

namespace {

constexpr double good_prediction = 0.1;     // of the range
constexpr double odd_rms = 1.5;             // or its inverse: the noise was stated wrong …
constexpr double wrong_rms = 3;             // … by so much that error bars mean nothing
constexpr double tolerated_outside = 0.05;  // of the time a contact is closed

Verdict convergence(const Result& result) {
  std::string status = to_string(result.status);
  std::replace(status.begin(), status.end(), '_', ' ');
  Verdict out{
      .topic = "convergence",
      .text = status + " after " + counted(result.history.size(), "iteration", "iterations"),
      .numbers = {{"iterations", static_cast<double>(result.history.size())}}};
  if (result.status == Status::converged) return out;
  out.light = Light::red;
  out.text = "not converged: " + out.text + "; numbers and error bars are those of the last step";
  if (!result.message.empty()) out.text += " (" + result.message + ")";
  return out;
}

/// What these logs do not show though some motion would, and what nothing can show.
Verdict unseen(const Result& result) {
  const Identifiability& from = result.identifiability;
  std::size_t kept = 0, free = 0;
  for (const Estimate& one : result.posterior.physical) {
    if (one.prior_std <= 0) continue;
    ++free;
    kept += one.seen < least_determined ? 1 : 0;
  }
  Verdict out{.topic = "unseen", .text = {}};
  out.numbers = {{"structural_rank", from.structural_rank},
                 {"log_rank", from.log_rank},
                 {"values", static_cast<double>(free)},
                 {"values_unseen", static_cast<double>(kept)}};
  out.text = "the logs show " + std::to_string(from.log_rank) + " of the " +
             std::to_string(from.structural_rank) +
             " combinations of parameters that motions can show; " + std::to_string(kept) + " of " +
             std::to_string(free) + " values rest on the prior";
  const UnseenDirection* simplest = nullptr;
  for (const UnseenDirection& one : from.unseen) {
    if (one.is_structural) continue;
    if (!simplest || one.text.size() < simplest->text.size()) simplest = &one;
  }
  if (simplest || from.log_rank < from.structural_rank) out.light = Light::yellow;
  if (simplest) out.text += "; not seen: " + simplest->text + " (" + simplest->motion + ")";
  return out;
}

/// Root mean square of a channel, 1 where noise and model are right: of innovations where it has
/// them; nothing else is as sensitive to noise stated wrong.
std::optional<double> judged_rms(const ResidualCheck& from) {
  if (from.innovations) {
    const InnovationCheck& check = *from.innovations;
    const bool is_chance = check.mean_square > check.lower && check.mean_square < check.upper;
    return is_chance ? 1 : std::sqrt(check.mean_square);
  }
  return from.expected ? std::optional(from.rms) : std::nullopt;
}

/// Channels whose samples are not what the stated noise makes one expect.
void doubt_residuals(const Result& result, std::vector<Verdict>& out) {
  if (!result.details) return;
  const ResidualCheck* worst = nullptr;
  double rms = 1;
  std::vector<std::string> coloured;
  for (const ResidualCheck& one : result.details->residuals) {
    const std::optional<bool>& is_white =
        one.innovations ? one.innovations->is_white : one.is_white;
    if (is_white && !*is_white) coloured.push_back(one.sensor + " of " + one.channel);
    const double own = judged_rms(one).value_or(1);
    if (!(own > 0) || std::abs(std::log(own)) <= std::abs(std::log(rms))) continue;
    worst = &one;
    rms = own;
  }
  const double oddness = std::abs(std::log(rms));
  if (worst && oddness > std::log(odd_rms)) {
    const bool is_large = rms > 1;
    const std::string what = worst->innovations ? "innovations" : "residuals";
    out.push_back({.light = oddness > std::log(wrong_rms) ? Light::red : Light::yellow,
                   .topic = "doubts",
                   .text = what + " of " + worst->sensor + " of " + worst->channel + " are " +
                           formatted("%.2g", rms) + " times what the stated noise explains: " +
                           (is_large ? "it is stated too small, or the model lacks something"
                                     : "it is stated too large"),
                   .numbers = {{"rms", rms}}});
  }
  if (coloured.empty()) return;
  out.push_back({.light = Light::yellow,
                 .topic = "doubts",
                 .text = "innovations or residuals are not white: " + listed(coloured) +
                         "; the model lacks something that moves slowly",
                 .numbers = {{"channels", static_cast<double>(coloured.size())}}});
}

void doubt_cones(const Result& result, std::vector<Verdict>& out) {
  if (!result.details) return;
  for (const ConeUse& one : result.details->cones) {
    if (!one.friction || one.share_outside <= tolerated_outside) continue;
    out.push_back({.light = Light::yellow,
                   .topic = "doubts",
                   .text = "the force of contact " + one.contact + " leaves its friction cone in " +
                           percent_text(one.share_outside) + " of the time it is closed",
                   .numbers = {{"share", one.share_outside}, {"worst", one.worst}}});
  }
}

std::vector<Verdict> doubts(const Result& result) {
  std::vector<Verdict> out;
  doubt_residuals(result, out);
  doubt_cones(result, out);
  for (const std::vector<std::string>* list : {&result.findings, &result.warnings}) {
    for (const std::string& text : *list)
      out.push_back({.light = Light::yellow, .topic = "doubts", .text = text});
  }
  if (out.empty()) out.push_back({.topic = "doubts", .text = "nothing looks wrong"});
  return out;
}

double share(double rmse, double range) {
  return range > 0 ? rmse / range : 0;
}

}  // namespace

const char* to_string(Light light) {
  return light == Light::red ? "red" : light == Light::yellow ? "yellow" : "green";
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
  if (count == 0) return {.topic = "prediction", .text = "no effort to predict"};
  before /= count;
  after /= count;
  out.numbers = {{"nominal", before}, {"identified", after}, {"worst", worst_share}};
  out.text = "error of predicted efforts " + where + ": " + percent_text(before) +
             " of their range before, " + percent_text(after) +
             " after, mean over joints; worst is " + worst + " with " + percent_text(worst_share);
  if (!worse.empty()) out.text += "; no better than before: " + listed(worse);
  if (!worse.empty() || after > good_prediction) out.light = Light::yellow;
  if (!(after < before) && after > 0.01) out.light = Light::red;
  return out;
}

std::vector<Verdict> make_verdict(const Result& result) {
  std::vector<Verdict> out{
      convergence(result),
      prediction_verdict(result.joints, result.nominal, result.identified, "on the logs used"),
      unseen(result)};
  for (Verdict& one : doubts(result)) out.push_back(std::move(one));
  sort_by_light(out);
  return out;
}

std::vector<Verdict> validation_verdict(const std::vector<std::string>& joints,
                                        const EffortError& nominal, const EffortError& identified,
                                        const std::vector<std::string>& warnings) {
  std::vector<Verdict> out{prediction_verdict(joints, nominal, identified, "on held-out logs")};
  for (const std::string& text : warnings)
    out.push_back({.light = Light::yellow, .topic = "doubts", .text = text});
  sort_by_light(out);
  return out;
}

void sort_by_light(std::vector<Verdict>& verdict) {
  std::ranges::stable_sort(verdict, {}, &Verdict::light);
}

}  // namespace bayesid
