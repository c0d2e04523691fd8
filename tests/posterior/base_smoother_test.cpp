// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "bayesid/posterior.hpp"
#include "support/floating_motion.hpp"
#include "support/random_robot.hpp"
#include "support/simulated_problem.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::VectorXd;

namespace {

/// Largest errors of the motion of the base, away from the ends of the log.
struct Errors {
  double velocity = 0, acceleration = 0;
};

Errors errors_with_noise(double noise) {
  constexpr double step = 0.005;
  test::TempFolder folder;
  Config config;
  config.model.urdf = folder.write("robot.urdf", test::random_urdf(3, {.num_joints = 2}));
  config.model.floating_base = true;
  const Robot robot = read_robot(config.model);
  Log log = test::floating_log(robot, "link0", 801, step);
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, noise);
  for (auto& [name, values] : log.channels) {
    if (!name.starts_with("pose.")) continue;
    for (double& value : values) value += normal(random);
  }
  std::vector<std::string> warnings;
  const Recording recording = make_recordings(robot, log, config, warnings).at(0);
  const MotionGuess motion =
      smooth_motion(robot, recording, test::uniform_noise(robot.nv(), 1e-4, 1e-2, 0, 1e-3));
  Errors out;
  for (int k = 100; k < 700; ++k) {
    const double t = step * k;
    out.velocity = std::max(out.velocity,
                            (motion.velocity.col(k).head<6>() - test::base_velocity_at(t)).norm());
    out.acceleration =
        std::max(out.acceleration,
                 (motion.acceleration.col(k).head<6>() - test::base_acceleration_at(t)).norm());
    VectorXd truth = configuration_at(robot, motion, k), dq(robot.nv());
    truth.head<7>() = test::base_pose_at(t);
    difference(robot, configuration_at(robot, motion, k), truth, dq);
    BOOST_TEST(dq.norm() < 2 * noise + 1e-5);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(smooth_motion_recovers_a_base_that_travels_and_tumbles) {
  // Velocities reach 2 m/s and rad/s, accelerations 3.
  const Errors exact = errors_with_noise(1e-7), noisy = errors_with_noise(1e-3);
  BOOST_TEST_MESSAGE("exact " << exact.velocity << " " << exact.acceleration << ", noisy "
                              << noisy.velocity << " " << noisy.acceleration);
  BOOST_TEST(exact.velocity < 1e-3);
  BOOST_TEST(exact.acceleration < 2e-2);
  BOOST_TEST(noisy.velocity < 0.1);
  BOOST_TEST(noisy.acceleration < 1.0);
}
