// SPDX-License-Identifier: BSD-3-Clause
// From a curve that explains a residual to the usual suspect behind it.
#include "posterior/residual_suspects.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double root_mean_square(const VectorXd& x) {
  return std::sqrt(x.squaredNorm() / static_cast<double>(std::max<Index>(1, x.size())));
}

double correlation(const VectorXd& x, const VectorXd& y) {
  const VectorXd dx = x.array() - x.mean(), dy = y.array() - y.mean();
  const double size = dx.norm() * dy.norm();
  return size > 0 ? dx.dot(dy) / size : 0;
}

/// How a curve over speed looks: parts that change and that keep their sign with the speed, and how
/// much of the former Coulomb and viscous friction would explain.
struct SpeedShape {
  double odd = 0, even = 0;  // mean squares over the samples
  double linear = 0;         // share of `odd` of the form a + b |v|
  double slow = 0;           // its largest value near zero speed …
  double slow_speed = 0;     // … and where
};

SpeedShape shape_of(const Candidate& candidate, const VectorXd& coefficients) {
  const VectorXd& nodes = candidate.nodes;
  const VectorXd& used = candidate.used;
  const Index count = nodes.size(), middle = count / 2;
  const double mean = used.dot(coefficients) / used.sum();
  SpeedShape out;
  Eigen::Matrix2d A = 1e-12 * Eigen::Matrix2d::Identity();
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  for (Index i = middle + 1; i < count; ++i) {
    const double right = coefficients[i] - mean, left = coefficients[count - 1 - i] - mean;
    const double odd = 0.5 * (right - left), even = 0.5 * (right + left);
    const double weight = used[i] + used[count - 1 - i];
    const Eigen::Vector2d row(1, nodes[i] / nodes[count - 1]);
    out.odd += weight * odd * odd;
    out.even += weight * even * even;
    A += weight * row * row.transpose();
    b += weight * odd * row;
    if (weight > 0 && std::abs(odd) > std::abs(out.slow)) {
      out.slow = odd;
      out.slow_speed = nodes[i];
    }
  }
  if (out.odd > 0) out.linear = b.dot(A.ldlt().solve(b)) / out.odd;
  return out;
}

/// Largest minus smallest value of a curve over its nodes, halved.
double half_range(const VectorXd& coefficients) {
  return coefficients.size() > 0 ? 0.5 * (coefficients.maxCoeff() - coefficients.minCoeff()) : 0;
}

void name_speed(const Candidate& candidate, const VectorXd& coefficients, ModelErrorFinding& out) {
  constexpr double straight = 0.7;
  const SpeedShape shape = shape_of(candidate, coefficients);
  if (shape.even > shape.odd) {
    out.kind = "direction";
    out.size = half_range(coefficients);
    return;
  }
  out.kind = shape.linear > straight ? "friction" : "stribeck";
  out.size = std::abs(shape.slow);
  out.numbers["speed"] = shape.slow_speed;
}

/// Friction at the end of the log less that at its start, from the line alone.
void name_friction_drift(const ResidualSamples& samples, const VectorXd& effect,
                         ModelErrorFinding& out) {
  const double fastest = quantile(samples.speed.cwiseAbs(), 0.9);
  const Index tenth = std::max<Index>(1, samples.size() / 10);
  const auto friction = [&](Index first) {
    double sum = 0, count = 0;
    for (Index k = first; k < first + tenth; ++k) {
      if (std::abs(samples.speed[k]) < 0.1 * fastest) continue;
      sum += samples.speed[k] > 0 ? effect[k] : -effect[k];
      ++count;
    }
    return count > 0 ? sum / count : 0;
  };
  out.kind = "friction_drift";
  out.numbers["change"] = friction(samples.size() - tenth) - friction(0);
  out.size = std::abs(out.numbers["change"]);
}

void name_effort(const Candidate& candidate, const VectorXd& coefficients, const VectorXd& effect,
                 ModelErrorFinding& out) {
  constexpr double large = 0.3;
  const double factor = 1 + coefficients[0] / candidate.scale;  // measured / predicted
  out.kind = std::abs(factor - 1) > large ? "ratio" : "gain";
  out.numbers["factor"] = factor;
  out.size = root_mean_square(effect);
}

}  // namespace

ModelErrorFinding name_suspect(const ResidualSamples& samples, const Candidate& candidate,
                               const VectorXd& coefficients, double share) {
  ModelErrorFinding out{.joint = samples.joint, .unit = samples.unit, .share = share};
  const VectorXd effect = candidate.features * coefficients;
  const bool slides = samples.angle_unit == "m";
  switch (candidate.cause) {
    case Cause::effort:
      name_effort(candidate, coefficients, effect, out);
      break;
    case Cause::acceleration:
      out.kind = "inertia";
      out.numbers["inertia"] = coefficients[0] / candidate.scale;
      out.size = root_mean_square(effect);
      break;
    case Cause::friction_drift:
      name_friction_drift(samples, effect, out);
      break;
    case Cause::ripple:
      out.kind = "ripple";
      out.size = std::numbers::sqrt2 * coefficients.norm();
      if (slides) {
        out.numbers["periods_per_metre"] = candidate.scale / (2 * std::numbers::pi);
      } else {
        out.numbers["periods_per_turn"] = candidate.scale;
      }
      break;
    case Cause::payload:
      out.kind = "gravity";
      out.size = root_mean_square(effect);
      break;
    case Cause::speed:
      name_speed(candidate, coefficients, out);
      break;
    case Cause::angle:
      out.kind = "cable";
      out.size = half_range(coefficients);
      break;
    case Cause::time:
      out.kind = "drift";
      out.numbers["change"] = coefficients[coefficients.size() - 1] - coefficients[0];
      out.size = half_range(coefficients);
      break;
    case Cause::other_angle:
      out.kind = "coupling";
      out.other = candidate.variable.substr(std::string("angle of ").size());
      out.size = half_range(coefficients);
      break;
  }
  add_words(out);
  return out;
}

ModelErrorFinding offset_suspect(const ResidualSamples& samples, const Target& target,
                                 double share) {
  ModelErrorFinding out{
      .joint = samples.joint, .unit = samples.unit, .kind = "offset", .share = share};
  const double mean = target.weight.dot(target.y) / target.weight.sum();
  out.numbers["offset"] = mean;
  out.size = std::abs(mean);
  add_words(out);
  return out;
}

ModelErrorFinding elastic_suspect(const ResidualSamples& samples, const Resonance& peak) {
  ModelErrorFinding out{
      .joint = samples.joint, .unit = samples.unit, .kind = "elasticity", .share = peak.share};
  out.size = peak.amplitude;
  out.numbers["frequency"] = peak.frequency;
  add_words(out);
  return out;
}

ModelErrorFinding sign_suspect(const ResidualSamples& samples, double share) {
  ModelErrorFinding out{
      .joint = samples.joint, .unit = samples.unit, .kind = "sign", .share = share};
  const VectorXd measured = samples.residual + samples.predicted;
  out.numbers["correlation"] =
      std::min(correlation(measured, samples.predicted), correlation(measured, samples.nominal));
  out.size = root_mean_square(samples.residual);
  add_words(out);
  return out;
}

bool has_wrong_sign(const ResidualSamples& samples) {
  constexpr double clear = -0.7;
  const VectorXd measured = samples.residual + samples.predicted;
  return std::min(correlation(measured, samples.predicted),
                  correlation(measured, samples.nominal)) < clear;
}

void judge_payload(std::vector<JointResidual>& joints,
                   const std::vector<ResidualSamples>& samples) {
  constexpr double little = 0.01;  // of the largest effort of a unit mass
  std::vector<ModelErrorFinding*> found;
  for (JointResidual& joint : joints) {
    for (ModelErrorFinding& one : joint.findings) {
      if (one.kind == "gravity") found.push_back(&one);
    }
  }
  double largest = 0;
  for (const ResidualSamples& one : samples) {
    if (one.payload.size() > 0) largest = std::max(largest, one.payload.cwiseAbs().maxCoeff());
  }
  const auto loaded = std::ranges::count_if(samples, [&](const ResidualSamples& one) {
    return one.payload.size() > 0 && one.payload.cwiseAbs().maxCoeff() > little * largest;
  });
  if (found.size() != 1 || loaded < 2) return;
  found[0]->kind = "cable";
  add_words(*found[0]);
}

}  // namespace bayesid::posterior
