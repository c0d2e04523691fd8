// SPDX-License-Identifier: BSD-3-Clause
// Impacts that slip, as stages of a problem: derivatives, noise, cost, and whole problems.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "dynamics/kkt_factorisation.hpp"
#include "dynamics/slip.hpp"
#include "support/cube_toss.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/slip_oracle.hpp"
#include "support/standing.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A quadruped of which two feet come down at once, and are constrained in height alone.
std::unique_ptr<RobotProblem> landing_quadruped(Formulation formulation) {
  const test::Scene scene = test::make_scene("quadruped", test::standing_anymal());
  const Dynamics& dynamics = *scene.dynamics;
  Recording recording = test::standing_recording(scene, 21, 1);
  const double time = recording.time[10];
  recording.phases = {{-1, time, {"LF", "RH"}}, {time, 10, {"LF", "RH", "RF", "LH"}}};
  recording.impacts = {{time, {"RF", "LH"}, 0.1, 0.3, 0.05}};
  ProblemOptions options;
  options.constraints = make_constraints(dynamics.robot(), scene.config);
  for (MotionConstraint& contact : options.constraints.contacts) contact.rows = {2};
  options.formulation = formulation;
  const Noise noise = make_noise(dynamics.robot(), scene.config, {recording});
  return std::make_unique<RobotProblem>(scene.dynamics, std::vector<Recording>{recording}, noise,
                                        Integrator::semi_implicit_euler, options);
}

/// One impact of a problem and the oracle of its jump.
struct Impact {
  explicit Impact(const RobotProblem& of) : problem(of), dynamics(of.dynamics()) {
    const std::vector<StagePlan>& stages = problem.timeline(0).stages;
    while (!stages[k].impact) ++k;
    mode = problem.timeline(0).modes[stages[k].mode];
  }

  StageDynamics stage_at(const VectorXd& theta, const VectorXd& x) const {
    Dynamics::Workspace workspace(dynamics);
    StageDynamics out(dynamics.nv(), dynamics.nzeta(), mode.num_rows());
    const VectorXd q = x.head(dynamics.robot().nq()), v = x.tail(dynamics.nv());
    dynamics.solve_impact(*dynamics.at(theta), mode, q, v, workspace, out);
    return out;
  }

  const RobotProblem& problem;
  const Dynamics& dynamics;
  int k = 0;
  Mode mode;
};

/// A point at which the impact is satisfied exactly, with a slip that is not small.
struct SlippingPoint {
  explicit SlippingPoint(const Impact& impact) : point(impact.problem.start()) {
    const int nv = impact.dynamics.nv();
    Path& path = point.paths[0];
    x = path.x.col(impact.k);
    std::srand(3);
    path.gamma.col(impact.k) = VectorXd::Random(2 * nv);
    const StageDynamics stage = impact.stage_at(point.theta, x);
    impulse = test::slip_impulse(stage, impact.mode, path.gamma.col(impact.k).tail(nv));
    const VectorXd jump = test::slipping_jump(stage, impact.mode, x.tail(nv), impulse);
    path.u.col(impact.k).head(nv) = jump;
    path.x.col(impact.k + 1) = x;
    path.x.col(impact.k + 1).tail(nv) += jump;
  }
  Point point;
  VectorXd x, impulse;
};

/// Covariance of the velocity that the slip gives: W = Z Zᵀ Jₜᵀ Σ Jₜ Z Zᵀ.
MatrixXd slip_cov(const StageDynamics& stage, const Mode& mode) {
  const MatrixXd Z = stage.kkt->Z(), J = stage.slip->J();
  const MatrixXd B = Z * Z.transpose() * J.transpose() * test::slip_std(mode).asDiagonal();
  return B * B.transpose();
}

void check(const char* name, const MatrixXd& analytic, const MatrixXd& numeric) {
  const DerivativeCheck result = check_derivatives(analytic, numeric, 1e-2);
  BOOST_TEST_CONTEXT(name << ": " << result.worst_entry) {
    BOOST_TEST(result.max_error < 1e-6);
  }
}

void check_stage(const RobotProblem& problem) {
  const Impact impact(problem);
  const Dynamics& dynamics = problem.dynamics();
  const Robot& robot = dynamics.robot();
  const int nq = robot.nq(), nv = robot.nv();
  const SlippingPoint here(impact);
  const Path& path = here.point.paths[0];
  const VectorXd& theta = here.point.theta;
  const auto at = problem.at(theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  problem.trajectory(0).linearise(*at->trajectories[0], impact.k, path, *workspace, stage,
                                  records.get());

  const auto moved = [&](const VectorXd& dx, const VectorXd& parameters) {
    VectorXd from(nq + nv), q(nq), out(2 * nv);
    integrate(robot, here.x.head(nq), dx.head(nv), q);
    from << q, here.x.tail(nv) + dx.tail(nv);
    const StageDynamics there = impact.stage_at(parameters, from);
    difference(robot, path.x.col(impact.k + 1).head(nq), q, out.head(nv));
    out.tail(nv) = from.tail(nv) - path.x.col(impact.k + 1).tail(nv) +
                   test::slipping_jump(there, impact.mode, from.tail(nv), here.impulse);
    return out;
  };
  const VectorXd zero = VectorXd::Zero(2 * nv);
  check("dx", stage.A,
        precise_jacobian([&](const VectorXd& dx) { return moved(dx, theta); }, zero));
  const MatrixXd D = stage.D.leftCols(stage.nd), K = stage.K.topRows(stage.nd);
  check("dtheta", test::heavy_links(dynamics, D * K * problem.space().dzeta_dtheta(theta)),
        test::heavy_links(
            dynamics,
            precise_jacobian([&](const VectorXd& parameters) { return moved(zero, parameters); },
                             theta, 1e-3 * problem.space().prior_std())));
  const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
  VectorXd shift(2 * nv), rows(0);
  problem.trajectory(0).parameter_shift(*at->trajectories[0], impact.k, path, dzeta, *workspace,
                                        *records, shift, rows);
  BOOST_TEST((shift - D * (K * dzeta)).norm() < 1e-9 * (1 + shift.norm()));

  // The noise of the stage is the slip, and what the multiplier makes of it closes the stage.
  const MatrixXd W = slip_cov(impact.stage_at(theta, here.x), impact.mode);
  const MatrixXd N = stage.N.leftCols(stage.nw);
  BOOST_TEST((N * N.transpose()).topRows(nv).norm() < 1e-14);
  BOOST_TEST((N.bottomRows(nv) * N.bottomRows(nv).transpose() - W).norm() < 1e-10 * W.norm());
  BOOST_TEST((stage.d - N * (N.transpose() * stage.gamma)).norm() < 1e-9 * (1 + stage.d.norm()));
  BOOST_TEST(stage.closing_cost < 1e-12);
}

/// From states that a slip can explain: its cost, and its inputs.
void check_price(const RobotProblem& problem) {
  const Impact impact(problem);
  const int nv = problem.dynamics().nv();
  SlippingPoint here(impact);
  Path& path = here.point.paths[0];
  const auto at = problem.at(here.point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  const Path exact = path;
  path.u.col(impact.k).setZero();
  path.gamma.col(impact.k).tail(nv).setZero();
  VectorXd parts(static_cast<Eigen::Index>(problem.cost_parts().size()) + 1);
  BOOST_REQUIRE(
      problem.trajectory(0).evaluate(*at->trajectories[0], impact.k, path, *workspace, parts));
  const StageDynamics stage = impact.stage_at(here.point.theta, here.x);
  const VectorXd slipped =
      exact.x.col(impact.k + 1).tail(nv) - exact.x.col(impact.k).tail(nv) - stage.a;
  const MatrixXd W = slip_cov(stage, impact.mode);
  const double price = 0.5 * slipped.dot(W.completeOrthogonalDecomposition().solve(slipped));
  BOOST_TEST(parts[1] == price, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(parts[parts.size() - 1] < 1e-6);  // nothing is left that noise cannot make

  problem.trajectory(0).restore(*at->trajectories[0], impact.k, *workspace, path);
  BOOST_TEST((path.u.col(impact.k).head(nv) - exact.u.col(impact.k).head(nv)).norm() <
             1e-9 * (1 + exact.u.col(impact.k).norm()));
  // γ may differ in the nullspace of W; the slip does not.
  const VectorXd told = W * path.gamma.col(impact.k).tail(nv);
  BOOST_TEST((told + slipped).norm() < 1e-9 * slipped.norm());
  BOOST_TEST((path.gamma.col(impact.k) - exact.gamma.col(impact.k)).head(nv).norm() == 0);
  // A jump that no slip explains is an infeasibility in the merit function.
  path.x.col(impact.k + 1).tail(nv) += stage.kkt->pseudo_inverse().col(0);
  BOOST_REQUIRE(
      problem.trajectory(0).evaluate(*at->trajectories[0], impact.k, path, *workspace, parts));
  BOOST_TEST(parts[parts.size() - 1] > 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(slipping_stages_agree_with_central_differences) {
  for (const Formulation formulation : {Formulation::inverse, Formulation::forward}) {
    BOOST_TEST_CONTEXT("formulation " << static_cast<int>(formulation)) {
      check_stage(*landing_quadruped(formulation));
      check_stage(test::simulated_toss(formulation).problem());
    }
  }
}

BOOST_AUTO_TEST_CASE(slipping_stages_have_the_cost_of_their_impulses) {
  check_price(*landing_quadruped(Formulation::inverse));
  check_price(test::simulated_toss(Formulation::inverse).problem());
}

BOOST_AUTO_TEST_CASE(slipping_toss_has_the_optimum_of_a_dense_oracle) {
  const test::SimulatedToss toss = test::simulated_toss(Formulation::inverse);
  const test::DenseAnswer expected = test::solve_toss_densely(toss);
  for (const Formulation formulation : {Formulation::inverse, Formulation::forward}) {
    const test::SimulatedToss same = test::simulated_toss(formulation);
    const Solution solution = solve(same.problem(), {.tolerance = 1e-9});
    BOOST_TEST(solution.converged());
    BOOST_TEST_MESSAGE("cost " << solution.cost << ", dense " << expected.cost << ", "
                               << solution.history.size() << " iterations");
    BOOST_TEST(solution.cost == expected.cost, boost::test_tools::tolerance(1e-8));
    const VectorXd std = solution.theta_cov.diagonal().cwiseSqrt();
    const VectorXd expected_std = expected.theta_cov.diagonal().cwiseSqrt();
    BOOST_TEST((solution.point.theta - expected.theta).cwiseQuotient(std).norm() < 1e-4);
    BOOST_TEST((std - expected_std).cwiseQuotient(std).lpNorm<Eigen::Infinity>() < 1e-4);
    const Path& path = solution.point.paths[0];
    const Violation violation = same.problem().details(solution.point.theta, 0, path).violation;
    BOOST_TEST(violation.gap < 1e-8);
    BOOST_TEST(violation.dynamics < 1e-8);
    BOOST_TEST(violation.constraint < 1e-8);
    // The slip is that of the data.
    const MatrixXd slip = same.problem().details(solution.point.theta, 0, path).slip;
    BOOST_TEST((slip.col(Impact(same.problem()).k) - expected.impulse).norm() <
               1e-4 * expected.impulse.norm());
  }
}

}  // namespace bayesid
