// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "bayesid/math/parallel.hpp"
#include "bayesid/solver/solve.hpp"
#include "solver/extrapolation.hpp"
#include "solver/riccati_sweep.hpp"

namespace bayesid {

/// The linear-quadratic problem of one iteration, condensed to θ. Storage is made once.
class Condenser {
 public:
  Condenser(const Problem& problem, int num_threads);

  /// First pass over all trajectories: information and gradient of the data in ζ.
  void linearise(const Point& point, const Problem::At& at);
  /// From the next pass on, every 64th node keeps the gain that path_statistics begins with.
  void keep_gains();
  const Eigen::MatrixXd& hessian() const { return hessian_; }    // arrival states eliminated
  const Eigen::VectorXd& gradient() const { return gradient_; }  // of the same
  const Eigen::VectorXd& multiplier_gradient() const { return multiplier_gradient_; }
  const Eigen::VectorXd& curvature() const { return curvature_; }
  double largest_defect() const { return largest_defect_; }
  double closing_cost() const { return closing_cost_; }
  double stiff_work() const { return stiff_work_; }

  /// Second pass: steps of states and multipliers for a given δζ.
  void solve_states(const Point& point, const Problem::At& at, const Eigen::VectorXd& dzeta);
  double gradient_along_step() const { return gradient_along_step_; }
  double defect_along_step() const { return defect_along_step_; }
  double arrival_along_step() const { return arrival_along_step_; }
  double rows_along_step() const { return rows_along_step_; }
  double rows_gradient() const { return rows_gradient_; }

  /// States and multipliers of the step; θ is the caller's.
  FullStep step() const;
  /// out = point moved by `length` times the step, or by another one.
  void move(const Point& point, double length, Point& out);
  void move(const Point& point, const FullStep& step, Point& out);
  /// Parts of Φ and, last, what no noise can make up for, summed over stages in a fixed order;
  /// false when a number is not finite, with its place.
  bool evaluate(const Point& point, const Problem::At& at, Eigen::VectorXd& parts,
                std::string& place);
  void restore(const Problem::At& at, Point& point);
  /// Largest gap of the inequalities of all states and stages; their next multipliers on request.
  double press(const Problem::At& at, bool change, Point& point);

  const RiccatiSweep& sweep(int trajectory) const { return *sweeps_[trajectory]; }
  /// Times so far, and the memory held for each stage of a problem with points like this one.
  Timing timing(const Point& point) const;

 private:
  void sweep_trajectory(int trajectory, const Point& point, const Problem::At& at);
  template <typename Task>
  void for_each_stage(int last_offset, const Task& task);

  const Problem& problem_;
  ThreadPool pool_;
  std::vector<std::unique_ptr<Problem::Workspace>> workspaces_;
  std::vector<std::unique_ptr<RiccatiSweep>> sweeps_;
  std::vector<Eigen::MatrixXd> memory_;  // of each trajectory, a column for each stage
  std::vector<Stage> buffers_[2];        // stages linearised, waiting for the recursion
  std::vector<Eigen::MatrixXd> parts_;   // of each trajectory, a column for each node
  Eigen::MatrixXd hessian_;
  Eigen::VectorXd gradient_, multiplier_gradient_, curvature_;
  double largest_defect_ = 0, closing_cost_ = 0, stiff_work_ = 0;
  double gradient_along_step_ = 0, defect_along_step_ = 0, arrival_along_step_ = 0;
  double rows_along_step_ = 0, rows_gradient_ = 0;
  Timing timing_;
  std::vector<double> linearise_seconds_;  // of each thread
};

}  // namespace bayesid
