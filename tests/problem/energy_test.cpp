// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy as an observation.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solve.hpp"
#include "support/energy.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Motion of a robot whose efforts are constant between samples, by steps much finer than those.
struct HeldMotion {
  MatrixXd x;
  Recording recording;
};

/// Explicit midpoint rule.
void advance(const Dynamics& dynamics, const DynamicsAt& model, const Mode& mode,
             const VectorXd& tau, double h, VectorXd& q, VectorXd& v) {
  const int nv = dynamics.nv();
  Dynamics::Workspace workspace(dynamics);
  StageDynamics stage(nv, dynamics.nzeta(), mode.num_rows(), dynamics.num_rotors());
  dynamics.solve(model, mode, q, v, tau, workspace, stage);
  const VectorXd v_half = v + 0.5 * h * stage.a,
                 q_half = test::moved(dynamics.robot(), q, 0.5 * h * v);
  dynamics.solve(model, mode, q_half, v_half, tau, workspace, stage);
  q = test::moved(dynamics.robot(), q, h * v_half);
  v += h * stage.a;
}

/// Efforts of a simulation of `fine` samples per second, constant over 1/rate.
HeldMotion hold_efforts(const Dynamics& dynamics, const Config& config, const Noise& noise,
                        const MotionConstraints& constraints, double fine, double rate) {
  constexpr int num_steps = 20;
  const VectorXd theta = dynamics.parameters().prior();
  const auto run = [&](double samples) {
    SimulationConfig options = config.simulation;
    options.rate = samples;
    return simulate(dynamics, theta, test::silent(noise), config.solver.integrator, options, 1,
                    constraints, config.disturbance.projection);
  };
  const Simulation source = run(fine);
  HeldMotion out{.x = {}, .recording = run(rate).measured};
  Recording& log = out.recording;
  const int nv = dynamics.nv(), stride = static_cast<int>(fine / rate);
  const auto model = dynamics.at(theta);
  const Timeline timeline = make_timeline(log, constraints);
  const Eigen::Index num_stages = log.time.size() - 1;
  VectorXd q = source.configuration.col(0), v = source.velocity.col(0), tau(dynamics.num_efforts());
  out.x.resize(q.size() + nv, num_stages + 1);
  for (Eigen::Index k = 0; k <= num_stages; ++k) {
    out.x.col(k) << q, v;
    for (int j = 0; j < nv; ++j) {
      if (!std::isnan(log.velocity(j, k))) log.velocity(j, k) = v[j];
    }
    if (k == num_stages) break;
    log.effort.col(k) = source.effort.col(k * stride);
    if (dynamics.num_rotors() > 0) log.thrust.col(k) = source.thrust.col(k * stride);
    tau << log.effort.col(k), log.thrust.col(k);
    const Mode& mode = timeline.modes[timeline.stages[k].mode];
    for (int i = 0; i < num_steps; ++i)
      advance(dynamics, *model, mode, tau, 1 / (rate * num_steps), q, v);
  }
  return out;
}

/// Largest balance of one stage of a simulated log, with twice the rate by that with once.
void check_closing(Integrator integrator, double least_ratio) {
  for (const auto& [name, config] : test::energy_configs()) {
    const auto largest = [&, &given = config](double rate) {
      Config finer = given;
      finer.simulation.rate = rate;
      finer.solver.integrator = integrator;
      const Robot robot = read_robot(finer.model);
      const auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, finer));
      Noise noise = make_noise(robot, finer, {});
      const MotionConstraints constraints = make_constraints(robot, finer);
      const VectorXd theta = dynamics->parameters().prior();
      const Simulation simulation =
          simulate(*dynamics, theta, test::silent(noise), finer.solver.integrator, finer.simulation,
                   1, constraints, finer.disturbance.projection);
      noise.energy = 1.0;
      const RobotProblem problem(dynamics, {simulation.measured}, noise, finer.solver.integrator,
                                 {.constraints = constraints});
      Point point = problem.start();
      double out = 0;
      for (int k = 0; k < point.paths[0].u.cols(); ++k) {
        point.paths[0].x.col(k + 1) << simulation.configuration.col(k + 1),
            simulation.velocity.col(k + 1);
      }
      for (int k = 1; k < point.paths[0].u.cols(); ++k)
        out = std::max(out, std::abs(test::linearised(problem, point, k).r[0]));
      return out;
    };
    const double coarse = largest(500), fine = largest(1000);
    BOOST_TEST_MESSAGE(name << ": " << coarse << " J, then " << fine << " J");
    BOOST_TEST(coarse / fine > least_ratio, name << ": " << coarse << " J, then " << fine << " J");
    BOOST_TEST(coarse < 0.05, name << ": " << coarse << " J");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(energy_rows_agree_with_central_differences) {
  for (const auto& [name, config] : test::energy_configs()) {
    const test::Identification identification = test::make_identification(config, 0.1);
    const RobotProblem problem = test::with_energy(identification, 1);
    const int nv = problem.dynamics().nv(), k = 3;
    Point point = problem.start();
    std::srand(3);
    for (const int node : {k, k + 1})
      point.paths[0].x.col(node).tail(nv) += 0.1 * VectorXd::Random(nv);
    const Stage stage = test::linearised(problem, point, k);
    BOOST_REQUIRE(stage.nr == 1);
    const auto rows = [&](const VectorXd& change) {
      return VectorXd(test::linearised(problem, test::moved(problem, point, k, change), k).r);
    };
    const Eigen::Index n = 4 * nv + point.theta.size();
    MatrixXd analytic(1, n);
    analytic << stage.R_x, stage.R_y, stage.R_zeta * problem.space().dzeta_dtheta(point.theta);
    const DerivativeCheck check =
        check_derivatives(analytic, numeric_jacobian(rows, VectorXd::Zero(n)), 1e-2);
    BOOST_TEST(check.max_error < 1e-6, name << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(balance_of_a_simulated_log_closes_to_second_order) {
  check_closing(Integrator::semi_implicit_euler, 3);
}

/// Its steps are of the order of the row: what is left of a stage is of third order.
BOOST_AUTO_TEST_CASE(balance_of_a_log_of_the_midpoint_rule_closes_to_third_order) {
  check_closing(Integrator::midpoint, 6);
}

/// A motion that obeys the dynamics at all times, not only from node to node.
BOOST_AUTO_TEST_CASE(balance_of_a_window_of_a_held_motion_closes_to_second_order) {
  constexpr double duration = 0.02;  // s, of a window
  for (const auto& [name, config] : test::energy_configs()) {
    const Robot robot = read_robot(config.model);
    const auto dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
    Noise noise = make_noise(robot, config, {});
    const MotionConstraints constraints = make_constraints(robot, config);
    noise.energy = 1.0;
    const auto largest = [&, &given = config](double rate) {
      const HeldMotion motion = hold_efforts(*dynamics, given, noise, constraints, 2000, rate);
      noise.energy_window = static_cast<int>(std::round(duration * rate));
      const RobotProblem problem(dynamics, {motion.recording}, noise, given.solver.integrator,
                                 {.constraints = constraints});
      BOOST_REQUIRE(problem.num_energy_rows(0) == 5);
      Point point = problem.start();
      point.paths[0].x = motion.x;
      double out = 0;
      for (int k = 0; k < point.paths[0].u.cols(); ++k) {
        const Stage stage = test::linearised(problem, point, k);
        if (stage.nr > 0) out = std::max(out, std::abs(stage.r[0]));
      }
      return out;
    };
    const double coarse = largest(1000), fine = largest(2000);
    BOOST_TEST_MESSAGE(name << ": " << coarse << " J, then " << fine << " J");
    BOOST_TEST(coarse / fine > 3.5, name << ": " << coarse << " J, then " << fine << " J");
    BOOST_TEST(coarse < 1e-4, name << ": " << coarse << " J");
  }
}

BOOST_AUTO_TEST_CASE(a_log_with_energy_observations_converges) {
  Config config = test::two_joint_config();
  config.simulation.duration = 2;
  config.simulation.rate = 100;
  const test::Identification identification = test::make_identification(config, 0.5);
  const Solution solution = solve(test::with_energy(identification, 1), {});
  BOOST_TEST((solution.status == Status::converged));
}

}  // namespace bayesid
