// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

namespace bayesid {

/// Measurements of a function of time, or of its derivative, each column at the time of the same
/// index.
struct TimedValues {
  const Eigen::VectorXd& time;   // s, increasing
  const Eigen::VectorXd& value;  // NaN: not measured then
  double std = 1;                // of one measurement
  int derivative = 0;            // 0: of the function, 1: of its first derivative
  double shift = 0;              // s, added to all times
};

/// A stretch of time.
struct TimeSpan {
  double first = 0, last = 0;  // s
};

/// A polynomial in Legendre's basis on a stretch of time.
class LocalPolynomial {
 public:
  LocalPolynomial(TimeSpan span, Eigen::VectorXd coefficients)
      : span_(span), coefficients_(std::move(coefficients)) {}
  /// The function (0) or its first or second derivative at a time, also outside of the stretch.
  double at(double time, int derivative) const;

 private:
  TimeSpan span_;
  Eigen::VectorXd coefficients_;
};

/// The polynomial of that order nearest to all measurements in the span, each in units of its std,
/// ends included; of lower order where there are too few.           docs/math/baselines.md (1)
LocalPolynomial fit_polynomial(int order, TimeSpan span, const std::vector<TimedValues>& channels);

/// A value to read of a polynomial.
struct PolynomialReading {
  double time = 0;
  int derivative = 0;
};

/// The same readings as weights of the measurements, a row for each reading: columns are the
/// measurements of the first channel in the span, then those of the next. All must be measured.
Eigen::MatrixXd polynomial_weights(int order, TimeSpan span,
                                   const std::vector<TimedValues>& channels,
                                   const std::vector<PolynomialReading>& readings);

/// `window` samples around a time, moved where it would reach beyond `whole`: the one-sided fit at
/// the ends.                                                        docs/math/baselines.md (2)
TimeSpan window_around(double time, TimeSpan whole, double step, int window);

}  // namespace bayesid
