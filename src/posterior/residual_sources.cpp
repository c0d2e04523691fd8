// SPDX-License-Identifier: BSD-3-Clause
// Which variables explain the effort residuals. docs/math/model_error.md
#include "posterior/residual_sources.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posterior/held_out_fit.hpp"
#include "posterior/residual_curves.hpp"
#include "posterior/residual_features.hpp"
#include "posterior/residual_suspects.hpp"
#include "posterior/resonance_search.hpp"
#include "posterior/ripple_search.hpp"

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index fewest_samples = 200;
constexpr int most_findings = 5;
constexpr double least_share = 0.02;  // of a residual's mean square
constexpr double clear = 4;           // times what chance does
constexpr double as_good = 0.9;       // of the largest gain: the simpler explanation is taken

/// Samples whose prediction is uncertain count less than the usual ones, none counts more.
Target make_target(const ResidualSamples& samples) {
  Target out{samples.residual, VectorXd::Ones(samples.size())};
  const double usual = quantile(samples.expected_std, 0.5);
  if (!(usual > 0)) return out;
  for (Index k = 0; k < out.size(); ++k)
    out.weight[k] = std::pow(std::min(1.0, usual / samples.expected_std[k]), 2);
  return out;
}

/// Correlations with the 20 samples before, against what chance does.
std::optional<bool> is_white(const std::vector<ResidualRun>& runs) {
  constexpr Index num_lags = 20;
  constexpr double matters = 0.1, chance = 3.5;
  double n = 0, mean = 0, variance = 0;
  for (const ResidualRun& run : runs) {
    n += static_cast<double>(run.residual.size());
    mean += run.residual.sum();
  }
  if (n < fewest_samples) return std::nullopt;
  mean /= n;
  VectorXd sums = VectorXd::Zero(num_lags);
  for (const ResidualRun& run : runs) {
    const VectorXd r = run.residual.array() - mean;
    variance += r.squaredNorm();
    for (Index lag = 1; lag <= std::min(num_lags, r.size() - 1); ++lag)
      sums[lag - 1] += r.tail(r.size() - lag).dot(r.head(r.size() - lag));
  }
  return sums.cwiseAbs().maxCoeff() <= std::max(matters, chance / std::sqrt(n)) * variance;
}

/// A candidate and what it explains beyond the features that are taken.
struct Explanation {
  Candidate candidate;
  HeldOutGain gain;
};

bool is_clear(const HeldOutGain& gain) {
  return gain.share > least_share && gain.significance > clear;
}

std::vector<Explanation> explanations(const ResidualSamples& samples, const Target& target,
                                      const std::vector<Candidate>& candidates,
                                      const MatrixXd& taken) {
  std::vector<Explanation> out;
  for (const Candidate& one : candidates)
    out.push_back({one, held_out_gain(target, taken, {one.features})});
  const Target left{target.y - taken * fit_features(target, taken), target.weight};
  if (const std::optional<RippleFit> wave = find_ripple(samples.angle, left)) {
    Explanation& ripple = out.emplace_back();
    ripple.candidate = {.cause = Cause::ripple,
                        .variable = "ripple",
                        .features = wave->features,
                        .scale = wave->rate};
    ripple.gain = held_out_gain(target, taken, wave->per_fold);
  }
  return out;
}

/// The simplest of those that are about as good as the best; null: none is clear.
const Explanation* choose(const std::vector<Explanation>& all) {
  double best = 0;
  for (const Explanation& one : all) {
    if (is_clear(one.gain)) best = std::max(best, one.gain.share);
  }
  const Explanation* out = nullptr;
  for (const Explanation& one : all) {
    if (!is_clear(one.gain) || one.gain.share < as_good * best) continue;
    if (!out || one.candidate.cause < out->candidate.cause ||
        (one.candidate.cause == out->candidate.cause && one.gain.share > out->gain.share))
      out = &one;
  }
  return out;
}

/// The residual that the findings leave, in runs; of thinned logs the residual itself.
std::vector<ResidualRun> remainder(const ResidualSamples& samples, const VectorXd& explained) {
  std::vector<ResidualRun> out = samples.runs;
  if (samples.is_thinned) return out;
  Index first = 0;
  for (ResidualRun& run : out) {
    run.residual -= explained.segment(first, run.residual.size());
    first += run.residual.size();
  }
  return out;
}

MatrixXd beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd out(left.rows(), left.cols() + right.cols());
  out << left, right;
  return out;
}

/// Explanations that were taken, one after the other.
struct Taken {
  std::vector<Explanation> all;
  MatrixXd offset, features;  // a column of ones; those of all explanations

  explicit Taken(Index samples) : offset(MatrixXd::Ones(samples, 1)), features(samples, 0) {}
  void add(const Explanation& one) {
    all.push_back(one);
    features = beside(features, one.candidate.features);
  }
};

/// One by one, the explanation that is worth most beyond those before.
Taken take_explanations(const ResidualSamples& samples, const Target& target,
                        std::vector<Explanation> all) {
  std::vector<Candidate> candidates = make_candidates(samples);
  Taken out(samples.size());
  while (const Explanation* best = choose(all)) {
    out.add(*best);
    if (std::ssize(out.all) == most_findings) break;
    std::erase_if(candidates, [&](const Candidate& one) {
      return one.variable == out.all.back().candidate.variable;
    });
    all = explanations(samples, target, candidates, beside(out.offset, out.features));
  }
  return out;
}

/// Names, sizes and shares. Without a clear offset, the mean belongs to what else explains it.
void add_findings(const ResidualSamples& samples, const Target& target, Taken& taken,
                  JointResidual& out) {
  const HeldOutGain beyond = held_out_gain(target, taken.features, {taken.offset});
  const HeldOutGain alone = held_out_gain(target, MatrixXd(target.size(), 0), {taken.offset});
  if (is_clear(beyond) && is_clear(alone))
    out.findings.push_back(offset_suspect(samples, target, std::min(beyond.share, alone.share)));
  if (!is_clear(beyond)) taken.offset.resize(Eigen::NoChange, 0);
  const VectorXd coefficients = fit_features(target, beside(taken.offset, taken.features));
  MatrixXd base = taken.offset;
  for (const Explanation& one : taken.all) {
    const MatrixXd& features = one.candidate.features;
    const HeldOutGain gain = one.candidate.cause == Cause::ripple
                                 ? one.gain  // with the rate of each fold
                                 : held_out_gain(target, base, {features});
    out.findings.push_back(name_suspect(
        samples, one.candidate, coefficients.segment(base.cols(), features.cols()), gain.share));
    base = beside(base, features);
    if (gain.share < least_share) out.findings.pop_back();  // the mean was what it explained
    if (one.candidate.cause == Cause::ripple)
      out.curves.push_back(phase_curve(samples, one.candidate.scale));
  }
  const VectorXd explained = base * coefficients;
  if (const std::optional<Resonance> peak = find_resonance(remainder(samples, explained))) {
    out.dependences.push_back({"frequency", peak->share, peak->significance});
    if (peak->share > least_share) out.findings.push_back(elastic_suspect(samples, *peak));
  }
  std::ranges::stable_sort(out.findings, std::ranges::greater{}, &ModelErrorFinding::share);
}

double share_of(const std::vector<Explanation>& all, Cause cause) {
  for (const Explanation& one : all) {
    if (one.candidate.cause == cause) return one.gain.share;
  }
  return 0;
}

}  // namespace

JointResidual locate_sources(const ResidualSamples& samples) {
  JointResidual out{.joint = samples.joint,
                    .unit = samples.unit,
                    .samples = static_cast<int>(samples.size()),
                    .is_white = is_white(samples.runs)};
  const auto n = static_cast<double>(samples.size());
  out.rms = std::sqrt(samples.residual.squaredNorm() / n);
  out.expected_rms = std::sqrt(samples.expected_std.squaredNorm() / n);
  out.curves = residual_curves(samples);
  out.spectra = residual_spectra(samples);
  if (samples.size() < fewest_samples || !(out.rms > 0)) return out;

  const Target target = make_target(samples);
  const MatrixXd nothing(samples.size(), 0), ones = MatrixXd::Ones(samples.size(), 1);
  const HeldOutGain offset = held_out_gain(target, nothing, {ones});
  out.dependences.push_back({"offset", offset.share, offset.significance});
  std::vector<Explanation> all = explanations(samples, target, make_candidates(samples), ones);
  for (const Explanation& one : all)
    out.dependences.push_back({one.candidate.variable, one.gain.share, one.gain.significance});
  if (has_wrong_sign(samples)) {
    out.findings = {sign_suspect(samples, share_of(all, Cause::effort))};
    return out;  // nothing else means anything
  }
  Taken taken = take_explanations(samples, target, std::move(all));
  add_findings(samples, target, taken, out);
  return out;
}

}  // namespace bayesid::posterior

namespace bayesid {

std::vector<JointResidual> locate_model_error(const RobotProblem& problem,
                                              const std::vector<EffortPrediction>& predictions,
                                              const std::vector<Eigen::MatrixXd>& expected_std) {
  const std::vector<posterior::ResidualSamples> samples =
      posterior::make_residual_samples(problem, predictions, expected_std);
  std::vector<JointResidual> out;
  for (const posterior::ResidualSamples& one : samples)
    out.push_back(posterior::locate_sources(one));
  posterior::judge_payload(out, samples);
  return out;
}

}  // namespace bayesid
