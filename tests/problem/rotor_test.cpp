// SPDX-License-Identifier: BSD-3-Clause
// Robots that rotors move: stages, recordings, and a quadrotor identified from a flight.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>
#include <random>

#include "bayesid/error.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/solve.hpp"
#include "support/floating_motion.hpp"
#include "support/identification.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

test::Identification short_flight(const test::Scene& scene, Integrator integrator,
                                  Formulation formulation) {
  Config config = scene.config;
  config.solver.integrator = integrator;
  config.solver.dynamics = formulation;
  test::IdentificationOptions options;
  options.simulation = {.duration = 0.05, .rate = 100.0, .harmonics = 3, .base_frequency = 0.5};
  options.noise = test::make_noise(scene.dynamics->nv(), {});
  options.noise.thrust = VectorXd::Constant(scene.dynamics->num_rotors(), 0.2);
  options.prior_error = 0.3;
  return test::make_identification(config, options, 7);
}

/// The start, moved off the samples; on a fixed base with noise in efforts and commands.
Point random_point(const RobotProblem& problem) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Point point = problem.start();
  const Robot& robot = problem.dynamics().robot();
  const int nv = robot.nv(), nq = robot.nq();
  Path& path = point.paths[0];
  for (Eigen::Index k = 0; k < path.x.cols(); ++k) {
    const VectorXd q = path.x.col(k).head(nq);
    path.x.col(k).head(nq) =
        test::moved(robot, q, VectorXd::NullaryExpr(nv, [&] { return 1e-3 * normal(random); }));
    for (int j = 0; j < nv; ++j) path.x(nq + j, k) += 1e-2 * normal(random);
  }
  // Noise of efforts enters behind the step of a base, whose derivatives are those without it.
  const double noise = robot.floating ? 0 : 1;
  path.u = MatrixXd::NullaryExpr(path.u.rows(), path.u.cols(), [&] { return normal(random); });
  path.u.bottomRows(problem.dynamics().num_efforts()) *= noise;
  return point;
}

/// τ̂ + n of stage k.
VectorXd effort_at(const RobotProblem& problem, const Path& path, int k) {
  VectorXd out(problem.dynamics().num_efforts());
  out << problem.recordings()[0].effort.col(k), problem.recordings()[0].thrust.col(k);
  return out + path.u.col(k).tail(out.size());
}

/// Ψ(x ⊕ dx, a(x ⊕ dx, τ; θ)) ⊖ x'
class Transition {
 public:
  Transition(const RobotProblem& problem, const Path& path, int k)
      : problem_(problem),
        dynamics_(problem.dynamics()),
        path_(path),
        k_(k),
        x_(path.x.col(k)),
        next_(path.x.col(k + 1)),
        tau_(effort_at(problem, path, k)),
        dt_(problem.recordings()[0].time[k + 1] - problem.recordings()[0].time[k]) {}

  VectorXd acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& theta) const {
    Dynamics::Workspace workspace(dynamics_);
    StageDynamics stage(dynamics_.nv(), dynamics_.nzeta(), 0, dynamics_.num_rotors());
    const test::ActingState acting = test::acting_state(problem_, path_, k_, q, v);
    dynamics_.solve(*dynamics_.at(theta), {}, acting.q, acting.v, tau_, workspace, stage,
                    &acting.step);
    return stage.a;
  }
  VectorXd operator()(const VectorXd& dx, const VectorXd& theta) const {
    const Robot& robot = dynamics_.robot();
    const int nq = robot.nq(), nv = robot.nv();
    const VectorXd q = test::moved(robot, x_.head(nq), dx.head(nv)), v = x_.tail(nv) + dx.tail(nv);
    const VectorXd a = acceleration(q, v, theta);
    const bool is_euler = problem_.integrator() == Integrator::semi_implicit_euler;
    const VectorXd next = test::moved(robot, q, dt_ * v + (is_euler ? 1 : 0.5) * dt_ * dt_ * a);
    VectorXd out(2 * nv);
    difference(robot, next_.head(nq), next, out.head(nv));
    out.tail(nv) = v + dt_ * a - next_.tail(nv);
    return out;
  }

 private:
  const RobotProblem& problem_;
  const Dynamics& dynamics_;
  Path path_;
  int k_;
  VectorXd x_, next_, tau_;
  double dt_;
};

void check(const char* name, const MatrixXd& analytic, const MatrixXd& numeric) {
  const DerivativeCheck result = check_derivatives(analytic, numeric, 1e-2);
  BOOST_TEST_CONTEXT(name << ": " << result.worst_entry) {
    BOOST_TEST(result.max_error < 1e-6);
  }
}

void check_stage(const RobotProblem& problem) {
  constexpr int k = 1;
  const Dynamics& dynamics = problem.dynamics();
  const int nq = dynamics.robot().nq(), nv = dynamics.nv();
  Point point = random_point(problem);
  Path& path = point.paths[0];
  const Transition transition(problem, path, k);
  // At a consistent acceleration, and without a defect, the stage is the derivative of the
  // transition.
  path.u.col(k).head(nv) =
      transition.acceleration(path.x.col(k).head(nq), path.x.col(k).tail(nv), point.theta);
  const VectorXd zero = VectorXd::Zero(2 * nv), defect = transition(zero, point.theta);
  path.x.col(k + 1).head(nq) =
      test::moved(dynamics.robot(), path.x.col(k + 1).head(nq), defect.head(nv));
  path.x.col(k + 1).tail(nv) += defect.tail(nv);
  const Transition exact(problem, path, k);
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  Stage stage(problem.trajectory(0).size(), problem.space().ncurvature());
  const auto records = problem.trajectory(0).make_records();
  problem.trajectory(0).linearise(*at->trajectories[0], k, path, *workspace, stage, records.get());
  const MatrixXd D = stage.D.leftCols(stage.nd), K = stage.K.topRows(stage.nd);
  check("dx", stage.A,
        precise_jacobian([&](const VectorXd& dx) { return exact(dx, point.theta); }, zero));
  check("dtheta", test::heavy_links(dynamics, D * K * problem.space().dzeta_dtheta(point.theta)),
        test::heavy_links(
            dynamics, precise_jacobian([&](const VectorXd& theta) { return exact(zero, theta); },
                                       point.theta, 1e-3 * problem.space().prior_std())));
  const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
  VectorXd shift(2 * nv);
  VectorXd no_rows(0);
  problem.trajectory(0).parameter_shift(*at->trajectories[0], k, path, dzeta, *workspace, *records,
                                        shift, no_rows);
  BOOST_TEST((shift - D * (K * dzeta)).norm() < 1e-9 * (1 + shift.norm()));
}

/// Noise that closes every transition, and what it costs.
void check_restored(const RobotProblem& problem) {
  Point point = random_point(problem);
  Path& path = point.paths[0];
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace();
  const int num_efforts = problem.dynamics().num_efforts();
  VectorXd std(num_efforts);
  std << problem.noise().effort, problem.noise().thrust;
  const std::vector<std::string> names = problem.cost_parts();
  BOOST_TEST(names.back() == "effort");
  VectorXd parts(static_cast<Eigen::Index>(names.size()) + 1);
  for (int k = 0; k < path.u.cols(); ++k) {
    problem.trajectory(0).restore(*at->trajectories[0], k, *workspace, path);
    problem.trajectory(0).evaluate(*at->trajectories[0], k, path, *workspace, parts);
    const double cost = 0.5 * path.u.col(k).tail(num_efforts).cwiseQuotient(std).squaredNorm();
    BOOST_TEST(cost > 1e-3);
    BOOST_TEST(std::abs(parts[parts.size() - 2] - cost) < 1e-6 * (1 + cost));
  }
  const Violation violation = problem.details(point.theta, 0, path).violation;
  BOOST_TEST(violation.dynamics < 1e-7);
}

/// Iris in flight for some seconds, measured by motion capture; commands have an error of 1 %.
Config flight_config() {
  Config config = test::iris_config();
  config.parameters.rotor.emplace();
  config.measurements.poses["iris__base_link"] = {.position = 1e-3, .orientation = 1e-3};
  config.simulation.duration = 6;
  config.simulation.rate = 200;
  config.simulation.base_frequency = 0.25;
  config.simulation.harmonics = 4;
  config.simulation.amplitude = 1.0;
  return config;
}

test::Identification flight(const Config& config, double prior_error) {
  const Robot robot = read_robot(config.model);
  test::IdentificationOptions options;
  options.simulation = config.simulation;
  options.noise = test::make_noise(robot.nv(), {});
  options.noise.effort = VectorXd();
  options.noise.thrust = VectorXd::Constant(4, 0.04);
  options.noise.poses = config.measurements.poses;
  options.noise.initial_position.setConstant(1e-2);
  options.noise.initial_velocity.setConstant(1.0);
  options.prior_error = prior_error;
  return test::make_identification(config, options, 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(stages_with_rotors_agree_with_central_differences) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    for (const Integrator integrator : {Integrator::semi_implicit_euler,
                                        Integrator::constant_acceleration, Integrator::midpoint}) {
      for (const Formulation formulation : {Formulation::inverse, Formulation::forward}) {
        const test::Identification identification = short_flight(scene, integrator, formulation);
        BOOST_TEST_CONTEXT(scene.name << ", integrator " << static_cast<int>(integrator)
                                      << ", formulation " << static_cast<int>(formulation)) {
          check_stage(*identification.problem);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(noise_of_commands_closes_transitions_at_its_cost) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const test::Identification identification =
        short_flight(scene, Integrator::semi_implicit_euler, Formulation::inverse);
    BOOST_TEST_CONTEXT(scene.name) {
      check_restored(*identification.problem);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_simulated_quadrotor_stays_near_its_reference) {
  Config config = flight_config();
  config.simulation.duration = 20;
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  const Noise silent = test::silent(test::make_noise(6, {}));
  const Simulation simulation = simulate(dynamics, dynamics.parameters().prior(), silent,
                                         Integrator::semi_implicit_euler, config.simulation, 3);
  // Sines around the origin, cut to what rotors can follow without pushing backwards.
  BOOST_TEST(simulation.configuration.topRows(3).cwiseAbs().maxCoeff() < 1.5);
  BOOST_TEST(simulation.configuration.topRows(3).cwiseAbs().maxCoeff() > 0.15);
  BOOST_TEST(simulation.thrust.cwiseAbs().maxCoeff() < 30);
  BOOST_TEST(simulation.thrust.minCoeff() > 0);
  BOOST_TEST((simulation.measured.thrust.leftCols(simulation.thrust.cols()) == simulation.thrust));
  BOOST_TEST(simulation.measured.effort.isZero(0));
}

/// Mass and thrust are not identifiable separately: with all coefficients unknown, only their
/// ratios are determined, and the prior decides on the rest. Along the determined directions, the
/// truth is within its error bars.
BOOST_AUTO_TEST_CASE(a_quadrotor_is_identified_from_its_flight) {
  const test::Identification identification = flight(flight_config(), 0.1);
  const RobotProblem& problem = *identification.problem;
  const Solution solution = solve(problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const VectorXd std = problem.space().prior_std();
  // Posterior in units of the prior: small eigenvalues are the determined directions.
  const MatrixXd shrunk =
      std.cwiseInverse().asDiagonal() * solution.theta_cov * std.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> directions(shrunk);
  const VectorXd error = (solution.point.theta - identification.truth).cwiseQuotient(std);
  int determined = 0, right = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    if (directions.eigenvalues()[i] > 0.01) continue;
    const double away =
        directions.eigenvectors().col(i).dot(error) / std::sqrt(directions.eigenvalues()[i]);
    BOOST_TEST_MESSAGE("std " << std::sqrt(directions.eigenvalues()[i]) << " of the prior: " << away
                              << " standard deviations away");
    ++determined;
    if (std::abs(away) < 3) ++right;
  }
  BOOST_TEST(determined >= 8);
  BOOST_TEST(right == determined);
}

/// With thrust known, mass, inertia and moments are found from priors 70 % off.
BOOST_AUTO_TEST_CASE(a_quadrotor_of_known_thrust_is_weighed) {
  Config config = flight_config();
  config.parameters.rotor->thrust.reset();
  config.parameters.rotor->moment = 0.7;
  const test::Identification identification = flight(config, 0.7);
  const RobotProblem& problem = *identification.problem;
  const Solution solution = solve(problem, {.num_threads = 2});
  BOOST_TEST(solution.converged());
  const ParameterSet& parameters = identification.dynamics->parameters();
  const std::vector<PhysicalValue> truth = parameters.values(identification.truth),
                                   prior = parameters.values(problem.space().prior_mean()),
                                   found = parameters.values(solution.point.theta);
  for (size_t i = 0; i < truth.size(); ++i) {
    const double std = std::sqrt(
        (found[i].dvalue_dtheta * solution.theta_cov * found[i].dvalue_dtheta.transpose())(0, 0));
    BOOST_TEST_MESSAGE(truth[i].name << ": truth " << truth[i].value << ", prior " << prior[i].value
                                     << ", found " << found[i].value << " ± " << std);
    BOOST_TEST(std::abs(found[i].value - truth[i].value) < 3.5 * std, truth[i].name);
  }
  BOOST_TEST(std::abs(prior[0].value / truth[0].value - 1) > 0.5);
  BOOST_TEST(std::abs(found[0].value / truth[0].value - 1) < 0.01);  // the mass
}

BOOST_AUTO_TEST_CASE(a_robot_without_joints_has_no_effort_to_predict) {
  const Config config = flight_config();
  const test::Identification identification = flight(config, 0.1);
  const RobotProblem& problem = *identification.problem;
  const Recording& log = problem.recordings()[0];
  const Robot& robot = problem.dynamics().robot();
  const MotionGuess motion = smooth_motion(robot, log, problem.noise(), problem.timeline(0));
  const MatrixXd predicted = predict_effort(problem.dynamics(), problem.space().prior_mean(),
                                            motion, log, problem.timeline(0));
  BOOST_TEST(predicted.isZero(0));
  BOOST_TEST(effort_error(robot, {log}, {predicted}).rmse.size() == 0);
}

BOOST_AUTO_TEST_CASE(commands_are_read_from_the_log_and_held) {
  Config config = test::iris_config();
  config.measurements.poses["iris__base_link"] = {.position = 1e-3, .orientation = 1e-3};
  const Robot robot = read_robot(config.model);
  Log log = test::floating_log(robot, "iris__base_link", 20, 0.01);
  std::vector<std::string> warnings;
  for (int r = 0; r < 4; ++r)
    log.channels["thrust.r" + std::to_string(r)] = std::vector<double>(20, 3.0 + r);
  log.channels["thrust.r2"][7] = std::nan("");
  log.channels["thrust.r2"][6] = 9.0;
  log.channels["thrust.r9"] = std::vector<double>(20, 1.0);
  const std::vector<Recording> recordings = make_recordings(robot, log, config, warnings);
  BOOST_TEST(recordings.size() == 1U);
  BOOST_TEST(recordings[0].thrust.rows() == 4);
  BOOST_TEST(recordings[0].thrust(2, 7) == 9.0);
  BOOST_TEST(recordings[0].thrust(2, 8) == 5.0);
  BOOST_TEST(warnings.size() == 1U);
  BOOST_TEST(warnings[0] == "run.csv: thrust.r9 is not used: model.actuation.rotors has no r9");

  log.channels.erase("thrust.r3");
  const auto says = [](const InputError& error) {
    return std::string(error.what()).starts_with("run.csv: no channel thrust.r3; every rotor");
  };
  BOOST_CHECK_EXCEPTION(make_recordings(robot, log, config, warnings), InputError, says);
}

BOOST_AUTO_TEST_CASE(commands_are_noisy_unless_efforts_are_exact) {
  Config config = test::iris_config();
  const Robot robot = read_robot(config.model);
  Recording log;
  log.time = VectorXd::LinSpaced(3, 0, 1);
  log.effort = MatrixXd::Zero(6, 3);
  log.thrust = MatrixXd::Constant(4, 3, -3.0);
  const auto std_of = [&] { return make_noise(robot, config, {log}).thrust; };
  BOOST_TEST((std_of() - VectorXd::Constant(4, 0.03)).norm() < 1e-12);
  config.measurements.effort_exact = true;
  BOOST_TEST(std_of().size() == 0);
  config.measurements.thrust.by_name["r1"] = 0.5;
  BOOST_TEST((std_of() - Eigen::Vector4d(0.03, 0.5, 0.03, 0.03)).norm() < 1e-12);
  config.measurements.thrust = {};
  config.measurements.effort_exact = false;
  config.measurements.thrust_exact = true;
  BOOST_TEST(std_of().size() == 0);
  config.measurements.thrust_exact = false;
  config.measurements.thrust.by_name["r8"] = 0.5;
  BOOST_CHECK_THROW(std_of(), InputError);
}

}  // namespace bayesid
