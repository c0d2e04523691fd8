// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy as an observation of each stage.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/math/numeric_jacobian.hpp"
#include "bayesid/solver/solve.hpp"
#include "support/identification.hpp"
#include "support/legged.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Robots on a fixed and on a floating base, in contact, and with a loop.
std::vector<std::pair<std::string, Config>> configs() {
  Config leg = read_config(std::string(BAYESID_SOURCE) + "/data/models/four_bar_leg.yaml");
  leg.logs.clear();
  std::vector<std::pair<std::string, Config>> out{{"two joints", test::two_joint_config()},
                                                  {"Panda", test::panda_config()},
                                                  {"ANYmal", test::standing_anymal()},
                                                  {"four-bar leg", leg}};
  for (auto& [name, config] : out) {
    config.simulation.duration = 0.1;
    config.simulation.rate = 200;
  }
  return out;
}

/// The problem of a simulated log, energy included.
RobotProblem with_energy(const test::Identification& identification) {
  const RobotProblem& given = *identification.problem;
  Noise noise = given.noise();
  noise.energy = 0.01;
  return {identification.dynamics, given.recordings(), noise, given.integrator(), given.options()};
}

Stage linearised(const RobotProblem& problem, const Point& point, int k) {
  const auto workspace = problem.make_workspace();
  Stage out(problem.size(0), problem.ncurvature());
  VectorXd memory(problem.memory_size());
  problem.linearise(*problem.at(point.theta), 0, k, point.paths[0], *workspace, out, memory.data());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(energy_rows_agree_with_central_differences) {
  for (const auto& [name, config] : configs()) {
    const test::Identification identification = test::make_identification(config, 0.1);
    const RobotProblem problem = with_energy(identification);
    const Robot& robot = problem.dynamics().robot();
    const int nv = robot.nv(), nq = robot.nq(), k = 3;
    Point point = problem.start();
    std::srand(3);
    for (const int node : {k, k + 1})
      point.paths[0].x.col(node).tail(nv) += 0.1 * VectorXd::Random(nv);
    const Stage stage = linearised(problem, point, k);
    BOOST_REQUIRE(stage.nr == 1);
    const auto rows = [&](const VectorXd& change) {
      Point moved = point;
      for (const int node : {0, 1}) {
        const VectorXd q = point.paths[0].x.col(k + node).head(nq);
        moved.paths[0].x.col(k + node).head(nq) =
            test::moved(robot, q, change.segment(2 * nv * node, nv));
        moved.paths[0].x.col(k + node).tail(nv) += change.segment(2 * nv * node + nv, nv);
      }
      moved.theta += change.tail(point.theta.size());
      return VectorXd(linearised(problem, moved, k).r);
    };
    const Eigen::Index n = 4 * nv + point.theta.size();
    MatrixXd analytic(1, n);
    analytic << stage.R_x, stage.R_y, stage.R_zeta * problem.dzeta_dtheta(point.theta);
    const DerivativeCheck check =
        check_derivatives(analytic, numeric_jacobian(rows, VectorXd::Zero(n)), 1e-2);
    BOOST_TEST(check.max_error < 1e-6, name << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(balance_of_a_simulated_log_closes_to_second_order) {
  for (const auto& [name, config] : configs()) {
    const auto largest = [&, &given = config](double rate) {
      Config finer = given;
      finer.simulation.rate = rate;
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
        out = std::max(out, std::abs(linearised(problem, point, k).r[0]));
      return out;
    };
    const double coarse = largest(500), fine = largest(1000);
    BOOST_TEST(coarse / fine > 3, name << ": " << coarse << " J, then " << fine << " J");
    BOOST_TEST(coarse < 0.05, name << ": " << coarse << " J");
  }
}

BOOST_AUTO_TEST_CASE(a_log_with_energy_observations_converges) {
  Config config = test::two_joint_config();
  config.simulation.duration = 2;
  config.simulation.rate = 100;
  const test::Identification identification = test::make_identification(config, 0.5);
  const Solution solution = solve(with_energy(identification), {});
  BOOST_TEST((solution.status == Status::converged));
}

}  // namespace bayesid
