// SPDX-License-Identifier: BSD-3-Clause
#include "problem/inputs.hpp"

#include <algorithm>
#include <cmath>

#include "math/median_step.hpp"
#include "math/savitzky_golay.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

void read_recorded(const Dynamics& dynamics, const Recording& recording, Index sample,
                   VectorXd& out) {
  const int nv = dynamics.nv();
  out.head(nv) = recording.effort.col(sample);
  if (dynamics.num_rotors() > 0)
    out.segment(nv, dynamics.num_rotors()) = recording.thrust.col(sample);
  if (dynamics.num_presliding() > 0) {
    out.segment(dynamics.num_efforts(), dynamics.num_presliding()) =
        recording.presliding.col(sample);
  }
}

}  // namespace

void read_inputs(const Dynamics& dynamics, const PhysicalParameters& eta,
                 const Recording& recording, Index sample, double after, VectorXd& out) {
  read_recorded(dynamics, recording, sample, out);
  if (!dynamics.has_effort_delay()) return;
  const auto rates = recording.effort_rate.col(sample);
  out.head(dynamics.nv()) += (after + dynamics.effort_delay(eta)) * rates;
  out.tail(dynamics.nv()) = rates;
}

VectorXd inputs_at(const Dynamics& dynamics, const Recording& recording, Index sample) {
  VectorXd out = VectorXd::Zero(dynamics.num_inputs());
  read_recorded(dynamics, recording, sample, out);
  return out;
}

VectorXd inputs_at(const Dynamics& dynamics, const PhysicalParameters& eta,
                   const Recording& recording, Index sample, double after) {
  VectorXd out(dynamics.num_inputs());
  read_inputs(dynamics, eta, recording, sample, after, out);
  return out;
}

MatrixXd effort_rates(const Recording& recording) {
  constexpr int order = 3, fewest = 5;  // samples on either side …
  constexpr double shortest = 0.012;    // … and seconds
  const Index n = recording.num_samples();
  MatrixXd out = MatrixXd::Zero(recording.effort.rows(), n);
  if (n <= order) return out;
  const double step = median_step(recording.time);
  const Index half = std::min<Index>(
      (n - 1) / 2, std::max<Index>(fewest, static_cast<Index>(std::ceil(shortest / step))));
  for (Index k = 0; k < n; ++k) {
    const Index first = std::clamp<Index>(k - half, 0, n - 2 * half - 1);
    const VectorXd time = recording.time.segment(first, 2 * half + 1),
                   none = VectorXd::Zero(time.size());
    const MatrixXd weights =
        polynomial_weights(order, {time[0], time[time.size() - 1]}, {{.time = time, .value = none}},
                           {{.time = recording.time[k], .derivative = 1}});
    out.col(k) = recording.effort.middleCols(first, time.size()) * weights.row(0).transpose();
  }
  return out;
}

}  // namespace bayesid
