// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "baseline/theta_fit.hpp"
#include "posterior/readable_coordinates.hpp"

namespace bayesid {

/// Linear least squares in the physical parameters, without any thought of consistency.
struct LinearFit {
  Status status = Status::stalled;
  int iterations = 0;
  ReadableCoordinates coordinates;  // at the prior
  Eigen::VectorXd change;           // of their values
  PhysicalParameters eta;
  Eigen::VectorXd row_std;  // of each group of rows, as weighted in the end
  CondensedRows rows{1};    // weighted, at the estimate, in changes of the coordinates
};

/// Unknowns that the rows do not determine stay as near to the prior as they can, in units of its
/// std: it breaks ties and does nothing else. Slopes of friction by Gauss and Newton's method,
/// within a factor of five of the prior. With `reweighted`, each group counts by what is left of
/// it.
///                                                                  docs/math/baselines.md (9)
LinearFit fit_linear(const Dynamics& dynamics, const RowsAt& rows,
                     const Eigen::VectorXd& claimed_std, bool reweighted);

/// Of rows [A, b], the smallest x among those with the least |A x + b|.
Eigen::VectorXd smallest_solution(const Eigen::MatrixXd& rows);

/// Coordinates whose std is 1: ∂ζ/∂x of the readable ones, scaled by the prior.
Eigen::MatrixXd scaled_columns(const Dynamics& dynamics, const ReadableCoordinates& r);

}  // namespace bayesid
