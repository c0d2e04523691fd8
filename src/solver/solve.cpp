// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/solver/solve.hpp"

#include <chrono>

#include "solver/arrival.hpp"
#include "solver/condense.hpp"
#include "solver/extrapolation.hpp"
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
constexpr double slow_shrinking = 0.1;  // of steps in two iterations: earlier ones tell more

/// Everything one call of solve() carries from iteration to iteration.
class Search {
 public:
  Search(const Problem& problem, const SolverOptions& options, const Point* start)
      : problem_(problem),
        options_(options),
        condenser_(problem, std::max(1, options.num_threads)),
        mean_(problem.prior_mean()),
        precision_(problem.prior_std().cwiseAbs2().cwiseInverse()) {
    const VectorXd natural = problem.natural_step().cwiseAbs2().cwiseInverse();
    metric_ = precision_.cwiseMax(natural);
    lacking_ = metric_ - precision_;
    proximal_ = lacking_.size() > 0 && lacking_.maxCoeff() > 0 ? 1.0 : 0.0;
    point_ = start ? *start : problem.start();
    trial_ = point_;
  }

  Solution run();

 private:
  bool evaluate(const Point& point, const Problem::At& at, double& cost, double& violation);
  void condense();
  bool propose();
  bool try_lengths(Iteration& row);
  bool try_extrapolation(Iteration& row);
  bool accept(double promised);
  bool iterate(Iteration& row);
  void finish(Solution& out);

  const Problem& problem_;
  const SolverOptions& options_;
  Condenser condenser_;
  VectorXd mean_, precision_;
  Point point_, trial_;
  std::shared_ptr<const Problem::At> at_, trial_at_;
  VectorXd parts_, trial_parts_;
  double cost_ = 0, trial_cost_ = 0;
  // What no noise can make up for, and its price in the merit function Φ + price · violation.
  double violation_ = 0, trial_violation_ = 0, price_ = 0;
  // Damping is measured in units of the prior precision or, where the prior is weaker, of natural
  // steps. What the prior lacks to hold steps of natural size is lent to it at first (proximal_ =
  // 1), and taken back as steps succeed.
  VectorXd metric_, lacking_;
  double damping_ = 0, proximal_ = 0;
  bool restored_ = false;  // inputs and multipliers of the point are consistent with its states
  bool near_ = false;      // the last step was full and short: second derivatives may be used
  bool with_curvature_ = false;
  // Of the current linearisation:
  MatrixXd zeta_hessian_;
  VectorXd dtheta_;
  std::vector<int> active_;
  double step_ = 0, predicted_ = 0;
  Extrapolation extrapolation_;
  double steps_before_[2] = {0, 0};  // lengths of the last two steps near the solution, 0: none
  std::string place_;
};

bool Search::evaluate(const Point& point, const Problem::At& at, double& cost, double& violation) {
  if (!condenser_.evaluate(point, at, trial_parts_, place_)) return false;
  const double prior = 0.5 * (point.theta - mean_).cwiseAbs2().dot(precision_);
  violation = trial_parts_[trial_parts_.size() - 1];
  trial_parts_.conservativeResize(trial_parts_.size() - 1);
  cost = trial_parts_.sum() + prior;
  return std::isfinite(cost) && std::isfinite(violation);
}

void Search::condense() {
  condenser_.linearise(point_, *at_);
  zeta_hessian_ = 0.5 * (condenser_.hessian() + condenser_.hessian().transpose());
  with_curvature_ = near_ && problem_.ncurvature() > 0;
}

/// Step of all unknowns with the current damping, its length and the decrease it promises.
bool Search::propose() {
  ParameterModel model{.problem = problem_,
                       .H = zeta_hessian_,
                       .g = condenser_.gradient(),
                       .mean = mean_,
                       .precision = precision_,
                       .center = point_.theta,
                       .damping = damping_ * metric_ + proximal_ * lacking_,
                       .reach = problem_.reach(point_.theta)};
  ParameterStep parameters;
  if (with_curvature_) {
    model.H += problem_.stage_curvature(condenser_.curvature());
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
  condenser_.solve_states(point_, *at_, parameters.dzeta);
  // Squared length of the step, and the decrease of Φ that the quadratic model promises.
  // docs/math/riccati.md (12)
  const double gradient = condenser_.gradient_along_step(), defect = condenser_.defect_along_step();
  const double arrival = condenser_.arrival_along_step();
  const double square = -gradient + defect + arrival + precision_.dot(dtheta_.cwiseAbs2());
  step_ = std::sqrt(std::max(0.0, square));
  const double prior = 0.5 * precision_.dot((point_.theta - mean_).cwiseAbs2() -
                                            (parameters.theta - mean_).cwiseAbs2());
  predicted_ = -0.5 * gradient - condenser_.multiplier_gradient().dot(parameters.dzeta) -
               0.5 * (defect + arrival) + condenser_.closing_cost() - condenser_.stiff_work() +
               prior;
  // Closing what noise cannot close may cost: its price is such that the step pays.
  if (violation_ > 0 && -predicted_ > 0.7 * price_ * violation_)
    price_ = -predicted_ / (0.5 * violation_);
  if (violation_ == 0) predicted_ = std::max(0.0, predicted_);
  return std::isfinite(step_);
}

/// Whether the trial point lowers the merit function as promised.
bool Search::accept(double promised) {
  const double merit = cost_ + price_ * violation_;
  const double noise = 1e-11 * std::max(1.0, std::abs(merit));
  trial_at_ = problem_.at(trial_.theta);
  return evaluate(trial_, *trial_at_, trial_cost_, trial_violation_) &&
         trial_cost_ + price_ * trial_violation_ <= merit - sufficient_decrease * promised + noise;
}

/// Full step, then shorter ones; true when one of them lowers Φ as promised.
bool Search::try_lengths(Iteration& row) {
  const double shortest = damping_ > 1.0 ? 0.1 * shortest_length : shortest_length;
  for (double length = 1.0; length >= shortest; length *= 0.5) {
    condenser_.move(point_, length, trial_);
    trial_.theta = point_.theta + length * dtheta_;
    const double promised = (predicted_ > 0 ? 2 * length - length * length : length) * predicted_ +
                            length * price_ * violation_;
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
  const bool is_slow = steps_before_[1] > 0 && step_ > slow_shrinking * steps_before_[1];
  if (!is_plain || (extrapolation_.is_empty() && !is_slow)) {
    extrapolation_.forget();
    return false;
  }
  FullStep step = condenser_.step(), better;
  step.dtheta = dtheta_;
  const MatrixXd T = problem_.dzeta_dtheta(point_.theta);
  MatrixXd information = T.transpose() * zeta_hessian_ * T;
  information.diagonal() += precision_;
  if (step_ > options_.tolerance && extrapolation_.improve(step, information, better)) {
    trial_.theta = point_.theta + better.dtheta;
    const ParameterConstraints constraints = problem_.constraints(trial_.theta);
    if (constraints.g.size() == 0 || constraints.g.minCoeff() >= 0) {
      condenser_.move(point_, better, trial_);
      if (accept(predicted_ + price_ * violation_)) {
        extrapolation_.remember(step, better);
        row.length = 1.0;
        return true;
      }
    }
    extrapolation_.forget();
  }
  extrapolation_.remember(step, step);
  return false;
}

/// One iteration; false when no step could be found.
bool Search::iterate(Iteration& row) {
  condense();
  row.cost = cost_;
  row.violation = condenser_.largest_defect();
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
      condenser_.restore(*at_, point_);
      restored_ = true;
      condense();
      continue;
    }
    damping_ = damping_ == 0 ? 1e-3 : 10 * damping_;
    if (damping_ > largest_damping) return false;
  }
  restored_ = false;
  if (row.length != 1.0) extrapolation_.forget();
  steps_before_[1] = near_ ? steps_before_[0] : 0;
  steps_before_[0] = step_;
  near_ = row.length == 1.0 && row.damping == 0 &&
          step_ < curvature_gate * std::sqrt(static_cast<double>(1 + dtheta_.size()));
  if (proximal_ > 0 && row.length == 1.0 && row.damping == 0) {
    proximal_ *= 0.03;
    if (proximal_ * lacking_.maxCoeff() < 0.01 * precision_.minCoeff()) proximal_ = 0;
  }
  if (row.length == 1.0) damping_ = damping_ < 1e-3 ? 0.0 : damping_ / 10;
  if (row.length < 0.5) damping_ = std::max(10 * damping_, 1e-3);
  std::swap(point_, trial_);
  std::swap(parts_, trial_parts_);
  std::swap(at_, trial_at_);
  cost_ = trial_cost_;
  violation_ = trial_violation_;
  return true;
}

void Search::finish(Solution& out) {
  // Covariance of Gauss–Newton at the solution.
  near_ = false;
  condense();
  const MatrixXd jacobian = problem_.dzeta_dtheta(point_.theta);
  out.data_hessian = jacobian.transpose() * zeta_hessian_ * jacobian;
  out.active = active_;
  MatrixXd hessian = out.data_hessian;
  hessian.diagonal() += precision_;
  if (mean_.size() > 0)
    out.theta_cov = arrival_covariance(hessian, problem_.constraints(point_.theta), active_);
  condenser_.restore(*at_, point_);
  out.violation = condenser_.largest_defect();
  out.cost = cost_;
  out.cost_parts.assign(parts_.begin(), parts_.end());
  out.cost_parts.push_back(0.5 * (point_.theta - mean_).cwiseAbs2().dot(precision_));
  out.point = point_;
  out.timing = condenser_.timing(point_);
}

Solution Search::run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Solution out;
  at_ = problem_.at(point_.theta);
  if (!evaluate(point_, *at_, cost_, violation_)) {
    out.status = Status::not_finite;
    out.message = place_;
    out.point = point_;
    return out;
  }
  parts_ = trial_parts_;
  out.status = Status::iteration_limit;
  for (int i = 0; i < options_.max_iterations; ++i) {
    if (options_.stop && options_.stop()) {
      out.status = Status::interrupted;
      break;
    }
    Iteration row{.number = i + 1};
    const bool moved = iterate(row);
    row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    out.history.push_back(row);
    if (options_.on_iteration) options_.on_iteration(row);
    if (!moved) {
      out.status = Status::stalled;
      break;
    }
    if (options_.on_accepted) options_.on_accepted(point_);
    if (row.damping == 0 && row.length == 1.0 && row.proximal == 0 &&
        row.step <= options_.tolerance && row.violation <= options_.tolerance) {
      out.status = Status::converged;
      break;
    }
  }
  finish(out);
  out.timing.total = std::chrono::duration<double>(Clock::now() - begin).count();
  return out;
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::stalled:
      return "stalled";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::not_finite:
      return "not_finite";
  }
  return "";
}

Solution solve(const Problem& problem, const SolverOptions& options, const Point* start) {
  return Search(problem, options, start).run();
}

}  // namespace bayesid
