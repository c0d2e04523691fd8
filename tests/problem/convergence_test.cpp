// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solve.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {

// The full table over 100 starts is made by studies/convergence.cpp.
BOOST_AUTO_TEST_CASE(arm_converges_from_priors_that_are_seventy_percent_wrong) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const test::Identification identification =
          test::make_identification(test::panda_config(), test::arm_options(), seed);
      const Solution solution = solve(*identification.problem, {.num_threads = 2});
      BOOST_TEST(solution.converged());
      BOOST_TEST(solution.history.size() < 30);  // 11 to 17 measured over 30 starts
      // The truth is a good start; the solution from a bad one must not be worse than by a side
      // optimum of the prior.
      Point start = identification.problem->start();
      start.theta = identification.truth;
      const Solution from_truth = solve(*identification.problem, {.num_threads = 2}, &start);
      BOOST_TEST(solution.cost < from_truth.cost + 5.0);
    }
  }
}

}  // namespace bayesid
