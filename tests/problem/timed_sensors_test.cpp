// SPDX-License-Identifier: BSD-3-Clause
// Sensors with times, biases and delays of their own.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/simulate.hpp"
#include "bayesid/solve.hpp"
#include "support/count_allocations.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/random_robot.hpp"
#include "support/simulated_problem.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A random robot with an inertial sensor and a slow, late camera.
struct Scene {
  std::shared_ptr<const Dynamics> dynamics;
  Noise noise;
  std::vector<Recording> recordings;
  VectorXd truth;
  std::shared_ptr<const RobotProblem> problem;

  Scene(int seed, bool floating, Integrator integrator, double duration = 0.5) {
    test::TempFolder folder;
    Config config;
    config.model.urdf = folder.write("robot.urdf", test::random_urdf(seed, {.num_joints = 4}));
    config.model.floating_base = floating;
    config.parameters.inertia.emplace();
    config.parameters.imu_bias.emplace();
    config.parameters.delay["pose.link3"] = {.prior = 0.0, .std = 0.01};
    config.parameters.delay["imu.one"] = {.prior = 0.002, .std = 0.001};
    config.measurements.imus["one"] = {.place = {"link2", {0.1, 0, 0.05}, {0.3, 0.1, -0.5}},
                                       .acceleration = 0.05,
                                       .rate = 0.005,
                                       .orientation = 0.02};
    config.measurements.poses["link3"] = {.position = 1e-3, .orientation = 2e-3};
    config.measurements.poses["link0"] = {.position = 1e-3, .orientation = 2e-3};
    config.measurements.effort_exact = true;
    if (!floating) config.measurements.poses.erase("link0");
    const Robot robot = read_robot(config.model);
    dynamics = std::make_shared<const Dynamics>(robot, ParameterSet(robot, config));
    noise = make_noise(robot, config, {});
    const ParameterSet& parameters = dynamics->parameters();
    truth = parameters.prior();
    const std::vector<std::string> names = parameters.names();
    for (size_t i = 0; i < names.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      if (names[i] == "delay.pose.link3") truth[at] = 0.012;
      if (names[i].starts_with("imu_bias.")) truth[at] = 0.5 * parameters.prior_std()[at];
    }
    SimulationConfig options;
    options.duration = duration;
    options.rate = 200;
    options.rates = {{"pose.link3", 30}, {"imu.one", 100}};
    recordings.push_back(
        simulate(*dynamics, truth, noise, integrator, options, static_cast<unsigned>(seed))
            .measured);
    problem = std::make_shared<const RobotProblem>(dynamics, recordings, noise, integrator);
  }
};

/// Rows of a stage at a point.
Stage linearised(const RobotProblem& problem, const Point& point, int k,
                 Trajectory::Records* records = nullptr) {
  const auto workspace = problem.trajectory(0).make_workspace();
  Stage out(problem.trajectory(0).size(), problem.space().ncurvature());
  problem.trajectory(0).linearise(*problem.at(point.theta)->trajectories[0], k, point.paths[0],
                                  *workspace, out, records);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_a_stage_agree_with_central_differences) {
  for (int seed = 0; seed < 6; ++seed) {
    const Integrator integrator =
        seed % 2 ? Integrator::semi_implicit_euler : Integrator::constant_acceleration;
    const Scene scene(seed, seed % 3 != 0, integrator);
    const RobotProblem& problem = *scene.problem;
    const Robot& robot = scene.dynamics->robot();
    const int nv = robot.nv(), nq = robot.nq();
    std::srand(seed);
    Point point = problem.start();
    point.theta = scene.truth + 1e-4 * VectorXd::Random(scene.truth.size());
    int with_rows = 0;
    for (int k = 0; k < 12; ++k) {
      point.paths[0].x.col(k + 1).tail(nv) += 0.1 * VectorXd::Random(nv);
      const auto records = problem.trajectory(0).make_records();
      const Stage stage = linearised(problem, point, k, records.get());
      if (stage.nr == 0) continue;
      ++with_rows;
      const auto rows = [&](const VectorXd& change) {
        Point moved = point;
        for (const int node : {0, 1}) {
          const VectorXd q = point.paths[0].x.col(k + node).head(nq);
          VectorXd q_moved(nq);
          integrate(robot, q, change.segment(2 * nv * node, nv), q_moved);
          moved.paths[0].x.col(k + node).head(nq) = q_moved;
          moved.paths[0].x.col(k + node).tail(nv) += change.segment(2 * nv * node + nv, nv);
        }
        moved.theta += change.tail(point.theta.size());
        const Stage at = linearised(problem, moved, k);
        return VectorXd(at.r.head(stage.nr));
      };
      const Eigen::Index n = 4 * nv + point.theta.size();
      MatrixXd analytic(stage.nr, n);
      analytic << stage.R_x.topRows(stage.nr), stage.R_y.topRows(stage.nr),
          stage.R_zeta.topRows(stage.nr) * problem.space().dzeta_dtheta(point.theta);
      const DerivativeCheck check =
          check_derivatives(analytic, numeric_jacobian(rows, VectorXd::Zero(n)));
      BOOST_TEST(check.max_error < 1e-6,
                 "seed " << seed << " stage " << k << ": " << check.worst_entry);
      // The second pass computes the same in one direction.
      const VectorXd dzeta = VectorXd::Random(scene.dynamics->nzeta());
      VectorXd shift(2 * nv), shifted(stage.nr);
      const auto workspace = problem.trajectory(0).make_workspace();
      problem.trajectory(0).parameter_shift(*problem.at(point.theta)->trajectories[0], k,
                                            point.paths[0], dzeta, *workspace, *records, shift,
                                            shifted);
      BOOST_TEST((shifted - stage.R_zeta.topRows(stage.nr) * dzeta).norm() <
                 1e-9 * (1 + shifted.norm()));
    }
    BOOST_TEST(with_rows >= 3);
  }
}

BOOST_AUTO_TEST_CASE(every_sample_falls_into_one_stage_whatever_the_delay) {
  const Scene scene(3, true, Integrator::semi_implicit_euler);
  const Recording& recording = scene.recordings[0];
  const auto cost_of_cameras = [&](double delay) {
    Point point = scene.problem->start();
    const std::vector<std::string> names = scene.dynamics->parameters().names();
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "delay.pose.link3") point.theta[static_cast<Eigen::Index>(i)] = delay;
    }
    const auto workspace = scene.problem->trajectory(0).make_workspace();
    const auto at = scene.problem->at(point.theta);
    int rows = 0;
    for (int k = 0; k < point.paths[0].u.cols(); ++k) {
      Stage stage(scene.problem->trajectory(0).size(), scene.problem->space().ncurvature());
      const auto records = scene.problem->trajectory(0).make_records();
      scene.problem->trajectory(0).linearise(*at->trajectories[0], k, point.paths[0], *workspace,
                                             stage, records.get());
      rows += stage.nr;
    }
    return rows;
  };
  const int rows = cost_of_cameras(0.0);
  BOOST_TEST(rows > 6 * (recording.series.at("pose.link3").time.size() - 4));
  for (const double delay : {-0.03, -0.007, 0.0051, 0.012, 0.029, 0.5})
    BOOST_TEST(cost_of_cameras(delay) == rows);
}

BOOST_AUTO_TEST_CASE(delay_and_biases_are_recovered) {
  for (const bool floating : {false, true}) {
    const Scene scene(5, floating, Integrator::semi_implicit_euler, 3.0);
    const Solution solution = solve(*scene.problem, {});
    BOOST_TEST_CONTEXT("floating " << floating) {
      BOOST_REQUIRE(solution.status == Status::converged);
      const std::vector<std::string> names = scene.dynamics->parameters().names();
      for (size_t i = 0; i < names.size(); ++i) {
        if (!names[i].starts_with("delay.") && !names[i].starts_with("imu_bias.")) continue;
        const auto at = static_cast<Eigen::Index>(i);
        const double std = std::sqrt(solution.theta_cov(at, at));
        const double error = solution.point.theta[at] - scene.truth[at];
        BOOST_TEST(std::abs(error) < 4 * std, names[i] << " off by " << error << ", std " << std);
        if (names[i] == "delay.pose.link3") BOOST_TEST(std < 1e-3);
      }
    }
  }
}
