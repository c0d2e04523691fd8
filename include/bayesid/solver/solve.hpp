// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bayesid/problem/problem.hpp"

namespace bayesid {

class Accumulator;

enum class Status { converged, stalled, iteration_limit, interrupted, not_finite };
const char* to_string(Status status);

/// One row of the history.
struct Iteration {
  int number = 0;
  double cost = 0;       // Φ at the start of the iteration
  double violation = 0;  // largest scaled violation of the dynamics by the lifted inputs
  double step = 0;       // length of the step proposed, in posterior standard deviations
  double length = 0;     // share of it that was taken
  double damping = 0;
  double proximal = 0;     // share of the missing prior that is still lent
  bool curvature = false;  // second derivatives of the parametrisation were used
  double seconds = 0;
};

struct SolverOptions {
  int max_iterations = 100;
  double tolerance =
      1e-6;  // on the step, in posterior standard deviations, and on the scaled violation
  int num_threads = 1;
  std::function<void(const Iteration&)> on_iteration;  // called after each
  std::function<bool()> stop;                          // asked before each; true: interrupted
  std::function<void(const Point&)> on_accepted;       // last accepted iterate, for checkpoints
  bool keep_sweeps = false;                            // in the solution, for path_statistics
};

struct Timing {
  double total = 0, linearise = 0, recursion = 0, step = 0,
         evaluate = 0;         // s; linearise: summed over threads
  double bytes_per_stage = 0;  // held by the solver: factors, points, sums
};

struct Solution {
  Status status = Status::stalled;
  Point point;
  std::vector<double> cost_parts;  // in the order of Problem::cost_parts, then the prior
  double cost = 0;
  double violation = 0;
  double gap = 0;  // of the inequalities of states and stages, or of their complementarity
  std::vector<Iteration> history;
  Eigen::MatrixXd data_hessian;  // information of the data about θ, arrival states eliminated
  Eigen::MatrixXd zeta_hessian;  // the same about the stage coordinates ζ
  Eigen::MatrixXd theta_cov;     // posterior covariance
  std::vector<int> active;       // parameter inequalities that hold with equality
  // Logarithm of the probability of the data at the likeliest motion, Laplace's approximation, up
  // to a number that depends on the sensors alone.                    docs/math/riccati.md (17a)
  double log_evidence = 0;
  Timing timing;
  std::string message;  // place and cause when the numbers failed
  // The last linearisation, on request and where the search converged: path_statistics then needs
  // no other. As large as the solver was.
  std::shared_ptr<const Accumulator> sweeps = nullptr;

  bool converged() const { return status == Status::converged; }
};

/// Maximum a posteriori. Starts from `start` when given, else from problem.start().
Solution solve(const Problem& problem, const SolverOptions& options, const Point* start = nullptr);

/// Constraints of the parameters that cannot hold together, in words: none of them can be left out
/// of the list. Empty when all can hold.
std::vector<std::string> conflicting_constraints(const Problem& problem);

}  // namespace bayesid
