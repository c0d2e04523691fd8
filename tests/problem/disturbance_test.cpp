// SPDX-License-Identifier: BSD-3-Clause
// An unmodelled push, in the estimated disturbances.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/problem.hpp"
#include "bayesid/simulate.hpp"
#include "bayesid/solve.hpp"
#include "dynamics/kkt_factorisation.hpp"
#include "support/identification.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double push = 0.3;  // N·m on the crank
constexpr int crank = 0;      // its velocity

/// The leg without parameters: all are known. Its Baumgarte gains stay: without them the drift of
/// the integrator, tens of micrometres, hides what the disturbances do.
Config leg_config() {
  Config config = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
  config.parameters = {};
  config.simulation.duration = 1;
  config.simulation.rate = 500;
  return config;
}

/// The truth: something outside turns the crank all the time; the motor's effort does not contain
/// it.
Simulation pushed_leg() {
  Config config = leg_config();
  config.parameters.effort_offset.emplace();
  config.parameters.effort_offset->joints = {.all = false, .names = {"crank"}};
  config.parameters.effort_offset->prior.all = push;
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  const Noise noise = test::make_noise(
      robot.nv(), {.effort = 0, .disturbance_position = 0, .disturbance_velocity = 0});
  return simulate(dynamics, dynamics.parameters().prior(), noise, config.solver.integrator,
                  config.simulation, 1, make_constraints(robot, config), Projection::dynamic);
}

struct Estimate {
  bool converged = false;
  double force = 0;     // estimated push, N·m
  double position = 0;  // largest distance of the loop from closed, m
};

/// Push that explains the disturbances best: Zᵀ M w / dt = Zᵀ e push, with Z the free motion.
double explained_push(const RobotProblem& problem, const Path& path) {
  const Dynamics& dynamics = problem.dynamics();
  const int nv = dynamics.nv(), nq = dynamics.robot().nq();
  const VectorXd theta = problem.space().prior_mean();
  const auto model = dynamics.at(theta);
  const MatrixXd w = problem.details(theta, 0, path).disturbance.bottomRows(nv);
  Dynamics::Workspace workspace(dynamics);
  double product = 0, square = 0;
  for (int k = 0; k < w.cols(); ++k) {
    const StagePlan& plan = problem.timeline(0).stages[k];
    const Mode& mode = problem.timeline(0).modes[plan.mode];
    StageDynamics stage(nv, dynamics.nzeta(), mode.num_rows());
    dynamics.solve(*model, mode, path.x.col(k).head(nq), path.x.col(k).tail(nv),
                   problem.recordings()[0].effort.col(k), workspace, stage);
    const MatrixXd Z = stage.kkt->Z();
    const VectorXd found = Z.transpose() * stage.balance.mass * w.col(k) / plan.dt;
    const VectorXd unit = Z.row(crank).transpose();
    product += found.dot(unit);
    square += unit.squaredNorm();
  }
  return product / square;
}

Estimate estimate(const Recording& recording, Projection projection) {
  const Config config = leg_config();
  const Robot robot = read_robot(config.model);
  const auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
  const Noise noise = test::make_noise(
      robot.nv(), {.effort = 0, .disturbance_position = 1e-6, .disturbance_velocity = 2e-2});
  const RobotProblem problem(
      dynamics, {recording}, noise, config.solver.integrator,
      {.constraints = make_constraints(robot, config), .projection = projection});
  const Solution solution = solve(problem, {});
  const Path& path = solution.point.paths[0];
  return {solution.converged(), explained_push(problem, path),
          problem.details(solution.point.theta, 0, path).violation.position};
}

}  // namespace

BOOST_AUTO_TEST_CASE(disturbances_on_a_loop_explain_a_push_and_keep_it_closed) {
  const Simulation truth = pushed_leg();
  const Estimate projected = estimate(truth.measured, Projection::dynamic);
  const Estimate free = estimate(truth.measured, Projection::none);
  BOOST_TEST_MESSAGE("push " << push << " N·m; dynamic " << projected.force << ", loop open by "
                             << projected.position << " m; none " << free.force << ", "
                             << free.position << " m; simulated drift " << truth.drift << " m");
  BOOST_TEST(projected.converged);
  BOOST_TEST(free.converged);
  // Disturbances are shrunk towards zero, most at the ends: a few percent.
  BOOST_TEST(std::abs(projected.force - push) < 0.1 * push);
  BOOST_TEST(free.position > 10 * projected.position);
}

}  // namespace bayesid
