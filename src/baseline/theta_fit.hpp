// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "baseline/regression_rows.hpp"
#include "bayesid/solve.hpp"

namespace bayesid {

/// Rows of a regression at a model; the noise of their groups is told apart.
using RowsAt = std::function<RegressionRows(const DynamicsAt&)>;

/// Nonlinear least squares in θ with the prior.
struct ThetaFit {
  Status status = Status::stalled;
  int iterations = 0;
  Eigen::VectorXd theta;
  Eigen::VectorXd row_std;  // of each group, in the end
  double gradient = 0;      // length, in posterior standard deviations
};

/// Noise of the rows of each group: to begin with, and at the least.
struct RowNoise {
  Eigen::VectorXd first, least;
};

/// Least squares |r(θ)/σ|² + prior by Levenberg and Marquardt. Rounds of it alternate with new σ:
/// what is left of each group.                                     docs/math/baselines.md (10),
/// (11)
ThetaFit fit_theta(const Dynamics& dynamics, const RowsAt& rows, const RowNoise& noise,
                   const Eigen::VectorXd& start);

/// The rows are linear in ζ: no slope of friction is free.
bool rows_are_linear(const Dynamics& dynamics);

}  // namespace bayesid
