// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "bayesid/problem.hpp"
#include "problem/repair_log.hpp"
#include "support/floating_motion.hpp"
#include "support/input_error.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr double step = 0.01;

/// joint1 is locked: link1 sits on the base, turned and away from its origin.
struct Scene {
  Config config;
  Robot robot;
  Log log;

  Scene() {
    test::TempFolder folder;
    config.model.urdf = folder.write("robot.urdf", test::random_urdf(3, {.num_joints = 3}));
    config.model.floating_base = true;
    config.model.lock = {{"joint1", 0.4}};
    config.measurements.poses["link1"] = {.position = 1e-3, .orientation = 1e-3};
    robot = read_robot(config.model);
    log = test::floating_log(robot, "link1", 101, step);
  }

  std::vector<Recording> recordings() {
    warnings.clear();
    repair_log(robot, log);
    return make_recordings(robot, log, config, warnings);
  }
  std::vector<double>& channel(const std::string& name) { return log.channels.at(name); }

  std::vector<std::string> warnings;
};

void check_message(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    BOOST_TEST(message.find(part) != std::string::npos, message << " | " << part);
}

}  // namespace

BOOST_AUTO_TEST_CASE(floating_recording_keeps_six_rows_for_the_base) {
  Scene scene;
  BOOST_REQUIRE(find_frame(scene.robot, "link1")->body == 1);
  const std::vector<Recording> segments = scene.recordings();
  BOOST_REQUIRE(segments.size() == 1);
  const Recording& recording = segments[0];
  BOOST_TEST(scene.warnings.empty());
  BOOST_TEST(recording.position.rows() == 8);
  BOOST_TEST(recording.position.topRows(6).array().isNaN().all());
  BOOST_TEST(recording.velocity.topRows(6).array().isNaN().all());
  BOOST_TEST(recording.effort.topRows(6).isZero(0));
  BOOST_TEST((recording.effort.bottomRows(2).array() == 1).all());
  BOOST_TEST(recording.position(7, 50) == 0.1 * std::sin(0.5));
  BOOST_REQUIRE(recording.poses.contains("link1"));
  BOOST_TEST(recording.poses.at("link1").cols() == 101);
}

BOOST_AUTO_TEST_CASE(guess_follows_the_pose_sensor_on_the_base_over_holes) {
  Scene scene;
  for (auto& [name, values] : scene.log.channels) {
    if (!name.starts_with("pose.")) continue;
    for (std::size_t k = 1; k < values.size(); ++k) {
      if (k % 5 != 0) values[k] = not_measured;
    }
  }
  const Recording recording = scene.recordings().at(0);
  const MotionGuess guess = guess_motion(scene.robot, recording);
  BOOST_REQUIRE(guess.base.cols() == 101);
  double pose_error = 0, velocity_error = 0;
  for (int k = 0; k <= 100; ++k) {
    VectorXd truth = make_configuration(scene.robot, VectorXd::Zero(8)), dq(8);
    truth.head<7>() = test::base_pose_at(step * k);
    truth.tail(scene.robot.nq() - 7) =
        configuration_at(scene.robot, guess, k).tail(scene.robot.nq() - 7);
    difference(scene.robot, configuration_at(scene.robot, guess, k), truth, dq);
    pose_error = std::max(pose_error, dq.norm());
    difference(scene.robot, make_configuration(scene.robot, guess.position.col(k)), truth, dq);
    pose_error = std::max(pose_error, dq.norm());
    velocity_error =
        std::max(velocity_error,
                 (guess.velocity.col(k).head<6>() - test::base_velocity_at(step * k)).norm());
  }
  BOOST_TEST(pose_error < 5e-3);      // second order in the 50 ms between two poses
  BOOST_TEST(velocity_error < 0.15);  // first order
  BOOST_TEST((guess.acceleration.col(50) * step - (guess.velocity.col(51) - guess.velocity.col(50)))
                 .norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_floating_base_without_sensor_rests_at_the_origin_with_a_warning) {
  Scene scene;
  std::erase_if(scene.log.channels,
                [](const auto& channel) { return channel.first.starts_with("pose."); });
  const Recording recording = scene.recordings().at(0);
  BOOST_REQUIRE(scene.warnings.size() == 2);
  check_message(scene.warnings[0], {"run.csv", "no channels pose.link1"});
  check_message(scene.warnings[1], {"run.csv", "pose of the floating base"});
  const MotionGuess guess = guess_motion(scene.robot, recording);
  BOOST_TEST(guess.velocity.topRows(6).isZero(0));
  BOOST_TEST(guess.position.topRows(6).isZero(0));
  BOOST_TEST(guess.base.col(3).isApprox(VectorXd::Unit(7, 6)));
}

BOOST_AUTO_TEST_CASE(a_floating_recording_begins_with_the_first_pose) {
  Scene scene;
  for (int k = 0; k < 10; ++k) scene.channel("pose.link1.qw")[k] = not_measured;
  const Recording recording = scene.recordings().at(0);
  BOOST_TEST(recording.num_samples() == 91);
  BOOST_TEST(recording.poses.at("link1").cols() == 91);
}

BOOST_AUTO_TEST_CASE(quaternions_of_odd_length_are_normalised_or_refused) {
  Scene scene;
  const auto stretch = [&](int k, double factor) {
    for (const char* axis : {"qx", "qy", "qz", "qw"})
      scene.channel(std::string("pose.link1.") + axis)[k] *= factor;
  };
  for (int k = 5; k < 50; ++k) stretch(k, 1.0005);
  const Recording recording = scene.recordings().at(0);
  BOOST_TEST(scene.warnings.empty());
  stretch(50, 1.01);
  check_message(test::input_error([&] { scene.recordings(); }),
                {"run.csv:", "pose.link1", "length 1.01, expected 1"});
  for (int k = 0; k < 101; ++k)
    BOOST_TEST(std::abs(recording.poses.at("link1").col(k).tail<4>().norm() - 1) < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_quaternion_of_zeros_is_an_error) {
  Scene scene;
  for (const char* axis : {"qx", "qy", "qz", "qw"})
    scene.channel(std::string("pose.link1.") + axis)[7] = 0;
  check_message(test::input_error([&] { scene.recordings(); }),
                {"run.csv:9: ", "pose.link1", "zero"});
}

BOOST_AUTO_TEST_CASE(a_pose_needs_all_its_channels) {
  Scene scene;
  scene.log.channels.erase("pose.link1.qy");
  check_message(test::input_error([&] { scene.recordings(); }),
                {"run.csv", "pose.link1.qw", "no pose.link1.qy"});
}

BOOST_AUTO_TEST_CASE(positions_alone_are_a_pose_sensor_too) {
  Scene scene;
  for (const char* axis : {"qx", "qy", "qz", "qw"})
    scene.log.channels.erase(std::string("pose.link1.") + axis);
  const Recording recording = scene.recordings().at(0);
  BOOST_TEST(recording.poses.at("link1").topRows(3).allFinite());
  BOOST_TEST(recording.poses.at("link1").bottomRows(4).array().isNaN().all());
}

BOOST_AUTO_TEST_CASE(noise_of_the_base_is_the_scalar_or_the_default_or_named) {
  Scene scene;
  scene.config.disturbance.position.all = 2e-6;
  scene.config.disturbance.velocity.list = {3e-3, 4e-3};
  scene.config.initial_state.position.by_name = {{"base", 0.5}, {"joint2", 0.6}};
  const Noise noise = make_noise(scene.robot, scene.config, scene.recordings());
  BOOST_TEST((noise.disturbance_position.array() == 2e-6).all());
  BOOST_TEST((noise.disturbance_velocity.head(6).array() == 1e-3).all());
  BOOST_TEST(noise.disturbance_velocity[6] == 3e-3);
  BOOST_TEST(noise.disturbance_velocity[7] == 4e-3);
  BOOST_TEST((noise.initial_position.head(6).array() == 0.5).all());
  BOOST_TEST(noise.initial_position[6] == 0.6);
  BOOST_TEST(noise.initial_position[7] == 1e-2);
  BOOST_TEST(noise.poses.contains("link1"));
  // The first velocity of the base is the difference of two poses, 1 mm or 1 mrad off each.
  BOOST_TEST(
      (noise.initial_velocity.head(6).array() - std::sqrt(2.0) * 1e-3 / step).abs().maxCoeff() <
      1e-9);
  BOOST_TEST(noise.initial_velocity[7] == 1e-1);
}

BOOST_AUTO_TEST_CASE(a_pose_of_an_unknown_frame_is_an_error) {
  Scene scene;
  const std::vector<Recording> recordings = scene.recordings();
  scene.config.measurements.poses["lnk1"] = {};
  check_message(test::input_error([&] { make_noise(scene.robot, scene.config, recordings); }),
                {"measurements.pose.lnk1", "no frame lnk1", "did you mean link1?"});
}

BOOST_AUTO_TEST_CASE(a_problem_has_a_term_for_each_pose_that_is_measured) {
  Scene scene;
  scene.config.measurements.poses["link3"] = {.position = 1e-3, .orientation = {}};
  scene.config.parameters.inertia.emplace();
  const std::vector<Recording> recordings = scene.recordings();
  const Noise noise = make_noise(scene.robot, scene.config, recordings);
  const auto dynamics =
      std::make_shared<const Dynamics>(scene.robot, ParameterSet(scene.robot, scene.config));
  const RobotProblem problem(dynamics, recordings, noise, Integrator::semi_implicit_euler);
  const std::vector<std::string> parts = problem.cost_parts();
  BOOST_TEST(std::count(parts.begin(), parts.end(), "pose.link1") == 1);
  BOOST_TEST(std::count(parts.begin(), parts.end(), "pose.link3") == 0);
  // The start follows the sensor.
  const Point start = problem.start();
  const auto workspace = problem.trajectory(0).make_workspace();
  const auto at = problem.at(start.theta);
  VectorXd costs(static_cast<Eigen::Index>(parts.size()) + 1);
  BOOST_TEST(
      problem.trajectory(0).evaluate(*at->trajectories[0], 50, start.paths[0], *workspace, costs));
  const auto i = std::find(parts.begin(), parts.end(), "pose.link1") - parts.begin();
  BOOST_TEST(costs[i] < 1e-12);
}
