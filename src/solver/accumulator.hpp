// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/solve.hpp"
#include "math/parallel.hpp"
#include "solver/extrapolation.hpp"
#include "solver/riccati_sweep.hpp"

namespace bayesid {

using Trajectories = std::vector<std::shared_ptr<const Trajectory>>;
using TrajectoriesAt = std::vector<std::shared_ptr<const Trajectory::At>>;

/// What the second pass says about a step, for the line search.     docs/math/riccati.md (12)
struct StepLengths {
  double gradient = 0, defect = 0, arrival = 0, rows = 0, rows_gradient = 0;
};

/// The linear-quadratic problem of one iteration over some trajectories, condensed to ζ and solved
/// for the states. Storage is made once.
class Accumulator {
 public:
  Accumulator(Trajectories trajectories, int ncurvature, int num_threads);
  Accumulator(const Problem& problem, int num_threads)
      : Accumulator(problem.trajectories(), problem.space().ncurvature(), num_threads) {}

  /// First pass over all trajectories: information and gradient of the data in ζ, without cost.
  Condensed accumulate(const std::vector<Path>& paths, const TrajectoriesAt& at);
  Condensed accumulate(const Point& point, const ProblemAt& at) {
    return accumulate(point.paths, at.trajectories);
  }

  /// From the next first pass on, every 64th node keeps the gain that path_statistics begins with.
  void keep_gains();

  /// Second pass: steps of states and multipliers for a given δζ, at the point of the first.
  StepLengths solve_states(const Point& point, const ProblemAt& at, const Eigen::VectorXd& dzeta);
  /// States and multipliers of the step; θ is the caller's.
  FullStep step() const;
  /// out = point moved by `length` times the step, or by another one.
  void move(const Point& point, const ProblemAt& at, double length, Point& out);
  void move(const Point& point, const ProblemAt& at, const FullStep& step, Point& out);

  /// Parts of Φ and, last, what no noise can close, summed over stages in a fixed order; false when
  /// a number is not finite, with its location.
  bool evaluate(const std::vector<Path>& paths, const TrajectoriesAt& at, Eigen::VectorXd& parts,
                std::string& location);
  bool evaluate(const Point& point, const ProblemAt& at, Eigen::VectorXd& parts,
                std::string& location) {
    return evaluate(point.paths, at.trajectories, parts, location);
  }
  void restore(const ProblemAt& at, Point& point);
  void lag(const ProblemAt& at, Point& point);
  /// Largest gap of the inequalities of all states and stages; their next multipliers on request.
  double update_multipliers(const ProblemAt& at, bool change, Point& point);

  const RiccatiSweep& sweep(int trajectory) const { return *sweeps_[trajectory]; }
  /// Times so far, and the memory held for each stage of a problem with points like this one.
  Timing timing(const Point& point) const;

 private:
  void sweep_trajectory(int t, const Path& path, const Trajectory::At& at);
  template <typename Task>
  void for_each_stage(int last_offset, const Task& task);

  Trajectories trajectories_;
  int ncurvature_;
  ThreadPool pool_;
  std::vector<std::unique_ptr<Trajectory::Workspace>> workspaces_;
  std::vector<std::unique_ptr<RiccatiSweep>> sweeps_;
  std::vector<std::unique_ptr<Trajectory::Records>> records_;
  std::vector<Stage> buffers_[2];       // stages linearised, waiting for the recursion
  std::vector<Eigen::MatrixXd> parts_;  // of each trajectory, a column for each node
  Timing timing_;
  std::vector<double> linearise_seconds_;  // of each thread
};

}  // namespace bayesid
