// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <sstream>
#include <string>

namespace bayesid {

using VectorFunction = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Central differences of f at x: column i moves x_i by ± step_i.
inline Eigen::MatrixXd numeric_jacobian(const VectorFunction& f, const Eigen::VectorXd& x,
                                        const Eigen::VectorXd& step) {
  Eigen::MatrixXd out;
  for (int i = 0; i < x.size(); ++i) {
    Eigen::VectorXd plus = x;
    Eigen::VectorXd minus = x;
    plus[i] += step[i];
    minus[i] -= step[i];
    const Eigen::VectorXd column = (f(plus) - f(minus)) / (plus[i] - minus[i]);
    if (i == 0) out.resize(column.size(), x.size());
    out.col(i) = column;
  }
  return out;
}

/// Five points: for functions that are large beside their derivatives.
inline Eigen::MatrixXd precise_jacobian(const VectorFunction& f, const Eigen::VectorXd& x,
                                        const Eigen::VectorXd& step) {
  return (4 * numeric_jacobian(f, x, step) - numeric_jacobian(f, x, 2 * step)) / 3;
}

inline Eigen::MatrixXd precise_jacobian(const VectorFunction& f, const Eigen::VectorXd& x) {
  return precise_jacobian(f, x, Eigen::VectorXd::Constant(x.size(), 3e-4));
}

/// The same with steps that balance truncation and round-off of a function of order one.
inline Eigen::MatrixXd numeric_jacobian(const VectorFunction& f, const Eigen::VectorXd& x) {
  return numeric_jacobian(f, x, 1e-5 * x.cwiseAbs().cwiseMax(1.0));
}

/// How far a matrix is from its oracle.
struct DerivativeCheck {
  double max_error = 0;
  std::string worst_entry = "none";  // "(1, 35): analytic -0.0175, numeric 0.0175"
};

/// Largest difference, relative to the largest entry of its column (at least `floor` of the largest
/// entry of all, so that round-off in a column of zeros is not an error).
inline DerivativeCheck check_derivatives(const Eigen::MatrixXd& analytic,
                                         const Eigen::MatrixXd& numeric, double floor = 1e-4) {
  DerivativeCheck out;
  if (analytic.rows() != numeric.rows() || analytic.cols() != numeric.cols()) {
    return {.max_error = 1, .worst_entry = "sizes differ"};
  }
  if (analytic.size() == 0) return out;
  const Eigen::MatrixXd size = analytic.cwiseAbs().cwiseMax(numeric.cwiseAbs());
  for (int j = 0; j < analytic.cols(); ++j) {
    const double scale = std::max(size.col(j).maxCoeff(), floor * size.maxCoeff());
    for (int i = 0; i < analytic.rows(); ++i) {
      const double difference = std::abs(analytic(i, j) - numeric(i, j));
      if (difference <= out.max_error * scale) continue;  // a NaN goes on
      out.max_error = difference / scale;
      std::ostringstream entry;
      entry << "(" << i << ", " << j << "): analytic " << analytic(i, j) << ", numeric "
            << numeric(i, j);
      out.worst_entry = entry.str();
      if (!(out.max_error >= 0)) return out;
    }
  }
  return out;
}

}  // namespace bayesid
