// SPDX-License-Identifier: BSD-3-Clause
#include "math/savitzky_golay.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Legendre's polynomials P_0 … P_n at s, or their derivatives in s.
///   (n + 1) P_{n+1} = (2n + 1) s P_n − n P_{n−1},   P'_{n+1} = P'_{n−1} + (2n + 1) P_n
void legendre(double s, int derivative, Eigen::Ref<VectorXd> out) {
  const Index size = out.size();
  out.setZero();
  out[0] = 1;
  if (size > 1) out[1] = s;
  for (Index n = 1; n + 1 < size; ++n) {
    const auto m = static_cast<double>(n);
    out[n + 1] = ((2 * m + 1) * s * out[n] - m * out[n - 1]) / (m + 1);
  }
  for (int pass = 0; pass < derivative; ++pass) {
    double before = 0, here = 0;  // derivatives of the two last ones
    double value = out[0];        // of P_n, not yet overwritten
    out[0] = 0;
    for (Index n = 0; n + 1 < size; ++n) {
      const double slope = before + (2 * static_cast<double>(n) + 1) * value;
      value = out[n + 1];
      before = here;
      here = slope;
      out[n + 1] = slope;
    }
  }
}

/// Time in the span as a number from −1 to 1, and what a second is there.
double place(TimeSpan span, double time) {
  return (2 * time - span.first - span.last) / (span.last - span.first);
}
double per_second(TimeSpan span) {
  return 2 / (span.last - span.first);
}

/// First and last + 1 of the measurements in a span.
std::pair<Index, Index> within(const TimedValues& channel, TimeSpan span) {
  const double* begin = channel.time.data();
  const double* end = begin + channel.time.size();
  return {std::lower_bound(begin, end, span.first - channel.shift) - begin,
          std::upper_bound(begin, end, span.last - channel.shift) - begin};
}

}  // namespace

double LocalPolynomial::at(double time, int derivative) const {
  VectorXd basis(coefficients_.size());
  legendre(place(span_, time), derivative, basis);
  return coefficients_.dot(basis) * std::pow(per_second(span_), derivative);
}

LocalPolynomial fit_polynomial(int order, TimeSpan span, const std::vector<TimedValues>& channels) {
  if (!(span.last > span.first)) span.last = span.first + 1;
  int count = 0;
  for (const TimedValues& channel : channels) {
    const auto [first, last] = within(channel, span);
    for (Index k = first; k < last; ++k) count += std::isnan(channel.value[k]) ? 0 : 1;
  }
  const Index size = std::clamp(count, 1, order + 1);
  // Normal equations: Legendre's basis keeps them well conditioned.
  MatrixXd gram = MatrixXd::Zero(size, size);
  VectorXd right = VectorXd::Zero(size), basis(size);
  for (const TimedValues& channel : channels) {
    const auto [first, last] = within(channel, span);
    const double scale = std::pow(per_second(span), channel.derivative);
    for (Index k = first; k < last; ++k) {
      if (std::isnan(channel.value[k])) continue;
      legendre(place(span, channel.time[k] + channel.shift), channel.derivative, basis);
      basis *= scale / channel.std;
      gram.selfadjointView<Eigen::Lower>().rankUpdate(basis);
      right += basis * (channel.value[k] / channel.std);
    }
  }
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return {span, gram.completeOrthogonalDecomposition().solve(right)};
}

MatrixXd polynomial_weights(int order, TimeSpan span, const std::vector<TimedValues>& channels,
                            const std::vector<PolynomialReading>& readings) {
  Index count = 0;
  for (const TimedValues& channel : channels) {
    const auto [first, last] = within(channel, span);
    count += last - first;
  }
  // Columns B of the whitened measurements: coefficients = (B Bᵀ)⁻¹ B (value / σ).
  MatrixXd B(std::min<Index>(count, order + 1), count);
  VectorXd inverse_std(count), basis(B.rows());
  Index at = 0;
  for (const TimedValues& channel : channels) {
    const auto [first, last] = within(channel, span);
    const double scale = std::pow(per_second(span), channel.derivative) / channel.std;
    for (Index k = first; k < last; ++k, ++at) {
      legendre(place(span, channel.time[k] + channel.shift), channel.derivative, basis);
      B.col(at) = scale * basis;
      inverse_std[at] = 1 / channel.std;
    }
  }
  MatrixXd read(static_cast<Index>(readings.size()), B.rows());
  for (size_t i = 0; i < readings.size(); ++i) {
    legendre(place(span, readings[i].time), readings[i].derivative, basis);
    read.row(static_cast<Index>(i)) =
        basis.transpose() * std::pow(per_second(span), readings[i].derivative);
  }
  const MatrixXd solved = MatrixXd(B * B.transpose()).completeOrthogonalDecomposition().solve(B);
  return read * solved * inverse_std.asDiagonal();
}

TimeSpan window_around(double time, TimeSpan whole, double step, int window) {
  constexpr double slack = 1e-6;  // of a step: the samples at both ends belong to it
  const double half = std::min(0.5 * (window - 1) * step, 0.5 * (whole.last - whole.first));
  const double center = std::clamp(time, whole.first + half, whole.last - half);
  return {center - half - slack * step, center + half + slack * step};
}

}  // namespace bayesid
