// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/result.hpp"

#include <algorithm>
#include <utility>

#include "report/contact_forces.hpp"
#include "report/provenance.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The parts of the objective by name; what is none of those belongs to a sensor.
void add_cost(const RobotProblem& problem, const Solution& solution, Result& out) {
  out.cost = {{"total", solution.cost}, {"arrival", 0}, {"prior", 0}, {"disturbance", 0}};
  if (problem.has_inequalities()) out.cost["inequalities"] = 0;
  std::vector<std::string> names = problem.cost_parts();
  names.emplace_back("prior");
  for (size_t i = 0; i < std::min(names.size(), solution.cost_parts.size()); ++i) {
    const auto known = out.cost.find(names[i]);
    if (known != out.cost.end()) {
      known->second = solution.cost_parts[i];
    } else {
      out.measurements[names[i]] = solution.cost_parts[i];
    }
  }
}

void add_violation(const RobotProblem& problem, const Solution& solution, Result& out) {
  Violation worst;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const Violation& one = out.paths[t].violation;
    worst.gap = std::max(worst.gap, one.gap);
    worst.dynamics = std::max(worst.dynamics, one.dynamics);
    worst.constraint = std::max(worst.constraint, one.constraint);
    worst.position = std::max(worst.position, one.position);
  }
  const LinearConstraints constraints = problem.space().constraints(solution.point.theta);
  const double equality = constraints.e.size() > 0 ? constraints.e.cwiseAbs().maxCoeff() : 0.0;
  const double inequality =
      constraints.g.size() > 0 ? std::max(0.0, -constraints.g.minCoeff()) : 0.0;
  out.violation = {{"gap", worst.gap},
                   {"dynamics", worst.dynamics},
                   {"constraint", worst.constraint},
                   {"position", worst.position},
                   {"parameter_equality", equality},
                   {"parameter_inequality", inequality}};
  if (problem.has_inequalities()) out.violation["stage_inequality"] = solution.gap;
}

/// Efforts of both models along the same motion, which no effort has influenced.
void add_prediction(const RobotProblem& problem, const Solution& solution, Result& out) {
  const Dynamics& dynamics = problem.dynamics();
  EffortPredictions predicted = predict_with_both(
      problem, *dynamics.at(problem.space().prior_mean()), *dynamics.at(solution.point.theta));
  out.predictions = std::move(predicted.recordings);
  out.nominal = std::move(predicted.nominal);
  out.identified = std::move(predicted.identified);
}

void add_warnings(const RobotProblem& problem, const Solution& solution, Result& out) {
  const ParameterSet& parameters = problem.dynamics().parameters();
  out.warnings = problem.dynamics().robot().warnings;
  out.warnings.insert(out.warnings.end(), parameters.warnings().begin(),
                      parameters.warnings().end());
  const std::vector<ParameterConstraintAt> rows =
      parameters.constraints().inequalities(solution.point.theta);
  for (const int i : solution.active) {
    if (i >= static_cast<int>(rows.size())) continue;
    out.bounds.push_back(rows[i].name);
    out.findings.push_back("the estimate is at its bound " + rows[i].name +
                           ": its error bar is conditional on the bound; widen the bound "
                           "unless it is physical");
  }
  const bool has_rotors = problem.dynamics().num_rotors() > 0;
  if (has_rotors && problem.noise().thrust.size() == 0) {
    out.findings.emplace_back(
        "rotor commands are taken as exact: if the rotors do not follow them exactly, the error "
        "bars are too small; set measurements.thrust");
  }
  const bool has_motors = !has_rotors || !problem.dynamics().robot().joints.empty();
  if (has_motors && problem.noise().effort.size() == 0) {
    out.findings.emplace_back(
        "efforts are taken as exact: if their sensors are noisy, the error bars are too small; "
        "set measurements.effort");
  }
  const std::vector<std::string> pulling = contacts_that_pull(problem, solution, out.paths);
  out.findings.insert(out.findings.end(), pulling.begin(), pulling.end());
}

/// How often each inequality of states, forces and efforts is active, as a share of nodes or
/// stages.
void add_active_limits(const RobotProblem& problem, const Solution& solution, Result& out) {
  const StageLimits& limits = problem.options().limits;
  double nodes = 0;
  for (const Path& path : solution.point.paths) nodes += static_cast<double>(path.kappa.cols());
  const auto add = [&](const std::string& name, int first, int count) {
    double active_limits = 0;
    for (const Path& path : solution.point.paths) {
      for (Eigen::Index k = 0; k < path.kappa.cols(); ++k)
        active_limits += path.kappa.col(k).segment(first, count).isZero(0) ? 0 : 1;
    }
    out.active_limits[name] = active_limits / nodes;
  };
  int place = 0;
  for (const JointLimit& limit : limits.position) add(limit.name, place++, 1);
  for (const JointLimit& limit : limits.velocity) add(limit.name, place++, 1);
  for (const ContactLimit& limit : limits.contacts) {
    add(limit.name, place, 3);
    place += 3;
  }
  for (const JointLimit& limit : limits.effort) add(limit.name, place++, 1);
}

}  // namespace

Result make_result(const RobotProblem& problem, const Solution& solution,
                   const std::vector<LogUse>& logs) {
  Result out;
  out.status = solution.status;
  out.log_evidence = solution.log_evidence;
  out.message = solution.message;
  out.history = solution.history;
  out.timing = solution.timing;
  out.logs = logs;
  for (const Joint& joint : problem.dynamics().robot().joints) out.joints.push_back(joint.name);
  const ParameterSet& parameters = problem.dynamics().parameters();
  for (const Presliding& one : parameters.presliding())
    out.presliding_distance[parameters.drives()[one.drive].name] = one.distance;
  for (int t = 0; t < problem.num_trajectories(); ++t)
    out.num_stages += problem.trajectory(t).size().num_stages;
  out.model = make_model_facts(problem.dynamics().robot());
  out.posterior = make_posterior(problem.dynamics().parameters(), solution);
  out.identifiability = make_identifiability(problem, solution);
  for (int t = 0; t < problem.num_trajectories(); ++t)
    out.paths.push_back(problem.details(solution.point.theta, t, solution.point.paths[t]));
  add_cost(problem, solution, out);
  add_violation(problem, solution, out);
  if (problem.has_inequalities()) add_active_limits(problem, solution, out);
  add_prediction(problem, solution, out);
  add_warnings(problem, solution, out);
  return out;
}

}  // namespace bayesid
