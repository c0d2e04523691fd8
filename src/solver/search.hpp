// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>

#include "bayesid/solve.hpp"
#include "solver/accumulator.hpp"
#include "solver/extrapolation.hpp"

namespace bayesid {

/// Everything one call of solve() carries from iteration to iteration.
class Search {
 public:
  Search(const Problem& problem, const SolverOptions& options, const Point* start)
      : problem_(problem),
        space_(problem.space()),
        options_(options),
        kept_(std::make_shared<Accumulator>(problem, std::max(1, options.num_threads))),
        accumulator_(*kept_),
        precision_(space_.prior(space_.prior_mean()).hessian) {
    const Eigen::VectorXd scaling = space_.scaling().cwiseAbs2().cwiseInverse();
    metric_ = precision_.diagonal().cwiseMax(scaling);
    lacking_ = metric_ - precision_.diagonal();
    proximal_ = lacking_.size() > 0 && lacking_.maxCoeff() > 0 ? 1.0 : 0.0;
    point_ = start ? *start : problem.start();
  }

  Solution run();

 private:
  bool evaluate(const Point& point, const ProblemAt& at, double& cost, double& violation);
  void condense();
  bool propose();
  bool try_lengths(Iteration& row);
  bool try_extrapolation(Iteration& row);
  bool accept(double promised);
  bool iterate(Iteration& row);
  bool update_multipliers(const Iteration& row);
  void finish(Solution& out);

  const Problem& problem_;
  const ParameterSpace& space_;
  const SolverOptions& options_;
  std::shared_ptr<Accumulator> kept_;
  Accumulator& accumulator_;
  Eigen::MatrixXd precision_;  // of the prior, at its mean
  Point point_, trial_;
  std::shared_ptr<const ProblemAt> at_, trial_at_;
  Eigen::VectorXd parts_, trial_parts_;
  double cost_ = 0, trial_cost_ = 0;
  // Infeasibility of the dynamics, and its penalty weight in the merit function.  riccati.md (12)
  double violation_ = 0, trial_violation_ = 0, penalty_weight_ = 0;
  // Damping is measured in units of the prior precision or, where the prior is weaker, of the
  // scaling. What the prior lacks to bound steps by the scaling is a proximal term at first
  // (proximal_ = 1), which fades as steps succeed.
  Eigen::VectorXd metric_, lacking_;
  double damping_ = 0, proximal_ = 0;
  bool restored_ = false;  // inputs and multipliers of the point are consistent with its states
  bool near_ = false;      // the last step was short: second derivatives may be used
  bool with_curvature_ = false;
  // Of the current linearisation:
  Condensed condensed_;
  Eigen::MatrixXd zeta_hessian_;
  Eigen::VectorXd dtheta_;
  std::vector<int> active_;
  double step_ = 0, predicted_ = 0;
  Extrapolation extrapolation_;
  double steps_before_[2] = {0, 0};  // lengths of the last two steps near the solution, 0: none
  double slow_shrinking_ = 0.01;     // of steps in two iterations: earlier ones tell more
  double plain_shrinking_ = 0;       // before extrapolation began
  int num_extrapolated_ = 0;         // steps since
  std::string location_;
  double gap_ =
      std::numeric_limits<double>::infinity();  // of inequalities, when multipliers changed last
};

}  // namespace bayesid
