// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/compare.hpp"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "baseline/linear_fit.hpp"
#include "baseline/window_choice.hpp"
#include "support/identification.hpp"
#include "support/input_error.hpp"
#include "support/legged.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr SmoothingWindow window{4, 15};

/// An arm whose slopes of friction are free, one in constraints on a floating base.
std::vector<test::Identification> robots() {
  std::vector<test::Identification> out;
  Config free_slopes = test::two_joint_config();
  free_slopes.parameters.set.clear();
  test::IdentificationOptions options = test::two_joint_options();
  options.simulation.duration = 0.5;
  out.push_back(test::make_identification(free_slopes, options, 1));
  Config legged = test::with_gait(test::standing_anymal(), "trot");
  legged.simulation.duration = 0.4;
  out.push_back(test::make_identification(legged, 0.1));
  return out;
}

RegressionRows make_rows(const RegressionData& data, RowKind kind, const DynamicsAt& model) {
  return kind == RowKind::effort ? effort_rows(data, model) : energy_rows(data, model, 7);
}

double half_square(const RegressionRows& rows) {
  const VectorXd ones = VectorXd::Ones(rows.num_groups());
  return 0.5 * rows.joined(ones).b().squaredNorm();
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_efforts_and_energy_have_the_derivatives_of_central_differences) {
  for (const test::Identification& robot : robots()) {
    const Dynamics& dynamics = *robot.dynamics;
    const std::vector<SampledMotion> motions = local_polynomial_motion(*robot.problem, window, 1);
    const RegressionData data{.problem = *robot.problem, .motions = motions};
    const VectorXd theta = dynamics.parameters().prior();
    for (const RowKind kind : {RowKind::effort, RowKind::energy}) {
      const RegressionRows rows = make_rows(data, kind, *dynamics.at(theta));
      const CondensedRows all = rows.joined(VectorXd::Ones(rows.num_groups()));
      const VectorXd gradient =
          dynamics.dzeta_dtheta(theta).transpose() * (all.A().transpose() * all.b());
      std::srand(1);
      for (int i = 0; i < 3; ++i) {
        const VectorXd way =
            VectorXd::Random(theta.size()).cwiseProduct(dynamics.parameters().prior_std());
        constexpr double step = 1e-5;
        const auto at = [&](double length) {
          return half_square(make_rows(data, kind, *dynamics.at(theta + length * way)));
        };
        const double numeric = (at(step) - at(-step)) / (2 * step);
        // Differences of order step² of a sum whose terms differ by four orders of magnitude.
        BOOST_TEST(std::abs(gradient.dot(way) - numeric) <
                   1e-5 * gradient.cwiseProduct(way).norm());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_do_not_depend_on_the_number_of_threads) {
  const test::Identification robot = std::move(robots()[0]);
  const auto model = robot.dynamics->at(robot.truth);
  std::vector<MatrixXd> found;
  for (const int threads : {1, 3}) {
    const auto motions = local_polynomial_motion(*robot.problem, window, threads);
    const RegressionData data{
        .problem = *robot.problem, .motions = motions, .num_threads = threads};
    const RegressionRows rows = effort_rows(data, *model);
    found.push_back(rows.joined(VectorXd::Ones(rows.num_groups())).A());
  }
  BOOST_TEST((found[0] == found[1]));
}

BOOST_AUTO_TEST_CASE(fit_theta_ends_where_the_cost_is_stationary_and_nowhere_near_is_lower) {
  const test::Identification robot = std::move(robots()[0]);
  const Dynamics& dynamics = *robot.dynamics;
  const auto motions = local_polynomial_motion(*robot.problem, window, 1);
  const RegressionData data{.problem = *robot.problem, .motions = motions};
  const RowsAt rows = [&](const DynamicsAt& model) { return effort_rows(data, model); };
  const VectorXd start = dynamics.parameters().prior();
  const VectorXd std = claimed_effort_std(data, *dynamics.at(start));
  const ThetaFit fit = fit_theta(dynamics, rows, {std, std}, start);
  BOOST_TEST(to_string(fit.status) == "converged");
  BOOST_TEST(fit.gradient < 1e-3);
  const auto cost = [&](const VectorXd& theta) {
    return 0.5 * rows(*dynamics.at(theta)).joined(fit.row_std).b().squaredNorm() +
           dynamics.parameters().prior_at(theta).cost;
  };
  const double best = cost(fit.theta);
  for (int i = 0; i < fit.theta.size(); ++i) {
    for (const double side : {-1e-2, 1e-2}) {
      BOOST_TEST(cost(fit.theta + side * VectorXd::Unit(fit.theta.size(), i)) > best);
    }
  }
}

BOOST_AUTO_TEST_CASE(smallest_solution_is_the_shortest_of_the_best) {
  MatrixXd rows(3, 4);
  rows << 1, 1, 0, -2, 2, 2, 0, -4, 0, 0, 0, 5;
  const VectorXd x = smallest_solution(rows);
  BOOST_TEST((x - Eigen::Vector3d(1, 1, 0)).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(base_of_a_robot_that_floats_is_smoothed_as_it_moves) {
  Config config = test::with_gait(test::standing_anymal(), "stand");
  config.simulation.duration = 0.5;
  test::IdentificationOptions options;
  options.simulation = config.simulation;
  options.noise = test::make_noise(18, {});
  options.noise.poses = config.measurements.poses;
  options.noise_free = true;
  const test::Identification robot = test::make_identification(config, options, 1);
  const auto motions = local_polynomial_motion(*robot.problem, {4, 9}, 1);
  const Simulation& truth = robot.simulations[0];
  const MotionGuess& motion = motions[0].motion;
  double velocity = 0, acceleration = 0, size = 0;
  for (int k = 20; k < 180; ++k) {
    velocity = std::max(velocity, (motion.velocity.col(k) - truth.velocity.col(k)).norm());
    acceleration =
        std::max(acceleration, (motion.acceleration.col(k) - truth.acceleration.col(k)).norm());
    size = std::max(size, truth.acceleration.col(k).norm());
  }
  BOOST_TEST_MESSAGE("velocity " << velocity << ", acceleration " << acceleration << " of "
                                 << size);
  BOOST_TEST(velocity < 1e-3);
  BOOST_TEST(acceleration < 0.02 * size);
}

BOOST_AUTO_TEST_CASE(regressors_need_the_pose_of_a_floating_base) {
  Config config = test::with_gait(test::standing_anymal(), "stand");
  config.measurements.poses.clear();
  config.simulation.duration = 0.2;
  const test::Identification robot = test::make_identification(config, 0.1);
  const std::string message = test::input_error(
      [&] { run_baseline(*robot.problem, Baseline::id, {.num_threads = 1, .window = 9}); });
  BOOST_TEST(message.find("pose of the floating base is not measured") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_baseline_finds_the_base_parameters_of_a_log_without_noise) {
  test::IdentificationOptions options = test::two_joint_options();
  options.noise_free = true;
  options.prior_is_drawn = false;
  options.simulation.rate = 1000;
  const test::Identification robot =
      test::make_identification(test::two_joint_config(), options, 1);
  const ParameterTruth truth(*robot.problem, robot.truth);
  for (const Baseline method :
       {Baseline::id, Baseline::id_ee, Baseline::energy, Baseline::wls, Baseline::decoupled}) {
    const BaselineResult found = run_baseline(*robot.problem, method, {.num_threads = 2});
    const ParameterError error = truth.error(found.eta, {found.values.begin(), found.values.end()});
    BOOST_TEST_MESSAGE(static_cast<int>(method) << ": base " << error.base << ", friction "
                                                << *error.friction << ", window " << found.window);
    BOOST_TEST(to_string(found.status) == "converged");
    BOOST_TEST(error.base < 0.02);
    BOOST_TEST(*error.friction < 0.05);
    const bool is_linear = found.theta.size() == 0;  // nothing keeps those consistent
    BOOST_TEST((is_linear || num_impossible_bodies(found.eta) == 0));
  }
}

}  // namespace bayesid
