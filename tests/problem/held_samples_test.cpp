// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "problem/held_samples.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "bayesid/log.hpp"

using namespace bayesid;

namespace {

using Values = std::vector<double>;

/// Two joints for two seconds at 1000 Hz; sample k of the log shows sample held(k).
template <typename Held>
Log moving(Held held, double amplitude = 1, double noise = 0, double step = 0) {
  Log log;
  log.file = "run.csv";
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  Values q1, q2;
  const auto read = [&](double q) {
    q += noise * normal(random);
    return step > 0 ? step * std::round(q / step) : q;
  };
  for (int k = 0; k < 2000; ++k) {
    q1.push_back(read(amplitude * std::sin(0.007 * k)));
    q2.push_back(read(amplitude * std::cos(0.004 * k)));
    log.time.push_back(0.001 * k);
    log.lines.push_back(k + 2);
  }
  for (int k = 0; k < 2000; ++k) {
    log.channels["q.a"].push_back(q1[held(k)]);
    log.channels["q.b"].push_back(q2[held(k)]);
    log.channels["v.a"].push_back(7 * std::cos(0.007 * k));
    log.channels["v.b"].push_back(-4 * std::sin(0.004 * k));
    log.channels["tau.a"].push_back(std::sin(0.02 * held(k)));
    log.channels["tau.b"].push_back(std::sin(0.03 * k));
  }
  return log;
}

int every(int k) {
  return k;
}
int fifth(int k) {
  return k - k % 5;
}

int num_measured(const Values& values) {
  return static_cast<int>(std::ranges::count_if(values, [](double x) { return !std::isnan(x); }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_of_each_run_of_held_samples_is_measured) {
  Log log = moving(fifth);
  const Log before = log;
  drop_held_samples(log);
  for (int k = 0; k < 2000; ++k) {
    for (const char* channel : {"q.a", "q.b", "tau.a"}) {
      const double now = log.channels.at(channel)[k];
      BOOST_TEST(std::isnan(now) == (k % 5 != 0));
      if (k % 5 == 0) BOOST_TEST(now == before.channels.at(channel)[k]);
    }
  }
  for (const char* channel : {"v.a", "v.b", "tau.b"})
    BOOST_TEST(log.channels.at(channel) == before.channels.at(channel));
  BOOST_REQUIRE(log.warnings.size() == 1U);
  BOOST_TEST(log.warnings[0] ==
             "run.csv: positions repeat the sample before in 1600 of 2000 samples while the robot "
             "moves: the log is written faster (1000 Hz) than they are measured (200 Hz); the "
             "first of each run counts as measured");
}

BOOST_AUTO_TEST_CASE(runs_need_not_have_one_length) {
  const auto held = [](int k) { return static_cast<int>(std::floor(std::floor(k / 2.6) * 2.6)); };
  Log log = moving(held);
  drop_held_samples(log);
  const Values& q = log.channels.at("q.a");
  for (int k = 1; k < 2000; ++k) BOOST_TEST(std::isnan(q[k]) == (held(k) == held(k - 1)));
  BOOST_TEST(log.warnings.size() == 1U);
}

BOOST_AUTO_TEST_CASE(encoders_with_steps_are_held_when_they_move_by_more_than_those) {
  Log log = moving(fifth, 1, 0, 1e-3);
  drop_held_samples(log);
  BOOST_TEST(log.warnings.size() == 1U);
  BOOST_TEST(num_measured(log.channels.at("q.a")) == 400);
}

BOOST_AUTO_TEST_CASE(encoders_with_steps_are_left_as_they_are) {
  for (const bool is_alone : {false, true}) {
    for (const double amplitude : {0.0, 0.01, 0.1, 1.0}) {
      for (const double step : {0.0, 1e-5, 1e-4, 1e-3, 4e-3, 1e-2}) {
        for (const double noise : {0.0, 0.3 * step, step, 3 * step}) {
          Log log = moving(every, amplitude, noise, step);
          if (is_alone) log.channels.erase("q.b");
          const Log before = log;
          drop_held_samples(log);
          BOOST_TEST_CONTEXT(is_alone << " " << amplitude << " " << step << " " << noise) {
            BOOST_TEST(log.warnings.empty());
            BOOST_TEST((log.channels == before.channels));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(one_joint_may_be_held_too) {
  Log log = moving(fifth, 1, 1e-4);
  for (const char* channel : {"q.b", "v.b", "tau.b"}) log.channels.erase(channel);
  drop_held_samples(log);
  BOOST_TEST(log.warnings.size() == 1U);
  BOOST_TEST(num_measured(log.channels.at("q.a")) == 400);
}

BOOST_AUTO_TEST_CASE(a_held_log_keeps_its_samples_at_rest) {
  Log log = moving([](int k) { return k < 1000 ? fifth(k) : 1000; });
  drop_held_samples(log);
  const Values& q = log.channels.at("q.a");
  for (int k = 1100; k < 2000; ++k) BOOST_TEST(std::isnan(q[k]) == (k % 5 != 0));
}

BOOST_AUTO_TEST_CASE(a_robot_that_stands_still_is_not_held) {
  Log log = moving([](int) { return 0; });
  drop_held_samples(log);
  BOOST_TEST(log.warnings.empty());
  BOOST_TEST(num_measured(log.channels.at("q.a")) == 2000);
}
