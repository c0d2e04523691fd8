// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bayesid/trajectory.hpp"

namespace bayesid {

/// Cost of trajectories in the base parameters ζ around a point: a quadratic function, first
/// states eliminated. The sum over trajectories is exact, wherever each was computed.
struct Condensed {
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  Eigen::VectorXd multiplier_gradient;  // share of the multipliers in it
  Eigen::VectorXd curvature;            // sums of Stage::curvature
  Eigen::VectorXd cost_parts;           // of Φ, without the prior; empty: not requested
  double infeasibility = 0;             // of the dynamics, that noise cannot compensate
  double largest_defect = 0, closing_cost = 0, stiff_work = 0;
  std::int64_t num_trajectories = 0, num_stages = 0;

  double cost() const { return cost_parts.sum(); }
  Condensed& operator+=(const Condensed& other);
  std::string to_bytes() const;
  /// Throws std::invalid_argument for bytes that to_bytes did not write.
  static Condensed from_bytes(std::string_view bytes);
};

/// Sum over the trajectories, cost included; paths and what depends on θ alone are given in
/// the same order.
Condensed accumulate(const std::vector<std::shared_ptr<const Trajectory>>& trajectories,
                     const std::vector<Path>& paths,
                     const std::vector<std::shared_ptr<const Trajectory::At>>& at, int ncurvature,
                     int num_threads = 1);
Condensed accumulate(const Problem& problem, const Point& point, int num_threads = 1);

class Accumulator;

enum class Status { converged, stalled, iteration_limit, interrupted, not_finite };
const char* to_string(Status status);

/// One row of the history.
struct Iteration {
  int number = 0;
  double cost = 0;       // Φ at the start of the iteration
  double violation = 0;  // largest scaled violation of the dynamics by the inputs
  double step = 0;       // length of the step proposed, in posterior standard deviations
  double length = 0;     // share of it that was taken
  double damping = 0;
  double proximal = 0;     // share of the added proximal term that is left
  bool curvature = false;  // second derivatives of the parametrisation were used
  double seconds = 0;
};

/// Iterations of one search behind those of another.
void append_history(const std::vector<Iteration>& later, std::vector<Iteration>& out);
/// A callback that counts on behind them.
std::function<void(const Iteration&)> continued(const std::function<void(const Iteration&)>& call,
                                                const std::vector<Iteration>& earlier);

struct SolverOptions {
  int max_iterations = 100;
  double tolerance =
      1e-6;  // on the step, in posterior standard deviations, and on the scaled violation
  int num_threads = 1;
  std::function<void(const Iteration&)> on_iteration;  // called after each
  std::function<bool()> stop;                          // called before each; true: interrupted
  std::function<void(const Point&)> on_accepted;       // last accepted iterate, for checkpoints
  bool keep_sweeps = false;                            // in the solution, for path_statistics
};

struct Timing {
  double total = 0, linearise = 0, recursion = 0, step = 0,
         evaluate = 0;         // s; linearise: summed over threads
  double bytes_per_stage = 0;  // memory of the solver: factors, points, sums
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
  Eigen::MatrixXd zeta_hessian;  // the same about the base parameters ζ
  Eigen::MatrixXd theta_cov;     // posterior covariance
  std::vector<int> active;       // active parameter inequalities
  // Logarithm of the probability of the data at the likeliest motion, Laplace's approximation, up
  // to a number that depends on the sensors alone.                    docs/math/riccati.md (17a)
  double log_evidence = 0;
  Timing timing;
  std::string message;  // location and cause when the numbers failed
  // The last linearisation, on request and where the search converged: path_statistics then needs
  // no other. As large as the solver was.
  std::shared_ptr<const Accumulator> sweeps = nullptr;

  bool converged() const { return status == Status::converged; }
};

/// Maximum a posteriori. Starts from `start` when given, else from problem.start().
Solution solve(const Problem& problem, const SolverOptions& options, const Point* start = nullptr);

/// Names of an irreducible infeasible set of parameter constraints: without any one of them the
/// rest is feasible. Empty when all are feasible.
std::vector<std::string> conflicting_constraints(const Problem& problem);

/// One sample of a sensor at the solution, and its expectation. All in configured
/// standard deviations of the sensor.
struct SampleStatistics {
  RowName name;
  int node = 0;               // of the path at or before it
  double residual = 0;        // of the solution
  double residual_std = 0;    // expected of it: below 1, as the solution follows its data
  double innovation = 0;      // the residual before it and all later samples are known …
  double innovation_std = 0;  // … and what is expected; 0: has none, its error moves the state
};

/// What is expected along one trajectory.
struct PathStatistics {
  Eigen::MatrixXd state_std;  // nx × (N+1), positions and velocities first
  std::vector<SampleStatistics> samples;
  // Gradient of the cost in ζ, stage by stage with the states where they are: sums of
  // `stages_per_score` stages, nζ × sums. Empty without parameters.
  Eigen::MatrixXd scores = {};
  int stages_per_score = 1;
};

/// Standard deviations of all states, the parameters' uncertainty included, and the statistics of
/// all sensors. Innovations are those of a forward filter with the parameters at their estimate.
/// The time is linear in the length of the logs.                docs/math/riccati.md (18),
/// (28)-(34)
std::vector<PathStatistics> path_statistics(const Problem& problem, const Solution& solution,
                                            int num_threads);

/// Of one trajectory, the states alone.
Eigen::MatrixXd state_std(const Problem& problem, const Solution& solution, int trajectory,
                          int num_threads);

}  // namespace bayesid
