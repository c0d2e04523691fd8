// SPDX-License-Identifier: BSD-3-Clause
#include "report/residual_checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "report/units.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int num_lags = 20;
constexpr int num_bins = 40;
constexpr double widest = 5;  // of the histogram, in standard deviations

/// Residuals of one channel in all trajectories.
struct Channel {
  std::string sensor, channel;
  int velocity = -1;
  std::vector<std::vector<double>> r;  // in stated standard deviations
  double taken = 0;                    // Σ h
  bool is_taken_known = false;
  int samples() const {
    int out = 0;
    for (const std::vector<double>& one : r) out += static_cast<int>(one.size());
    return out;
  }
};

/// Std of the state over that of the encoder, squared; h of an encoder's sample.
double taken_share(const RobotProblem& problem, const ChannelResiduals& from, size_t i,
                   const MatrixXd& state_std) {
  const bool is_position = from.sensor == "position";
  const int row = from.velocity + (is_position ? 0 : problem.dynamics().nv());
  const VectorXd& noise = is_position ? problem.noise().position : problem.noise().velocity;
  const double share = state_std(row, from.node[i]) / noise[from.velocity];
  return std::min(1.0, share * share);
}

std::vector<Channel> collect(const RobotProblem& problem, const Solution& solution,
                             const std::vector<MatrixXd>& state_std) {
  std::vector<Channel> out;
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const std::vector<ChannelResiduals> all =
        problem.residuals(solution.point.theta, t, solution.point.paths[t]);
    for (const ChannelResiduals& one : all) {
      const auto [place, is_new] = places.try_emplace({one.sensor, one.channel}, out.size());
      if (is_new) out.push_back({.sensor = one.sensor, .channel = one.channel, .r = {}});
      Channel& channel = out[place->second];
      channel.velocity = one.velocity;
      channel.is_taken_known = one.sensor == "position" || one.sensor == "velocity";
      for (size_t i = 0; channel.is_taken_known && i < one.r.size(); ++i)
        channel.taken += taken_share(problem, one, i, state_std[t]);
      channel.r.push_back(one.r);
    }
  }
  return out;
}

double squares_of(const Channel& from) {
  double out = 0;
  for (const std::vector<double>& all : from.r) {
    for (const double r : all) out += r * r;
  }
  return out;
}

/// Σ (w/σ)² of the disturbances of one joint.
double disturbance_of(const RobotProblem& problem, const EstimatedMotion& motion, int j) {
  const Noise& noise = problem.noise();
  const int nv = problem.dynamics().nv();
  double out = 0;
  for (const MatrixXd& w : motion.disturbance) {
    out += w.row(j).squaredNorm() / std::pow(noise.disturbance_position[j], 2);
    out += w.row(nv + j).squaredNorm() / std::pow(noise.disturbance_velocity[j], 2);
  }
  return out;
}

/// Expected Σ r² of arrivals and of the prior, for each velocity alike.
double expected_of_others(const RobotProblem& problem, const Posterior& posterior,
                          const EstimatedMotion& motion) {
  double out = 0;
  for (const Estimate& one : posterior.parameters) out += one.seen;
  const Noise& noise = problem.noise();
  const int nv = problem.dynamics().nv();
  for (const MatrixXd& std : motion.state_std) {
    const VectorXd q = std.col(0).head(nv).cwiseQuotient(noise.initial_position);
    const VectorXd v = std.col(0).segment(nv, nv).cwiseQuotient(noise.initial_velocity);
    out += 2 * nv - q.cwiseMin(1).squaredNorm() - v.cwiseMin(1).squaredNorm();
  }
  return out / nv;
}

/// As many residuals are free as motion sensors have samples: what those of a joint lack, its
/// effort and its disturbances have together. Holds for joints that encoders alone see and nothing
/// ties to others but the mass matrix.
void expect_efforts(const RobotProblem& problem, const Posterior& posterior,
                    const EstimatedMotion& motion, std::vector<Channel>& channels) {
  const bool is_free =
      problem.options().constraints.empty() && !problem.dynamics().robot().floating;
  const bool has_others = std::ranges::any_of(
      channels, [](const Channel& one) { return one.sensor != "effort" && !one.is_taken_known; });
  if (!is_free || has_others) return;
  const double others = expected_of_others(problem, posterior, motion);
  for (Channel& effort : channels) {
    if (effort.sensor != "effort") continue;
    double expected = -others;
    for (const Channel& one : channels) {
      if (one.sensor != "effort" && one.velocity == effort.velocity) expected += one.taken;
    }
    const double own = squares_of(effort), n = effort.samples();
    const double found = own + disturbance_of(problem, motion, effort.velocity);
    if (!(expected > 0) || !(found > 0)) continue;
    effort.taken = n - own * expected / found;
    effort.is_taken_known = effort.taken < n;
  }
}

/// Mean of r_k r_{k+lag} over all trajectories, beside that of lag 0.
std::vector<double> autocorrelation(const Channel& from, double mean) {
  std::vector<double> sums(num_lags + 1, 0.0);
  for (const std::vector<double>& r : from.r) {
    for (size_t lag = 0; lag <= num_lags; ++lag) {
      for (size_t k = lag; k < r.size(); ++k) sums[lag] += (r[k] - mean) * (r[k - lag] - mean);
    }
  }
  std::vector<double> out;
  for (int lag = 1; lag <= num_lags; ++lag) out.push_back(sums[0] > 0 ? sums[lag] / sums[0] : 0);
  return out;
}

/// Residuals of a linear estimate are σ²(1 − H): |ρ| ≤ h/(1 − h), beside chance and what does not
/// matter.
std::optional<bool> is_white(const std::vector<double>& rho, int samples, double h) {
  constexpr double matters = 0.1, chance = 3, most_taken = 0.45;
  if (h > most_taken || samples <= 2 * num_lags) return std::nullopt;
  const double bound = h / (1 - h) + std::max(matters, chance / std::sqrt(samples));
  return std::ranges::all_of(rho, [&](double one) { return std::abs(one) <= bound; });
}

void fill_histogram(const Channel& from, double scale, ResidualCheck& out) {
  out.counts.assign(num_bins, 0);
  for (const std::vector<double>& all : from.r) {
    for (const double r : all) {
      const double place = (r / scale + widest) / (2 * widest) * num_bins;
      if (!(place >= 0)) {
        ++out.below;
      } else if (place >= num_bins) {
        ++out.above;
      } else {
        ++out.counts[static_cast<size_t>(place)];
      }
    }
  }
}

std::string unit_of(const Robot& robot, const Channel& channel) {
  if (channel.velocity >= 0) {
    const Joint& joint = robot.joints[channel.velocity - robot.base_nv()];
    if (channel.sensor == "effort") return effort_unit(joint);
    return position_unit(joint) + (channel.sensor == "velocity" ? "/s" : "");
  }
  const char kind = channel.channel.empty() ? ' ' : channel.channel[0];
  if (channel.sensor == "energy") return "J";
  if (channel.sensor.starts_with("imu."))
    return kind == 'a' ? "m/s²" : kind == 'w' ? "rad/s" : "rad";
  if (channel.sensor.starts_with("pose.")) return kind == 'p' ? "m" : "rad";
  return channel.sensor.starts_with("wrench.") ? (kind == 'f' ? "N" : "N·m") : "";
}

ResidualCheck check(const Robot& robot, const Channel& from) {
  ResidualCheck out{.sensor = from.sensor,
                    .channel = from.channel,
                    .unit = unit_of(robot, from),
                    .samples = from.samples()};
  double sum = 0;
  for (const std::vector<double>& all : from.r) sum += std::accumulate(all.begin(), all.end(), 0.0);
  const double n = std::max(1, out.samples), h = from.taken / n;
  double scale = 1;
  if (from.is_taken_known && h < 1) out.expected = scale = std::sqrt(1 - h);
  out.stated = std::sqrt(squares_of(from) / n);
  out.mean = sum / n / scale;
  out.rms = out.stated / scale;
  fill_histogram(from, scale, out);
  out.autocorrelation = autocorrelation(from, sum / n);
  if (out.expected) out.is_white = is_white(out.autocorrelation, out.samples, h);
  return out;
}

}  // namespace

std::vector<ResidualCheck> make_residual_checks(const RobotProblem& problem,
                                                const Solution& solution,
                                                const Posterior& posterior,
                                                const EstimatedMotion& motion) {
  std::vector<Channel> channels = collect(problem, solution, motion.state_std);
  expect_efforts(problem, posterior, motion, channels);
  std::vector<ResidualCheck> out;
  for (const Channel& one : channels) out.push_back(check(problem.dynamics().robot(), one));
  return out;
}

}  // namespace bayesid
