// SPDX-License-Identifier: BSD-3-Clause
// One iteration: linearise, propose a step, line search along it.
#include "solver/search.hpp"

#include "solver/feasible.hpp"
#include "solver/parameter_step.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Steps shorter than this (in posterior standard deviations, per parameter) are close enough for
// second derivatives.
constexpr double curvature_gate = 1.0;
constexpr double sufficient_decrease = 0.1;
constexpr double shortest_length = 0.2;  // below it, damping is raised instead
constexpr double largest_damping = 1e12;
constexpr double frozen_damping = 1e4;       // parameters do not move
constexpr double very_slow_shrinking = 0.1;  // slow enough even where extrapolation has failed
constexpr double worse_than_plain = 3;       // times: extrapolation has failed

// Inequalities of states and stages.
constexpr double largest_gap = 1e-9;   // in their units
constexpr double slow_closing = 0.25;  // of the gap in one round: the penalty grows
constexpr double penalty_growth = 10;
constexpr double multiplier_gate =
    0.3;  // shorter steps, in standard deviations, change multipliers

}  // namespace

bool Search::evaluate(const Point& point, const ProblemAt& at, double& cost, double& violation) {
  if (!accumulator_.evaluate(point, at, trial_parts_, location_)) return false;
  violation = trial_parts_[trial_parts_.size() - 1];
  trial_parts_.conservativeResize(trial_parts_.size() - 1);
  cost = trial_parts_.sum() + space_.prior(point.theta).cost;
  return std::isfinite(cost) && std::isfinite(violation);
}

void Search::condense() {
  condensed_ = accumulator_.accumulate(point_, *at_);
  zeta_hessian_ = 0.5 * (condensed_.hessian + condensed_.hessian.transpose());
  with_curvature_ = near_ && space_.ncurvature() > 0;
}

/// Step of all unknowns with the current damping, its length and the decrease it promises.
bool Search::propose() {
  ParameterModel model{.space = space_,
                       .H = zeta_hessian_,
                       .g = condensed_.gradient,
                       .center = point_.theta,
                       .damping = damping_ * metric_ + proximal_ * lacking_,
                       .trust_region = space_.trust_region(point_.theta)};
  ParameterStep parameters;
  if (with_curvature_) {
    model.H += space_.stage_curvature(condensed_.curvature);
    parameters = solve_parameters(model, active_);
    with_curvature_ = parameters.solved;
  }
  if (!parameters.solved) {
    model.H = zeta_hessian_;
    parameters = solve_parameters(model, active_);
  }
  if (!parameters.solved) return false;
  active_ = parameters.active;
  dtheta_ = parameters.theta - point_.theta;
  const StepLengths along = accumulator_.solve_states(point_, *at_, parameters.dzeta);
  // Squared length of the step, and the decrease of Φ that the quadratic model promises.
  // docs/math/riccati.md (12)
  const PriorAt prior_here = space_.prior(point_.theta);
  const double gradient = along.gradient, defect = along.defect;
  const double arrival = along.arrival, rows = along.rows;
  const double square =
      -gradient + defect + arrival + rows + dtheta_.dot(prior_here.hessian * dtheta_);
  step_ = std::sqrt(std::max(0.0, square));
  const double prior = prior_here.cost - space_.prior(parameters.theta).cost;
  predicted_ = -0.5 * gradient - condensed_.multiplier_gradient.dot(parameters.dzeta) -
               0.5 * (defect + arrival + rows) - along.rows_gradient + condensed_.closing_cost -
               condensed_.stiff_work + prior;
  // Feasibility may cost: with this penalty weight the step is a descent.
  if (violation_ > 0 && -predicted_ > 0.7 * penalty_weight_ * violation_)
    penalty_weight_ = -predicted_ / (0.5 * violation_);
  if (violation_ == 0) predicted_ = std::max(0.0, predicted_);
  return std::isfinite(step_);
}

/// Whether the trial point lowers the merit function as promised.
bool Search::accept(double promised) {
  const double merit = cost_ + penalty_weight_ * violation_;
  const double noise = 1e-11 * std::max(1.0, std::abs(merit));
  trial_at_ = problem_.at(trial_.theta);
  return evaluate(trial_, *trial_at_, trial_cost_, trial_violation_) &&
         trial_cost_ + penalty_weight_ * trial_violation_ <=
             merit - sufficient_decrease * promised + noise;
}

/// Full step, then shorter ones; true when one of them lowers Φ as promised.
bool Search::try_lengths(Iteration& row) {
  const double shortest = damping_ > 1.0 ? 0.1 * shortest_length : shortest_length;
  for (double length = 1.0; length >= shortest; length *= 0.5) {
    accumulator_.move(point_, *at_, length, trial_);
    trial_.theta = point_.theta + length * dtheta_;
    if (length < 1.0 && !onto_constraints(space_, precision_, trial_.theta)) continue;
    const double promised = (predicted_ > 0 ? 2 * length - length * length : length) * predicted_ +
                            length * penalty_weight_ * violation_;
    if (accept(promised)) {
      row.length = length;
      return true;
    }
  }
  return false;
}

/// Near the solution, steps that shrink slowly are made better by those before.
bool Search::try_extrapolation(Iteration& row) {
  const bool is_plain = near_ && damping_ == 0 && proximal_ == 0;
  const double shrinking = steps_before_[1] > 0 ? step_ / steps_before_[1] : 0;
  if (!is_plain || (extrapolation_.is_empty() && shrinking <= slow_shrinking_)) {
    extrapolation_.forget();
    return false;
  }
  if (extrapolation_.is_empty()) {
    plain_shrinking_ = shrinking;
    num_extrapolated_ = 0;
  } else if (num_extrapolated_ > 1 && plain_shrinking_ < very_slow_shrinking &&
             shrinking > worse_than_plain * plain_shrinking_) {
    // Earlier steps make it worse: plain ones, and only very slow ones are helped again.
    extrapolation_.forget();
    slow_shrinking_ = very_slow_shrinking;
    steps_before_[0] = steps_before_[1] = 0;
    return false;
  }
  FullStep step = accumulator_.step(), better;
  step.dtheta = dtheta_;
  const MatrixXd T = space_.dzeta_dtheta(point_.theta);
  MatrixXd information = T.transpose() * zeta_hessian_ * T;
  information += space_.prior(point_.theta).hessian;
  if (step_ > options_.tolerance && extrapolation_.improve(step, information, better)) {
    trial_.theta = point_.theta + better.dtheta;
    if (onto_constraints(space_, information, trial_.theta)) {
      accumulator_.move(point_, *at_, better, trial_);
      if (accept(predicted_ + penalty_weight_ * violation_)) {
        extrapolation_.remember(step, better);
        ++num_extrapolated_;
        row.length = 1.0;
        return true;
      }
    }
    extrapolation_.forget();
  }
  extrapolation_.remember(step, step);
  return false;
}

/// After a full step: whether the inequalities of states and stages hold and are complementary to
/// their multipliers; else, once steps are short, the multipliers are updated.
bool Search::update_multipliers(const Iteration& row) {
  if (row.step > multiplier_gate) return false;
  const double gap = accumulator_.update_multipliers(*at_, false, point_);
  if (gap <= largest_gap) return true;
  accumulator_.update_multipliers(*at_, true, point_);
  if (gap > slow_closing * gap_) {
    for (Path& path : point_.paths) path.penalty *= penalty_growth;
  }
  for (std::size_t t = 0; t < point_.paths.size(); ++t)
    trial_.paths[t].penalty = point_.paths[t].penalty;
  gap_ = gap;
  extrapolation_.forget();
  evaluate(point_, *at_, cost_, violation_);
  parts_ = trial_parts_;
  return false;
}

/// One iteration; false when no step could be found.
bool Search::iterate(Iteration& row) {
  condense();
  row.cost = cost_;
  row.violation = condensed_.largest_defect;
  row.proximal = proximal_;
  while (true) {
    row.damping = damping_;
    if (propose()) {
      if (row.step == 0) row.step = step_;
      row.curvature = with_curvature_;
      if (try_extrapolation(row) || try_lengths(row)) break;
    }
    if (!restored_) {
      // Lifted inputs far from consistent can point uphill: linearise again at consistent ones,
      // where the step descends.
      accumulator_.restore(*at_, point_);
      restored_ = true;
      condense();
      continue;
    }
    damping_ = damping_ == 0 ? 1e-3 : 10 * damping_;
    if (damping_ > largest_damping) return false;
  }
  restored_ = false;
  extrapolation_.shorten(row.length);
  steps_before_[1] = near_ ? steps_before_[0] : 0;
  steps_before_[0] = step_;
  near_ = row.damping == 0 &&
          step_ < curvature_gate * std::sqrt(static_cast<double>(1 + dtheta_.size()));
  if (proximal_ > 0 && row.length == 1.0 && row.damping == 0) {
    proximal_ *= 0.03;
    if (proximal_ * lacking_.maxCoeff() < 0.01 * precision_.diagonal().minCoeff()) proximal_ = 0;
  }
  if (row.length == 1.0) damping_ = damping_ < 1e-3 ? 0.0 : damping_ / 10;
  // Near the solution the states overshoot, which damping of parameters does not prevent.
  if (row.length < 0.5 && !near_) damping_ = std::max(10 * damping_, 1e-3);
  // Frozen parameters do not overshoot either: they are released.
  if (row.damping >= frozen_damping) damping_ = 0;
  std::swap(point_, trial_);
  std::swap(parts_, trial_parts_);
  std::swap(at_, trial_at_);
  cost_ = trial_cost_;
  violation_ = trial_violation_;
  if (point_.paths.empty() || point_.paths[0].lagged.rows() == 0) return true;
  accumulator_.lag(*at_, point_);
  const bool is_finite = evaluate(point_, *at_, cost_, violation_);
  parts_ = trial_parts_;
  return is_finite;
}

}  // namespace bayesid
