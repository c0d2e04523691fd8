// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bayesid/problem/problem.hpp"

namespace bayesid {

/// What trajectories say about the stage coordinates ζ at a point: a quadratic function, first
/// states eliminated. The sum over trajectories is exact, wherever each was computed.
struct Condensed {
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  Eigen::VectorXd multiplier_gradient;  // share of the multipliers in it
  Eigen::VectorXd curvature;            // sums of Stage::curvature
  Eigen::VectorXd cost_parts;           // of Φ, without the prior; empty: not asked for
  double infeasibility = 0;             // what no noise can close, with the cost
  double largest_defect = 0, closing_cost = 0, stiff_work = 0;
  std::int64_t num_trajectories = 0, num_stages = 0;

  double cost() const { return cost_parts.sum(); }
  Condensed& operator+=(const Condensed& other);
  std::string to_bytes() const;
  /// Throws std::invalid_argument for bytes that to_bytes did not write.
  static Condensed from_bytes(std::string_view bytes);
};

/// Adds up what the trajectories say, cost included; paths and what depends on θ alone are given in
/// the same order.
Condensed accumulate(const std::vector<std::shared_ptr<const Trajectory>>& trajectories,
                     const std::vector<Path>& paths,
                     const std::vector<std::shared_ptr<const Trajectory::At>>& at, int ncurvature,
                     int num_threads = 1);
Condensed accumulate(const Problem& problem, const Point& point, int num_threads = 1);

}  // namespace bayesid
