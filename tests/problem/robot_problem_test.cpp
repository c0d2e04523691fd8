// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <random>

#include "bayesid/solve.hpp"
#include "solver/accumulator.hpp"
#include "solver/parameter_qp.hpp"
#include "support/dense_kkt.hpp"
#include "support/identification.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

test::Identification short_identification(const test::Scene& scene, const test::NoiseLevels& noise,
                                          Integrator integrator, double duration = 0.05) {
  Config config = scene.config;
  config.solver.integrator = integrator;
  test::IdentificationOptions options;
  options.simulation = {
      .duration = duration, .rate = 100.0, .harmonics = 3, .base_frequency = 0.5, .amplitude = 0.5};
  options.noise = test::make_noise(scene.dynamics->nv(), noise);
  if (noise.effort > 0)
    options.noise.thrust = VectorXd::Constant(scene.dynamics->num_rotors(), 0.3 * noise.effort);
  return test::make_identification(config, options, 7);
}

/// A point off the start, with multipliers and inputs of their own.
Point random_point(const RobotProblem& problem, int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Point point = problem.start();
  const int nv = problem.dynamics().nv();
  for (Path& path : point.paths) {
    for (Eigen::Index k = 0; k < path.x.cols(); ++k) {
      const VectorXd q = path.x.col(k).head(path.x.rows() - nv);
      VectorXd moved(q.size());
      integrate(problem.dynamics().robot(), q,
                VectorXd::NullaryExpr(nv, [&] { return 1e-3 * normal(random); }), moved);
      path.x.col(k).head(q.size()) = moved;
      for (int j = 0; j < nv; ++j) path.x(q.size() + j, k) += 1e-2 * normal(random);
    }
    for (Eigen::Index k = 0; k < path.u.cols(); ++k) {
      for (int j = 0; j < nv; ++j) {
        path.u(j, k) += normal(random);
        path.gamma(j, k) = 10 * normal(random);
        path.gamma(nv + j, k) = 10 * normal(random);
        if (problem.noise().effort.size() > 0) path.u(nv + j, k) = 0.1 * normal(random);
      }
      for (Eigen::Index r = 0; r < problem.noise().thrust.size(); ++r)
        path.u(2 * nv + r, k) = 0.1 * normal(random);
    }
  }
  for (Eigen::Index i = 0; i < point.theta.size(); ++i)
    point.theta[i] += 0.1 * problem.space().prior_std()[i] * normal(random);
  return point;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stage_derivatives_agree_with_central_differences) {
  for (const test::Scene& scene : test::scenes()) {
    for (const Integrator integrator : {Integrator::semi_implicit_euler,
                                        Integrator::constant_acceleration, Integrator::midpoint}) {
      const test::Identification identification =
          short_identification(scene, {.effort = 0.0}, integrator);
      const RobotProblem& problem = *identification.problem;
      const Dynamics& dynamics = *identification.dynamics;
      const int nv = dynamics.nv(), nq = dynamics.robot().nq();
      // At a consistent acceleration the stage is the derivative of x' = Ψ(x, a(x; θ)).
      Point point = random_point(problem, 3);
      const auto workspace = problem.trajectory(0).make_workspace();
      problem.trajectory(0).restore(*problem.at(point.theta)->trajectories[0], 1, *workspace,
                                    point.paths[0]);
      Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
      const auto records = problem.trajectory(0).make_records();
      problem.trajectory(0).linearise(*problem.at(point.theta)->trajectories[0], 1, point.paths[0],
                                      *workspace, stage, records.get());

      const VectorXd x = point.paths[0].x.col(1), x_next = point.paths[0].x.col(2), q = x.head(nq);
      const VectorXd tau = inputs_at(dynamics, problem.recordings()[0], 1);
      const double dt = problem.recordings()[0].time[2] - problem.recordings()[0].time[1];
      Dynamics::Workspace dynamics_workspace(dynamics);
      const auto transition = [&](const VectorXd& dx, const VectorXd& theta) {
        VectorXd q_moved(nq), next_q(nq), out(2 * nv);
        StageDynamics moved_stage(nv, dynamics.nzeta(), 0);
        integrate(dynamics.robot(), q, dx.head(nv), q_moved);
        const VectorXd v = x.tail(nv) + dx.tail(nv);
        const test::ActingState acting = test::acting_state(problem, point.paths[0], 1, q_moved, v);
        dynamics.solve(*dynamics.at(theta), {}, acting.q, acting.v, tau, dynamics_workspace,
                       moved_stage, &acting.step);
        const VectorXd& a = moved_stage.a;
        const double gain = integrator == Integrator::semi_implicit_euler ? dt * dt : 0.5 * dt * dt;
        integrate(dynamics.robot(), q_moved, dt * v + gain * a, next_q);
        difference(dynamics.robot(), x_next.head(nq), next_q, out.head(nv));
        out.tail(nv) = v + dt * a - x_next.tail(nv);
        return out;
      };
      BOOST_TEST_CONTEXT(scene.name) {
        const VectorXd zero = VectorXd::Zero(2 * nv);
        BOOST_TEST((transition(zero, point.theta) - stage.d).norm() < 1e-10);
        const DerivativeCheck in_x = check_derivatives(
            stage.A, numeric_jacobian(
                         [&](const VectorXd& dx) { return transition(dx, point.theta); }, zero));
        const DerivativeCheck in_theta = check_derivatives(
            stage.D * stage.K * problem.space().dzeta_dtheta(point.theta),
            numeric_jacobian([&](const VectorXd& theta) { return transition(zero, theta); },
                             point.theta));
        BOOST_TEST_CONTEXT("dx " << in_x.worst_entry) {
          BOOST_TEST(in_x.max_error < 1e-6);
        }
        BOOST_TEST_CONTEXT("dtheta " << in_theta.worst_entry) {
          BOOST_TEST(in_theta.max_error < 1e-6);
        }
        VectorXd shift(2 * nv), rows(0);
        const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
        problem.trajectory(0).parameter_shift(*problem.at(point.theta)->trajectories[0], 1,
                                              point.paths[0], dzeta, *workspace, *records, shift,
                                              rows);
        BOOST_TEST((shift - stage.D * (stage.K * dzeta)).norm() < 1e-9 * (1 + shift.norm()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(terms_agree_with_central_differences) {
  for (const test::Scene& scene : test::scenes()) {
    const test::Identification identification =
        short_identification(scene, {.effort = 0.0}, Integrator::semi_implicit_euler);
    const RobotProblem& problem = *identification.problem;
    const Robot& robot = identification.dynamics->robot();
    const int nv = robot.nv(), nq = robot.nq();
    const Point point = random_point(problem, 5);
    const auto workspace = problem.trajectory(0).make_workspace();
    const auto at = problem.at(point.theta);
    const int last = problem.trajectory(0).size().num_stages;
    Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
    const auto records = problem.trajectory(0).make_records();
    VectorXd parts(static_cast<Eigen::Index>(problem.cost_parts().size()) + 1);
    for (const int k : {0, last}) {
      problem.trajectory(0).linearise(*at->trajectories[0], k, point.paths[0], *workspace, stage,
                                      records.get());
      const auto cost = [&](const VectorXd& dx) {
        Path path = point.paths[0];
        VectorXd q(nq);
        integrate(robot, path.x.col(k).head(nq), dx.head(nv), q);
        path.x.col(k).head(nq) = q;
        path.x.col(k).tail(nv) += dx.tail(nv);
        problem.trajectory(0).evaluate(*at->trajectories[0], k, path, *workspace, parts);
        parts[1] = 0;  // without the transition
        return VectorXd(VectorXd::Constant(1, parts.sum()));
      };
      const VectorXd zero = VectorXd::Zero(2 * nv);
      const DerivativeCheck check = check_derivatives(
          stage.q.transpose(), numeric_jacobian(cost, zero, VectorXd::Constant(2 * nv, 1e-4)));
      BOOST_TEST_CONTEXT(scene.name << " node " << k << " " << check.worst_entry) {
        BOOST_TEST(check.max_error < 1e-6);
      }
    }
  }
}

/// The same stage with all its inputs, u = (w, a, n), and the balance of forces as a stage
/// equality.
LqStage explicit_stage(const RobotProblem& problem, const Point& point, int k) {
  const Dynamics& dynamics = problem.dynamics();
  const int nv = dynamics.nv(), nz = dynamics.nzeta(), nx = 2 * nv;
  const int num_efforts = dynamics.num_efforts(), nu = nx + nv + num_efforts;
  const Path& path = point.paths[0];
  const auto model = dynamics.at(point.theta);
  Dynamics::Workspace workspace(dynamics);
  ForceBalance balance(nv, nz, dynamics.num_rotors());
  const VectorXd x = path.x.col(k), next = path.x.col(k + 1), a = path.u.col(k).head(nv),
                 n = path.u.col(k).tail(num_efforts);
  VectorXd tau = inputs_at(dynamics, problem.recordings()[0], k), effort_std(num_efforts);
  effort_std << problem.noise().effort, problem.noise().thrust;
  tau.head(num_efforts) += n;
  dynamics.balance(*model, x.head(nv), x.tail(nv), a, tau, Order::derivatives, workspace, balance);
  const double dt = problem.recordings()[0].time[k + 1] - problem.recordings()[0].time[k];
  const VectorXd w = problem.details(point.theta, 0, path).disturbance.col(k);
  LqStage s;
  s.A = MatrixXd::Identity(nx, nx);
  s.A.topRightCorner(nv, nv).diagonal().setConstant(dt);
  s.B = MatrixXd::Zero(nx, nu);
  s.B.leftCols(nx).setIdentity();
  s.B.block(0, nx, nv, nv).diagonal().setConstant(dt * dt);
  s.B.block(nv, nx, nv, nv).diagonal().setConstant(dt);
  s.C = MatrixXd::Zero(nx, nz);
  s.c.resize(nx);
  s.c << x.head(nv) + dt * x.tail(nv) + dt * dt * a - next.head(nv),
      x.tail(nv) + dt * a - next.tail(nv);
  s.c += w;
  s.h_x.resize(nv, nx);
  s.h_x << balance.dh_dq, balance.dh_dv;
  s.h_u = MatrixXd::Zero(nv, nu);
  s.h_u.middleCols(nx, nv) = balance.mass;
  s.h_u.rightCols(num_efforts) << -MatrixXd(model->eta.gain.asDiagonal()), -balance.rotor_force;
  s.h_zeta = balance.dh_dzeta;
  s.h = balance.h;
  const int size = nx + nu + nz;
  s.Q = MatrixXd::Zero(size, size);
  s.q = VectorXd::Zero(size);
  Stage node(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  const auto scratch = problem.trajectory(0).make_workspace();
  problem.trajectory(0).linearise(*problem.at(point.theta)->trajectories[0], k, path, *scratch,
                                  node, records.get());
  s.Q.topLeftCorner(nx, nx) = node.Q;
  s.q.head(nx) = node.q;
  VectorXd weight(nx);
  weight << problem.noise().disturbance_position.cwiseAbs2().cwiseInverse(),
      problem.noise().disturbance_velocity.cwiseAbs2().cwiseInverse();
  s.Q.block(nx, nx, nx, nx) = weight.asDiagonal();
  s.q.segment(nx, nx) = weight.cwiseProduct(w);
  const VectorXd effort_weight = effort_std.cwiseAbs2().cwiseInverse();
  s.Q.block(2 * nx + nv, 2 * nx + nv, num_efforts, num_efforts) = effort_weight.asDiagonal();
  s.q.segment(2 * nx + nv, num_efforts) = effort_weight.cwiseProduct(n);
  return s;
}

void check_known_nullspace(const test::Scene& scene) {
  // Noise of similar size everywhere: weights that span ten decades would cost the general path,
  // which holds all of them in one matrix, seven digits.
  const test::NoiseLevels moderate{.position = 1e-2,
                                   .velocity = 1e-1,
                                   .effort = 1.0,
                                   .disturbance_position = 1e-3,
                                   .disturbance_velocity = 1e-2};
  const test::Identification identification =
      short_identification(scene, moderate, Integrator::semi_implicit_euler);
  const RobotProblem& problem = *identification.problem;
  const Point point = random_point(problem, 11);
  const int nz = identification.dynamics->nzeta(), nx = 2 * identification.dynamics->nv();
  const int num_stages = problem.trajectory(0).size().num_stages;
  // A prior on ζ that keeps the linear problem well posed; the step must not depend on how inputs
  // are eliminated.
  LqProblem general;
  general.nx = nx;
  general.T = MatrixXd::Identity(nz, nz);
  general.prior_hessian = 1e2 * MatrixXd::Identity(nz, nz);
  general.prior_gradient = VectorXd::Random(nz);
  general.constraints = {MatrixXd(0, nz), VectorXd(0), MatrixXd(0, nz), VectorXd(0)};
  LqTrajectory& trajectory = general.trajectories.emplace_back();
  for (int k = 0; k < num_stages; ++k)
    trajectory.stages.push_back(explicit_stage(problem, point, k));
  Stage last(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  const auto at = problem.at(point.theta);
  const auto scratch = problem.trajectory(0).make_workspace();
  problem.trajectory(0).linearise(*at->trajectories[0], num_stages, point.paths[0], *scratch, last,
                                  records.get());
  trajectory.last_Q = MatrixXd::Zero(nx + nz, nx + nz);
  trajectory.last_Q.topLeftCorner(nx, nx) = last.Q;
  trajectory.last_q = VectorXd::Zero(nx + nz);
  trajectory.last_q.head(nx) = last.q;
  const LqSolution expected = solve_general(general);
  BOOST_REQUIRE(expected.solved);

  Accumulator accumulator(problem, 1);
  const Condensed condensed = accumulator.accumulate(point, *at);
  const ParameterQpSolution step =
      solve_parameter_qp(condensed.hessian + general.prior_hessian,
                         condensed.gradient + general.prior_gradient, general.constraints, {});
  BOOST_REQUIRE(step.solved);
  const VectorXd scale = expected.theta_cov.diagonal().cwiseSqrt();
  BOOST_TEST((step.dtheta - expected.theta).cwiseQuotient(scale).lpNorm<Eigen::Infinity>() < 1e-9);
  accumulator.solve_states(point, *at, step.dtheta);
  for (int k = 0; k <= num_stages; ++k) {
    BOOST_TEST((accumulator.sweep(0).dx(k) - expected.x[0][k]).norm() <
               1e-9 * (1 + expected.x[0][k].norm()));
  }
  // Accelerations and efforts of the moved point are those of the general solution.
  Point moved = point;
  accumulator.move(point, *at, 1.0, moved);
  for (int k = 0; k < num_stages; ++k) {
    const VectorXd du = moved.paths[0].u.col(k) - point.paths[0].u.col(k),
                   expected_du = expected.u[0][k].tail(du.size());
    BOOST_TEST((du - expected_du).norm() < 1e-8 * (1 + expected_du.norm()));
  }
}

BOOST_AUTO_TEST_CASE(known_nullspace_equals_general_recursion_with_all_inputs) {
  check_known_nullspace(test::scenes().back());
  check_known_nullspace(test::rotor_scenes().back());  // on a fixed base
}

BOOST_AUTO_TEST_CASE(results_have_the_same_bits_for_any_number_of_threads) {
  const test::Identification identification = short_identification(
      test::scenes().back(), {.effort = 0.1}, Integrator::semi_implicit_euler, 1.0);
  const Solution one = solve(*identification.problem, {.num_threads = 1});
  for (const int num_threads : {2, 3, 5}) {
    const Solution other = solve(*identification.problem, {.num_threads = num_threads});
    BOOST_TEST(other.history.size() == one.history.size());
    BOOST_TEST((other.point.theta.array() == one.point.theta.array()).all());
    BOOST_TEST((other.theta_cov.array() == one.theta_cov.array()).all());
    BOOST_TEST((other.point.paths[0].x.array() == one.point.paths[0].x.array()).all());
  }
}

BOOST_AUTO_TEST_CASE(without_free_parameters_the_motion_is_smoothed) {
  Config config = test::two_joint_config();
  const Robot robot = read_robot(config.model);
  const ParameterSet all(robot, config);
  for (const Parameter& parameter : all.all()) config.parameters.set[parameter.name].fixed = true;
  test::IdentificationOptions options = test::two_joint_options();
  const test::Identification identification = test::make_identification(config, options, 1);
  BOOST_TEST(identification.truth.size() == 0);
  const Solution solution = solve(*identification.problem, {});
  BOOST_TEST(solution.converged());
  // Smoothed velocities are closer to the truth than measured ones, and their std is that of their
  // errors.
  const Simulation& simulation = identification.simulations[0];
  const MatrixXd v = solution.point.paths[0].x.bottomRows(2);
  const MatrixXd std = state_std(*identification.problem, solution, 0, 1).bottomRows(2);
  const double measured = (simulation.measured.velocity - simulation.velocity).norm();
  BOOST_TEST((v - simulation.velocity).norm() < 0.8 * measured);
  const double normalised =
      (v - simulation.velocity).cwiseQuotient(std).squaredNorm() / static_cast<double>(v.size());
  BOOST_TEST(normalised > 0.7);
  BOOST_TEST(normalised < 1.3);
}

BOOST_AUTO_TEST_CASE(state_marginals_equal_the_inverse_of_the_whole_information_matrix) {
  const test::Identification identification = short_identification(
      test::scenes().front(),
      {.effort = 1.0, .disturbance_position = 1e-3, .disturbance_velocity = 1e-2},
      Integrator::semi_implicit_euler, 0.1);
  const RobotProblem& problem = *identification.problem;
  const Solution solution = solve(problem, {});
  const MatrixXd std = state_std(problem, solution, 0, 1);
  // Information of (θ, x₀ … x_N) assembled stage by stage.
  const StageSize size = problem.trajectory(0).size();
  const int nt = static_cast<int>(solution.point.theta.size()), nx = size.nx;
  const int n = nt + nx * (size.num_stages + 1);
  MatrixXd information = MatrixXd::Zero(n, n);
  information.diagonal().head(nt) = problem.space().prior_std().cwiseAbs2().cwiseInverse();
  const auto at = problem.at(solution.point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  const MatrixXd jacobian = problem.space().dzeta_dtheta(solution.point.theta);
  Stage stage(size, problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  for (int k = 0; k <= size.num_stages; ++k) {
    problem.trajectory(0).linearise(*at->trajectories[0], k, solution.point.paths[0], *workspace,
                                    stage, records.get());
    information.block(nt + k * nx, nt + k * nx, nx, nx) += stage.Q;
    if (k == size.num_stages) break;
    MatrixXd row = MatrixXd::Zero(nx, n);  // δx' − A δx − D K T δθ
    row.leftCols(nt) = -stage.D * stage.K * jacobian;
    row.middleCols(nt + k * nx, nx) = -stage.A;
    row.middleCols(nt + (k + 1) * nx, nx).setIdentity();
    const MatrixXd whitened = stage.N.triangularView<Eigen::Lower>().solve(row);
    information += whitened.transpose() * whitened;
  }
  const VectorXd expected = information.inverse().diagonal().cwiseSqrt();
  for (int i = 0; i < nt; ++i)
    BOOST_TEST(std::abs(std::sqrt(solution.theta_cov(i, i)) / expected[i] - 1) < 1e-6);
  for (int k = 0; k <= size.num_stages; ++k) {
    const VectorXd ratio = std.col(k).cwiseQuotient(expected.segment(nt + k * nx, nx));
    BOOST_TEST((ratio.array() - 1).abs().maxCoeff() < 1e-6);
  }
}

}  // namespace bayesid
