// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/solver/solve.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <chrono>

#include "solver/arrival.hpp"
#include "solver/condense.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Steps shorter than this (in posterior standard deviations, per parameter) are close enough for second derivatives.
constexpr double curvature_gate = 1.0;
constexpr double sufficient_decrease = 0.1;
constexpr double shortest_length = 0.2;  // below it, damping is raised instead
constexpr double largest_damping = 1e12;

/// Everything one call of solve() carries from iteration to iteration.
class Search {
 public:
  Search(const Problem& problem, const SolverOptions& options, const Point* start)
      : problem_(problem),
        options_(options),
        condenser_(problem, std::max(1, options.num_threads)),
        mean_(problem.prior_mean()),
        precision_(problem.prior_std().cwiseAbs2().cwiseInverse()) {
    point_ = start ? *start : problem.start();
    trial_ = point_;
  }

  Solution run();

 private:
  bool evaluate(const Point& point, const Problem::At& at, double& cost);
  void condense();
  MatrixXd convexified_curvature() const;
  bool propose();
  bool try_lengths(Iteration& row);
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
  double damping_ = 0;
  bool near_ = false;  // the last step was full and short: second derivatives may be used
  bool with_curvature_ = false;
  // Of the current linearisation:
  MatrixXd dzeta_dtheta_, data_hessian_, hessian_;
  VectorXd gradient_, dtheta_;
  ParameterConstraints constraints_;
  std::vector<int> active_;
  double step_ = 0, predicted_ = 0;
  std::string place_;
};

bool Search::evaluate(const Point& point, const Problem::At& at, double& cost) {
  if (!condenser_.evaluate(point, at, trial_parts_, place_)) return false;
  const double prior = 0.5 * (point.theta - mean_).cwiseAbs2().dot(precision_);
  cost = trial_parts_.sum() + prior;
  return std::isfinite(cost);
}

void Search::condense() {
  condenser_.linearise(point_, *at_);
  dzeta_dtheta_ = problem_.dzeta_dtheta(point_.theta);
  data_hessian_ = dzeta_dtheta_.transpose() * condenser_.hessian() * dzeta_dtheta_;
  data_hessian_ = 0.5 * (data_hessian_ + data_hessian_.transpose()).eval();
  gradient_ = dzeta_dtheta_.transpose() * condenser_.gradient() + precision_.cwiseProduct(point_.theta - mean_);
  hessian_ = data_hessian_;
  hessian_.diagonal() += precision_;
  constraints_ = problem_.constraints(point_.theta);
  with_curvature_ = false;
  if (near_) {
    const MatrixXd with = hessian_ + convexified_curvature();
    if (Eigen::LLT<MatrixXd>(with).info() == Eigen::Success) {
      hessian_ = with;
      with_curvature_ = true;
    }
  }
}

/// ξ·h_θθ with eigenvalues, in units of the prior precision, not below −0.9: prior and curvature together stay positive.
MatrixXd Search::convexified_curvature() const {
  const MatrixXd curvature =
      problem_.curvature(point_.theta, condenser_.multiplier_gradient(), condenser_.curvature());
  const VectorXd scale = precision_.cwiseSqrt();
  const MatrixXd scaled = scale.cwiseInverse().asDiagonal() * curvature * scale.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
  const VectorXd values = eigen.eigenvalues().cwiseMax(-0.9);
  const MatrixXd clipped = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  return scale.asDiagonal() * clipped * scale.asDiagonal();
}

/// Step of all unknowns with the current damping, its length and the decrease it promises.
bool Search::propose() {
  MatrixXd damped = hessian_;
  damped.diagonal() += damping_ * precision_;
  const ArrivalStep arrival = solve_arrival(damped, gradient_, constraints_, active_);
  if (!arrival.solved) return false;
  active_ = arrival.active;
  dtheta_ = arrival.dtheta;
  condenser_.solve_states(point_, *at_, dzeta_dtheta_ * dtheta_);
  // zᵀHz = −gᵀz + dᵀδγ + forces, and the decrease of Φ that follows from it.              docs/math/riccati.md (12)
  const VectorXd prior_gradient = precision_.cwiseProduct(point_.theta - mean_);
  const double along = condenser_.gradient_along_step() + prior_gradient.dot(dtheta_) +
                       condenser_.multiplier_gradient().dot(dzeta_dtheta_ * dtheta_);
  const double forces =
      arrival.inequality_force.size() > 0 ? arrival.inequality_force.dot(constraints_.G * dtheta_) : 0.0;
  const double defect = condenser_.defect_along_step();
  const double square = std::max(0.0, -along + defect + forces);
  step_ = std::sqrt(square);
  predicted_ = std::max(0.0, 0.5 * square - defect + 0.5 * condenser_.defect_cost());
  return std::isfinite(step_);
}

/// Full step, then shorter ones; true when one of them lowers Φ as promised.
bool Search::try_lengths(Iteration& row) {
  const double noise = 1e-11 * std::max(1.0, std::abs(cost_));
  for (double length = 1.0; length >= shortest_length; length *= 0.5) {
    condenser_.move(point_, length, trial_);
    trial_.theta = point_.theta + length * dtheta_;
    trial_at_ = problem_.at(trial_.theta);
    if (!evaluate(trial_, *trial_at_, trial_cost_)) continue;
    const double promised = (2 * length - length * length) * predicted_;
    if (trial_cost_ <= cost_ - sufficient_decrease * promised + noise) {
      row.length = length;
      return true;
    }
  }
  return false;
}

/// One iteration; false when no step could be found.
bool Search::iterate(Iteration& row) {
  condense();
  row.cost = cost_;
  row.violation = condenser_.largest_defect();
  row.curvature = with_curvature_;
  while (true) {
    row.damping = damping_;
    if (propose()) {
      if (row.step == 0) row.step = step_;
      if (try_lengths(row)) break;
    }
    damping_ = damping_ == 0 ? 1e-3 : 10 * damping_;
    if (damping_ > largest_damping) return false;
  }
  near_ = row.length == 1.0 && row.damping == 0 &&
          step_ < curvature_gate * std::sqrt(static_cast<double>(1 + dtheta_.size()));
  if (row.length == 1.0) damping_ = damping_ < 1e-3 ? 0.0 : damping_ / 10;
  if (row.length < 0.5) damping_ = std::max(10 * damping_, 1e-3);
  std::swap(point_, trial_);
  std::swap(parts_, trial_parts_);
  std::swap(at_, trial_at_);
  cost_ = trial_cost_;
  return true;
}

void Search::finish(Solution& out) {
  // Covariance of Gauss–Newton at the solution.
  near_ = false;
  condense();
  out.data_hessian = data_hessian_;
  out.active = active_;
  if (mean_.size() > 0) out.theta_cov = arrival_covariance(hessian_, constraints_, active_);
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
  if (!evaluate(point_, *at_, cost_)) {
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
    if (row.damping == 0 && row.length == 1.0 && row.step <= options_.tolerance &&
        row.violation <= options_.tolerance) {
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
    case Status::converged: return "converged";
    case Status::stalled: return "stalled";
    case Status::iteration_limit: return "iteration_limit";
    case Status::interrupted: return "interrupted";
    case Status::not_finite: return "not_finite";
  }
  return "";
}

Solution solve(const Problem& problem, const SolverOptions& options, const Point* start) {
  return Search(problem, options, start).run();
}

}  // namespace bayesid
