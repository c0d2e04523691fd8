// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "bayesid/solver/solve.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {

BOOST_AUTO_TEST_CASE(arm_converges_from_priors_that_are_seventy_percent_wrong) {
  const Config config = test::panda_config();
  test::IdentificationOptions options;
  options.simulation = {.duration = 4.0, .rate = 250.0, .harmonics = 5, .base_frequency = 0.25, .amplitude = 1.0};
  options.noise = test::make_noise(7, {});
  const int count = std::getenv("STARTS") ? std::atoi(std::getenv("STARTS")) : 3;
  for (int seed = 1; seed <= count; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const test::Identification identification = test::make_identification(config, options, seed);
      SolverOptions solver{.num_threads = 2};
      solver.on_iteration = [](const Iteration& i) {
        BOOST_TEST_MESSAGE(i.number << " cost " << i.cost << " violation " << i.violation << " step " << i.step
                                    << " length " << i.length << " damping " << i.damping
                                    << (i.curvature ? " curvature" : "") << " time " << i.seconds);
      };
      const Solution solution = solve(*identification.problem, solver);
      BOOST_TEST_MESSAGE(to_string(solution.status) << " " << solution.history.size() << " cost " << solution.cost);
      for (const double part : solution.cost_parts) BOOST_TEST_MESSAGE("part " << part);
      const auto names = identification.dynamics->parameters().names();
      const Eigen::VectorXd mean = identification.problem->prior_mean(), std = identification.problem->prior_std();
      if (std::getenv("VERBOSE"))
      for (size_t i = 0; i < names.size(); ++i) {
        const auto j = static_cast<Eigen::Index>(i);
        const double away = (solution.point.theta[j] - mean[j]) / std[j];
        if (std::abs(away) > 4) BOOST_TEST_MESSAGE("AWAY " << names[i] << " " << away << " truth " << identification.truth[j] << " prior " << mean[j] << " estimate " << solution.point.theta[j]);
      }
      if (std::getenv("VERBOSE")) {
        Point start = identification.problem->start();
        start.theta = identification.truth;
        const Solution again = solve(*identification.problem, {.num_threads = 2}, &start);
        BOOST_TEST_MESSAGE("RESULT " << seed << " " << to_string(solution.status) << " " << solution.history.size() << " cost " << solution.cost << " from truth " << to_string(again.status) << " " << again.history.size() << " cost " << again.cost << " time " << solution.timing.total);
      }
      BOOST_TEST(solution.converged());
    }
  }
}

}  // namespace bayesid
