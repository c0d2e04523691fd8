// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "support/calibration.hpp"

namespace bayesid {

// The full table over 200 logs is made by studies/calibration.cpp.
BOOST_AUTO_TEST_CASE(error_bars_mean_what_they_say, *boost::unit_test::label("slow")) {
  const test::Calibration calibration = test::calibrate(1, 200);
  BOOST_TEST(calibration.num_converged == calibration.num_logs);
  BOOST_TEST_MESSAGE("normalised error " << calibration.normalised_error << " for " << calibration.dimension
                                         << ", covered " << calibration.num_covered << " of "
                                         << calibration.num_intervals);
  // χ² with n degrees of freedom has variance 2n: the mean of 60 lies within 3 √(2n/60) in 99.7 % of cases.
  const double slack = 3 * std::sqrt(2.0 * calibration.dimension / calibration.num_logs);
  BOOST_TEST(std::abs(calibration.normalised_error - calibration.dimension) < slack);
  // Intervals of one log are correlated: 3 standard deviations of 60 independent logs.
  const double coverage = static_cast<double>(calibration.num_covered) / calibration.num_intervals;
  BOOST_TEST(calibration.num_intervals > 5 * calibration.num_logs);
  BOOST_TEST(std::abs(coverage - 0.95) < 3 * std::sqrt(0.95 * 0.05 / calibration.num_logs));
}

}  // namespace bayesid
