// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "problem/repair_log.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "bayesid/log.hpp"
#include "support/input_error.hpp"

using namespace bayesid;

namespace {

using Values = std::vector<double>;

/// A joint that turns within ±3 rad, and its log of four seconds at 250 Hz.
struct Scene {
  Robot robot;
  Log log;

  explicit Scene(double noise = 1e-4) {
    robot.joints.push_back({.name = "j",
                            .lower = -3.1,
                            .upper = 3.1,
                            .velocity = 10,
                            .effort = 10,
                            .child_link = "link"});
    log.file = "run.csv";
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 1000; ++k) {
      const double time = 0.004 * k;
      log.time.push_back(time);
      log.lines.push_back(k + 2);
      log.channels["q.j"].push_back(3 * std::sin(3 * time) + noise * normal(random));
      log.channels["v.j"].push_back(9 * std::cos(3 * time));
    }
  }
  Values& q() { return log.channels.at("q.j"); }
  Values& v() { return log.channels.at("v.j"); }
  void repair() { repair_log(robot, log); }
};

double largest_difference(const Values& a, const Values& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::fmax(out, std::abs(a[k] - b[k]));
  return out;
}

void check_starts(const Log& log, const std::string& start) {
  BOOST_REQUIRE(log.warnings.size() == 1U);
  BOOST_TEST(log.warnings[0].starts_with(start), log.warnings[0]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_without_fault_stays_as_it_is) {
  for (const double noise : {0.0, 1e-6, 1e-4, 1e-2}) {
    Scene scene(noise);
    const Values before = scene.q();
    scene.repair();
    BOOST_TEST(scene.q() == before);
    BOOST_TEST(scene.log.warnings.empty());
  }
}

BOOST_AUTO_TEST_CASE(angles_that_wrap_are_made_continuous) {
  for (const bool with_velocity : {true, false}) {
    for (const double top : {M_PI / 2, M_PI, 2 * M_PI}) {  // angles within (top − 2π, top]
      Scene scene;
      const Values truth = scene.q();
      bool wraps = false;
      for (double& q : scene.q()) {
        const double turns = std::ceil((q - top) / (2 * M_PI));
        q -= 2 * M_PI * turns;
        wraps = wraps || turns != 0;
      }
      if (!with_velocity) scene.log.channels.erase("v.j");
      scene.repair();
      BOOST_TEST(largest_difference(scene.q(), truth) < 1e-12);
      BOOST_TEST(scene.log.warnings.empty() != wraps);
      if (wraps)
        BOOST_TEST(scene.log.warnings[0].starts_with("run.csv: q.j jumps by a turn"),
                   scene.log.warnings[0]);
    }
  }
}

BOOST_AUTO_TEST_CASE(single_samples_far_off_are_not_measured) {
  Scene scene;
  scene.q()[300] += 0.4;
  scene.q()[700] -= 1;
  const Values before = scene.q();
  scene.repair();
  for (std::size_t k = 0; k < before.size(); ++k)
    BOOST_TEST(std::isnan(scene.q()[k]) == (k == 300 || k == 700));
  check_starts(scene.log,
               "run.csv: q.j is an outlier in 2 samples (time 1.2 s, line 302 and "
               "others)");
}

BOOST_AUTO_TEST_CASE(blows_and_steps_are_no_spikes) {
  Scene blow(1e-5);
  for (std::size_t k = 0; k < blow.q().size(); ++k) {
    const double time = blow.log.time[k] - 1;
    blow.q()[k] = 0.5 * std::abs(std::remainder(time, 1.0)) + 1e-6 * std::sin(7.0 * k);
  }
  blow.log.channels.erase("v.j");
  blow.repair();
  BOOST_TEST(blow.log.warnings.empty());
  Scene steps;
  for (double& q : steps.q()) q = 0.01 * std::round(q / 0.01);
  steps.repair();
  BOOST_TEST(steps.log.warnings.empty());
}

BOOST_AUTO_TEST_CASE(velocities_that_are_zero_while_the_joint_moves_are_not_used) {
  Scene scene;
  std::ranges::fill(scene.v(), 0.0);
  scene.repair();
  BOOST_TEST(!scene.log.channels.contains("v.j"));
  check_starts(scene.log, "run.csv: v.j is zero in every sample while the joint moves by 6");
  Scene still;
  std::ranges::fill(still.v(), 0.0);
  std::ranges::fill(still.q(), 0.5);
  still.repair();
  BOOST_TEST(still.log.channels.contains("v.j"));
}

BOOST_AUTO_TEST_CASE(quaternions_of_inertial_sensors_have_length_one_too) {
  Scene scene;
  for (const char* axis : {"qx", "qy", "qz", "qw"})
    scene.log.channels[std::string("imu.trunk.") + axis] = Values(1000, 0.5005);
  scene.repair();
  BOOST_TEST(std::abs(scene.log.channels["imu.trunk.qw"][7] - 0.5) < 1e-15);
  scene.log.channels["imu.trunk.qw"][7] = 0.6;
  BOOST_TEST(test::input_error([&] { scene.repair(); }) ==
             "run.csv:9: the quaternion imu.trunk.q* has length 1.054, expected 1: check the "
             "columns and their scale");
}

BOOST_AUTO_TEST_CASE(channel_facts_give_noise_steps_and_extremes) {
  const ChannelFacts noisy = describe_channel(Scene(1e-3).q());
  BOOST_TEST(std::abs(noisy.noise / 1e-3 - 1) < 0.1);
  BOOST_TEST(noisy.is_white);
  BOOST_TEST(noisy.step == 0);
  BOOST_TEST(noisy.repeats == 1);
  const ChannelFacts smooth = describe_channel(Scene(0).q());
  BOOST_TEST(smooth.noise < 1e-6);
  Values values = Scene(1e-3).q();
  for (double& q : values) q = 0.02 * std::round(q / 0.02);
  BOOST_TEST(std::abs(describe_channel(values).step - 0.02) < 1e-12);
  values = Scene(1e-3).q();
  for (double& q : values) q = std::min(q, 2.0);
  const ChannelFacts clipped = describe_channel(values);
  BOOST_TEST(clipped.extreme == 2.0);
  BOOST_TEST(clipped.at_extreme > 100);
  BOOST_TEST(clipped.step == 0);
  BOOST_TEST(describe_channel({}).samples == 0);
  BOOST_TEST(describe_channel({1, NAN, 2}).samples == 2);
}
