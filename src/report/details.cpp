// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/result.hpp"

#include <limits>
#include <utility>

#include "report/contact_forces.hpp"
#include "report/energy_flow.hpp"
#include "report/friction_curves.hpp"
#include "report/residual_checks.hpp"
#include "report/units.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Numbers at the samples of a recording as a column over the nodes.
VectorXd at_nodes(const Timeline& timeline, const Eigen::Ref<const Eigen::RowVectorXd>& samples) {
  VectorXd out =
      VectorXd::Constant(std::ssize(timeline.nodes), std::numeric_limits<double>::quiet_NaN());
  for (Index k = 0; k < out.size(); ++k) {
    const int sample = timeline.nodes[k].sample;
    if (sample >= 0) out[k] = samples[sample];
  }
  return out;
}

MatrixXd std_of_efforts(const RobotProblem& problem, const VectorXd& theta,
                        const Posterior& posterior, int t, const EffortPrediction& prediction) {
  const Dynamics& dynamics = problem.dynamics();
  const MatrixXd dzeta_dtheta = dynamics.dzeta_dtheta(theta);
  const MatrixXd zeta_cov = dzeta_dtheta * posterior.theta_cov * dzeta_dtheta.transpose();
  return effort_std(dynamics, theta,
                    {.motion = prediction.motion,
                     .motion_cov = prediction.motion_cov,
                     .predicted = prediction.identified,
                     .recording = problem.recordings()[t],
                     .timeline = problem.timeline(t),
                     .zeta_cov = zeta_cov,
                     .effort_std = problem.noise().effort});
}

/// Measured, nominal and identified effort take the place of the one of trajectory.csv.
void add_efforts(const RobotProblem& problem, const EffortPrediction& prediction,
                 const MatrixXd& std, int t, TrajectoryTable& out) {
  const Timeline& timeline = problem.timeline(t);
  for (const Joint& joint : problem.dynamics().robot().joints) {
    const int j = joint.idx_v;
    const std::string name = "tau." + joint.name, unit = effort_unit(joint);
    std::erase_if(out.columns, [&](const Column& column) { return column.name == name; });
    const auto add = [&](const char* which, const MatrixXd& from) {
      out.columns.push_back({name + which, unit, at_nodes(timeline, from.row(j))});
    };
    add(".measured", problem.recordings()[t].effort);
    add(".nominal", prediction.nominal);
    add(".identified", prediction.identified);
    add(".std", std);
  }
}

void add_energy(const EnergyFlow& flow, TrajectoryTable& out) {
  out.columns.push_back({"energy.supplied", "J", flow.supplied});
  out.columns.push_back({"energy.stored", "J", flow.stored});
  out.columns.push_back({"energy.dissipated", "J", flow.dissipated});
  out.columns.push_back({"energy.balance", "J", flow.balance()});
}

std::vector<LinkInertia> make_inertias(const ParameterSet& parameters, const VectorXd& theta) {
  const auto before = parameters.link_inertias(parameters.prior());
  const auto after = parameters.link_inertias(theta);
  std::vector<LinkInertia> out;
  for (size_t i = 0; i < after.size(); ++i)
    out.push_back({after[i].first, before[i].second, after[i].second});
  return out;
}

}  // namespace

ResultDetails make_details(const RobotProblem& problem, const Solution& solution,
                           const Result& result, EstimatedMotion motion) {
  const VectorXd& theta = solution.point.theta;
  const ParameterSet& parameters = problem.dynamics().parameters();
  const Posterior& posterior = result.posterior;
  const std::vector<EffortPrediction>& predictions = result.predictions;
  ResultDetails out;
  out.motion = std::move(motion);
  out.friction = make_friction_curves(parameters, theta, posterior.theta_cov, predictions);
  out.residuals = make_residual_checks(problem, out.motion.statistics);
  out.sensors = make_sensor_checks(out.residuals);
  out.cones = make_cone_uses(problem, solution, result.paths);
  out.inertias = make_inertias(parameters, theta);
  std::vector<TrajectoryTable> tables = out.motion.tables;
  std::vector<MatrixXd> stds;
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    stds.push_back(std_of_efforts(problem, theta, posterior, t, predictions[t]));
    add_efforts(problem, predictions[t], stds.back(), t, tables[t]);
    add_energy(make_energy_flow(problem, theta, t, solution.point.paths[t]), tables[t]);
  }
  out.model_error = locate_model_error(problem, predictions, stds);
  out.series = pack_series(tables, make_friction_clouds(problem, theta, predictions));
  return out;
}

ResultDetails make_details(const RobotProblem& problem, const Solution& solution,
                           const Result& result, int num_threads) {
  return make_details(problem, solution, result,
                      make_estimated_motion(problem, solution, result.paths, num_threads));
}

}  // namespace bayesid
