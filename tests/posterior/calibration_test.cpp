// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "support/calibration.hpp"

namespace bayesid {

BOOST_AUTO_TEST_CASE(error_bars_have_their_coverage, *boost::unit_test::label("slow")) {
  const test::Calibration calibration = test::calibrate(1, 200);
  BOOST_TEST(calibration.num_converged == calibration.num_logs);
  BOOST_TEST_MESSAGE("normalised error " << calibration.normalised_error << " for "
                                         << calibration.dimension << ", covered "
                                         << calibration.num_covered << " of "
                                         << calibration.num_intervals);
  const double slack = 0.1 * calibration.dimension;
  BOOST_TEST(std::abs(calibration.normalised_error - calibration.dimension) < slack);
  const double coverage = static_cast<double>(calibration.num_covered) / calibration.num_intervals;
  BOOST_TEST(calibration.num_intervals > 3 * calibration.num_logs);
  BOOST_TEST(std::abs(coverage - 0.95) < 0.02);
}

}  // namespace bayesid
