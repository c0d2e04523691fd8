// SPDX-License-Identifier: BSD-3-Clause
// Logs with the clocks that recorders have: written faster than measured, stamped irregularly,
// filtered.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/changed_case.hpp"

using namespace bayesid::test;
using namespace bayesid::test::changed;

namespace {

json parameters_of(const Scene& scene) {
  return json::parse(text_of(scene.path() + "/result/result.json"))["parameters"];
}

/// Each line five times, a fifth of the time apart.
const Change written_five_times = lines([](Lines& all) {
  Lines out{all[0]};
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::size_t comma = all[i].find(',');
    const double time = std::stod(all[i]);
    for (int repeat = 0; repeat < 5; ++repeat) {
      std::ostringstream stamp;
      stamp.precision(17);
      stamp << time + 0.001 * repeat;
      out.push_back(stamp.str() + all[i].substr(comma));
    }
  }
  all = out;
});

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_written_faster_than_measured_gives_what_the_measured_one_gives) {
  const Scene measured({0, "", {}, {}}), written({0, "run.csv", written_five_times, {}});
  BOOST_TEST(measured.identify().code == 0);
  const Run run = written.identify();
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(run.err.find("warning: run.csv: positions repeat the sample before in 80") !=
                 std::string::npos,
             run.err);
  BOOST_TEST(run.err.find("(1000 Hz) than they are measured (200 Hz)") != std::string::npos,
             run.err);
  BOOST_TEST((parameters_of(measured) == parameters_of(written)));
}
