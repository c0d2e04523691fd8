// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "problem/filtered_samples.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "problem/filtered_noise.hpp"

using namespace bayesid;

namespace {

using Values = std::vector<double>;

constexpr double rate = 1000, noise = 1e-3;

/// A motion of up to 1 Hz for ten seconds, measured with white noise.
Values measured(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Values out;
  for (int k = 0; k < 10000; ++k) {
    const double time = k / rate;
    out.push_back(0.5 * std::sin(1.3 * time + seed) + 0.2 * std::sin(6 * time) +
                  noise * normal(random));
  }
  return out;
}

/// Butterworth of second order, run `times` times.
Values filtered(Values values, double cutoff, int times = 1) {
  const double c = 1 / std::tan(M_PI * cutoff / rate), scale = 1 / (1 + std::sqrt(2.0) * c + c * c);
  for (int pass = 0; pass < times; ++pass) {
    double x1 = values[0], x2 = x1, y1 = x1, y2 = x1;
    for (double& value : values) {
      const double y = scale * (value + 2 * x1 + x2 - (2 - 2 * c * c) * y1 -
                                (1 - std::sqrt(2.0) * c + c * c) * y2);
      x2 = std::exchange(x1, value);
      y2 = std::exchange(y1, y);
      value = y;
    }
  }
  return values;
}

Values rounded_to(double step, Values values) {
  for (double& value : values) value = step * std::round(value / step);
  return values;
}

Log log_of(const Values& q, const Values& v, const Values& tau) {
  Log log;
  log.file = "run.csv";
  for (std::size_t k = 0; k < q.size(); ++k) {
    log.time.push_back(static_cast<double>(k) / rate);
    log.lines.push_back(static_cast<int>(k) + 2);
  }
  log.channels = {{"q.j", q}, {"v.j", v}, {"tau.j", tau}};
  return log;
}

int num_measured(const Values& values) {
  return static_cast<int>(std::ranges::count_if(values, [](double x) { return !std::isnan(x); }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(white_noise_has_no_filter) {
  for (const double step : {1e-9, 1e-4, 1e-3, 1e-2}) {
    BOOST_TEST_CONTEXT(step) BOOST_TEST(!find_filter(rounded_to(step, measured(1))).has_value());
  }
}

BOOST_AUTO_TEST_CASE(motion_alone_has_no_filter) {
  Values smooth, quick, steps;
  for (int k = 0; k < 10000; ++k) {
    smooth.push_back(std::sin(0.005 * k));
    quick.push_back(std::sin(0.3 * k));
    steps.push_back(std::sin(0.005 * k) + (std::sin(0.013 * k) > 0 ? 0.5 : -0.5));
  }
  for (const Values& values : {smooth, quick, steps, Values(10000, 1.0), Values{}, Values{1, 2}}) {
    BOOST_TEST(!find_filter(values).has_value());
    BOOST_TEST(!find_filter(rounded_to(1e-4, values)).has_value());
  }
}

BOOST_AUTO_TEST_CASE(the_noise_before_the_filter_is_found) {
  for (const double cutoff : {15.0, 30.0, 60.0}) {
    for (const int times : {1, 2}) {
      for (const double step : {1e-12, 1e-5}) {  // rounded after the filter
        BOOST_TEST_CONTEXT(cutoff << " " << times << " " << step) {
          const auto found = find_filter(rounded_to(step, filtered(measured(2), cutoff, times)));
          BOOST_REQUIRE(found.has_value());
          BOOST_TEST(found->std > 0.75 * noise);
          BOOST_TEST(found->std < 1.4 * noise);
          // The cutoff that it stands for.
          BOOST_TEST(rate / (2 * found->correlated) > 0.6 * cutoff);
          BOOST_TEST(rate / (2 * found->correlated) < 1.6 * cutoff);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(one_sample_in_each_correlation_time_counts_where_nobody_states_the_noise) {
  const Values q = filtered(measured(1), 30), v = filtered(measured(2), 30),
               tau = filtered(measured(3), 30);
  Log automatic = log_of(q, v, tau), stated = automatic;
  MeasurementConfig given;
  thin_filtered_samples(given, automatic);
  BOOST_TEST(num_measured(automatic.channels.at("q.j")) < 1000);
  BOOST_TEST(num_measured(automatic.channels.at("q.j")) > 300);
  BOOST_TEST(num_measured(automatic.channels.at("v.j")) ==
             num_measured(automatic.channels.at("q.j")));
  BOOST_TEST(automatic.channels.at("tau.j") == tau);
  BOOST_REQUIRE(automatic.warnings.size() == 1U);
  BOOST_TEST(automatic.warnings[0].starts_with("run.csv: positions ("), automatic.warnings[0]);
  BOOST_TEST(automatic.warnings[0].find(" counts as measured (positions, velocities)") !=
                 std::string::npos,
             automatic.warnings[0]);

  given.position.all = 1e-3;
  given.velocity.by_name["j"] = 1e-3;
  thin_filtered_samples(given, stated);
  BOOST_TEST(num_measured(stated.channels.at("q.j")) == 10000);
  BOOST_TEST(num_measured(stated.channels.at("v.j")) == 10000);
  BOOST_REQUIRE(stated.warnings.size() == 1U);
  BOOST_TEST(
      stated.warnings[0].find("the stated noise is that before the filter") != std::string::npos,
      stated.warnings[0]);
}

BOOST_AUTO_TEST_CASE(a_log_without_a_filter_is_not_thinned) {
  Log log = log_of(measured(1), measured(2), filtered(measured(3), 30));
  const auto before = log.channels;
  thin_filtered_samples({}, log);
  BOOST_TEST(log.warnings.empty());
  BOOST_TEST((log.channels == before));
}
