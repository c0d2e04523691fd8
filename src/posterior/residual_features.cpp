// SPDX-License-Identifier: BSD-3-Clause
#include "posterior/residual_features.hpp"

#include <algorithm>
#include <cmath>

namespace bayesid::posterior {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rare = 0.005;  // share of the samples beyond the last nodes

/// Evenly from one quantile to the other; none when the variable does not move.
VectorXd even_nodes(const VectorXd& x, Index count) {
  const double low = quantile(x, rare), high = quantile(x, 1 - rare);
  if (!(high - low > 1e-9 * (1 + std::abs(low)))) return VectorXd(0);
  return VectorXd::LinSpaced(count, low, high);
}

/// Dense near zero, where friction bends.
VectorXd speed_nodes(const VectorXd& v) {
  const double fastest = quantile(v.cwiseAbs(), 1 - rare);
  if (!(fastest > 0)) return VectorXd(0);
  VectorXd shares(13);
  shares << -1, -0.6, -0.3, -0.15, -0.06, -0.015, 0, 0.015, 0.06, 0.15, 0.3, 0.6, 1;
  return fastest * shares;
}

/// Columns of mean square 1; those without any effect are left out.
MatrixXd of_unit_size(const MatrixXd& from) {
  MatrixXd out(from.rows(), 0);
  const double largest = from.size() > 0 ? from.cwiseAbs().maxCoeff() : 0;
  for (Index c = 0; c < from.cols(); ++c) {
    const double size = std::sqrt(from.col(c).squaredNorm() / static_cast<double>(from.rows()));
    if (!(size > 1e-6 * largest)) continue;
    out.conservativeResize(Eigen::NoChange, out.cols() + 1);
    out.col(out.cols() - 1) = from.col(c) / size;
  }
  return out;
}

Candidate single(Cause cause, const char* variable, const VectorXd& x) {
  const double scale = std::sqrt(x.squaredNorm() / static_cast<double>(x.size()));
  if (!(scale > 0)) return {cause, variable, MatrixXd(x.size(), 0)};
  return {cause, variable, x / scale, {}, scale, {}};
}

/// Hats without their means: an offset is a finding of its own.
Candidate curve(Cause cause, const std::string& variable, const VectorXd& x,
                const VectorXd& nodes) {
  Candidate out{cause, variable, hats(x, nodes), nodes, 1, {}};
  out.used = out.features.colwise().mean();
  out.features.rowwise() -= out.used.transpose();
  return out;
}

/// Coulomb and viscous friction that change over the log: linearly and with a bend.
Candidate friction_drift(const ResidualSamples& samples) {
  const double fastest = quantile(samples.speed.cwiseAbs(), 1 - rare);
  const double start = samples.time[0], length = samples.time[samples.size() - 1] - start;
  if (!(fastest > 0) || !(length > 0))
    return {Cause::friction_drift, "speed over time", MatrixXd(samples.size(), 0)};
  constexpr double slope = 50;  // of the sign, per fastest speed
  const VectorXd sign = (slope / fastest * samples.speed).array().tanh();
  const VectorXd s = ((samples.time.array() - start) / length - 0.5) * std::sqrt(12.0);
  const VectorXd bend = s.array().square() - 1;
  MatrixXd X(samples.size(), 4);
  X << sign.cwiseProduct(s), samples.speed.cwiseProduct(s), sign.cwiseProduct(bend),
      samples.speed.cwiseProduct(bend);
  return {Cause::friction_drift, "speed over time", of_unit_size(X)};
}

/// An error of the variable is in the residual too, which then follows the variable by itself: at
/// most this share of it.                                          docs/math/model_error.md (3a)
bool is_precise(const VectorXd& x, const VectorXd& std) {
  constexpr double most = 0.05;
  if (std.size() == 0) return true;
  return std.squaredNorm() <= most * (x.array() - x.mean()).square().sum();
}

}  // namespace

double quantile(VectorXd values, double share) {
  const auto place =
      values.begin() + static_cast<Index>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

MatrixXd hats(const VectorXd& x, const VectorXd& nodes) {
  MatrixXd out = MatrixXd::Zero(x.size(), nodes.size());
  if (nodes.size() < 2) return MatrixXd(x.size(), 0);
  for (Index k = 0; k < x.size(); ++k) {
    const double at = std::clamp(x[k], nodes[0], nodes[nodes.size() - 1]);
    const auto above = std::upper_bound(nodes.begin(), nodes.end() - 1, at);
    const Index i = std::max<Index>(1, above - nodes.begin());
    const double share = (at - nodes[i - 1]) / (nodes[i] - nodes[i - 1]);
    out(k, i - 1) = 1 - share;
    out(k, i) = share;
  }
  return out;
}

std::vector<Candidate> make_candidates(const ResidualSamples& samples) {
  constexpr Index num_angles = 10, num_times = 6, num_others = 5;
  std::vector<Candidate> out;
  if (is_precise(samples.predicted, samples.expected_std))
    out.push_back(single(Cause::effort, "effort", samples.predicted));
  if (is_precise(samples.acceleration, samples.acceleration_std))
    out.push_back(single(Cause::acceleration, "acceleration", samples.acceleration));
  out.push_back(friction_drift(samples));
  out.push_back({Cause::payload, "payload", of_unit_size(samples.payload)});
  out.push_back(curve(Cause::speed, "speed", samples.speed, speed_nodes(samples.speed)));
  out.push_back(curve(Cause::angle, "angle", samples.angle, even_nodes(samples.angle, num_angles)));
  out.push_back(curve(Cause::time, "time", samples.time, even_nodes(samples.time, num_times)));
  for (size_t i = 0; i < samples.others.size(); ++i) {
    const VectorXd angle = samples.other_angles.col(static_cast<Index>(i));
    out.push_back(curve(Cause::other_angle, "angle of " + samples.others[i], angle,
                        even_nodes(angle, num_others)));
  }
  std::erase_if(out, [](const Candidate& one) { return one.features.cols() == 0; });
  return out;
}

}  // namespace bayesid::posterior
