// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/solve.hpp"

#include <chrono>

#include "solver/feasible.hpp"
#include "solver/parameter_qp.hpp"
#include "solver/search.hpp"

namespace bayesid {

using Eigen::MatrixXd;

void Search::finish(Solution& out) {
  // Covariance of Gauss–Newton at the solution.
  near_ = false;
  const bool keeps = options_.keep_sweeps && out.status == Status::converged;
  if (keeps) accumulator_.keep_gains();
  condense();
  const MatrixXd jacobian = space_.dzeta_dtheta(point_.theta);
  out.zeta_hessian = zeta_hessian_;
  out.data_hessian = jacobian.transpose() * zeta_hessian_ * jacobian;
  out.active = active_;
  const PriorAt prior = space_.prior(point_.theta);
  const MatrixXd hessian = out.data_hessian + prior.hessian;
  out.log_evidence = -cost_;
  if (point_.theta.size() > 0) {
    const LinearConstraints constraints = space_.constraints(point_.theta);
    out.theta_cov = constrained_covariance(hessian, constraints, active_);
    out.log_evidence -= 0.5 * information_gain(hessian, precision_, constraints.E);
  }
  accumulator_.restore(*at_, point_);
  out.violation = condensed_.largest_defect;
  if (problem_.has_inequalities()) out.gap = accumulator_.update_multipliers(*at_, false, point_);
  out.cost = cost_;
  out.cost_parts.assign(parts_.begin(), parts_.end());
  out.cost_parts.push_back(prior.cost);
  out.point = point_;
  out.timing = accumulator_.timing(point_);
  if (keeps) out.sweeps = kept_;
}

Solution Search::run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Solution out;
  if (point_.theta.size() > 0 && !find_feasible(space_, precision_, point_.theta)) {
    out.message = "the parameter constraints are infeasible";
    out.point = point_;
    return out;
  }
  at_ = problem_.at(point_.theta);
  accumulator_.lag(*at_, point_);
  trial_ = point_;
  if (!evaluate(point_, *at_, cost_, violation_)) {
    out.status = Status::not_finite;
    out.message = location_;
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
    const bool is_plain = row.damping == 0 && row.length == 1.0 && row.proximal == 0;
    const bool is_short = row.step <= options_.tolerance && row.violation <= options_.tolerance;
    const bool holds = !problem_.has_inequalities() || (is_plain && update_multipliers(row));
    if (is_plain && is_short && holds) {
      out.status = Status::converged;
      break;
    }
  }
  finish(out);
  out.timing.total = std::chrono::duration<double>(Clock::now() - begin).count();
  return out;
}

namespace {

Iteration behind(const std::vector<Iteration>& earlier, Iteration row) {
  if (earlier.empty()) return row;
  row.number += earlier.back().number;
  row.seconds += earlier.back().seconds;
  return row;
}

}  // namespace

void append_history(const std::vector<Iteration>& later, std::vector<Iteration>& out) {
  const std::vector<Iteration> earlier = out;
  for (const Iteration& row : later) out.push_back(behind(earlier, row));
}

std::function<void(const Iteration&)> continued(const std::function<void(const Iteration&)>& call,
                                                const std::vector<Iteration>& earlier) {
  if (!call) return call;
  return [call, earlier](const Iteration& row) { call(behind(earlier, row)); };
}

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
