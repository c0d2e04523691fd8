// SPDX-License-Identifier: BSD-3-Clause
#include "noise/sampled_windows.hpp"

#include <boost/test/unit_test.hpp>

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Every number of a sample tells which one it is.
Recording numbered(int samples, double start) {
  Recording out;
  out.file = "run.csv";
  out.time = VectorXd::LinSpaced(samples, start, start + 0.01 * (samples - 1));
  out.position = out.time.transpose().replicate(2, 1);
  out.velocity = 2 * out.position;
  out.effort = 3 * out.position;
  out.poses["tool"] = 4 * out.time.transpose().replicate(7, 1);
  out.series["imu.base"] = {.time = out.time.array() + 0.003,
                            .values = 5 * out.time.transpose().replicate(10, 1)};
  return out;
}

int num_samples(const std::vector<Recording>& recordings) {
  int out = 0;
  for (const Recording& one : recordings) out += one.num_samples();
  return out;
}

BOOST_AUTO_TEST_SUITE(sampled_windows_suite)

BOOST_AUTO_TEST_CASE(a_part_has_what_belongs_to_its_samples) {
  const Recording part = part_of(numbered(1000, 7), 300, 50);
  BOOST_TEST(part.num_samples() == 50);
  BOOST_TEST(part.time[0] == 10, boost::test_tools::tolerance(1e-12));
  BOOST_TEST((part.position.row(1).transpose() - part.time).norm() == 0);
  BOOST_TEST((part.velocity.row(0).transpose() - 2 * part.time).norm() == 0);
  BOOST_TEST((part.effort.row(1).transpose() - 3 * part.time).norm() == 0);
  BOOST_TEST((part.poses.at("tool").row(6).transpose() - 4 * part.time).norm() == 0);
  BOOST_TEST(part.thrust.size() == 0);
  const Series& imu = part.series.at("imu.base");
  BOOST_TEST(imu.time.size() == 49);
  BOOST_TEST(imu.time[0] >= part.time[0]);
  BOOST_TEST(imu.time[48] <= part.time[49]);
  BOOST_TEST(
      (imu.values.row(0).transpose().array() - 5 * (imu.time.array() - 0.003)).abs().maxCoeff() <
      1e-12);
}

BOOST_AUTO_TEST_CASE(short_logs_stay_whole) {
  const std::vector<Recording> logs{numbered(3000, 0), numbered(2900, 50)};
  const std::vector<Recording> windows = sampled_windows(logs, 4000);
  BOOST_TEST(windows.size() == 2u);
  BOOST_TEST(num_samples(windows) == 5900);
}

BOOST_AUTO_TEST_CASE(windows_spread_over_long_logs) {
  const std::vector<Recording> windows = sampled_windows({numbered(100000, 0)}, 4000);
  BOOST_TEST(windows.size() == 8u);
  BOOST_TEST(num_samples(windows) == 4000);
  for (std::size_t i = 1; i < windows.size(); ++i)
    BOOST_TEST(windows[i].time[0] - windows[i - 1].time[0] == 125,
               boost::test_tools::tolerance(1e-6));
  BOOST_TEST(windows[0].time[0] > 10);
  BOOST_TEST(windows[7].time[499] < 990);
}

BOOST_AUTO_TEST_CASE(of_many_short_logs_some_are_taken) {
  std::vector<Recording> logs;
  for (int i = 0; i < 1000; ++i) logs.push_back(numbered(100, 10 * i));
  const std::vector<Recording> windows = sampled_windows(logs, 4000);
  BOOST_TEST(windows.size() == 40u);
  BOOST_TEST(windows.back().time[0] > 9000);
}

BOOST_AUTO_TEST_CASE(logs_of_all_lengths_take_part) {
  std::vector<Recording> logs{numbered(20000, 0)};
  for (int i = 0; i < 50; ++i) logs.push_back(numbered(200, 1000 + 10 * i));
  const std::vector<Recording> windows = sampled_windows(logs, 4000);
  BOOST_TEST(std::abs(num_samples(windows) - 4000) <= 500);
  BOOST_TEST(windows.front().num_samples() == 500);
  BOOST_TEST(windows.back().num_samples() == 200);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace bayesid
