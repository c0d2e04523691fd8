// SPDX-License-Identifier: BSD-3-Clause
// Real tosses of a cube: the small variant of studies/cube_tosses.cpp.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "support/cube_toss.hpp"
#include "support/oracle.hpp"

namespace bayesid {

BOOST_AUTO_TEST_CASE(cube_tosses_determine_the_moments_of_a_hollow_box,
                     *boost::unit_test::label("slow") *
                         boost::unit_test::label("needs_cube_tosses") *
                         test::needs_shared("data/cube_tosses")) {
  const std::string folder = test::shared_folder("data/cube_tosses");
  const double scale =
      test::standard_gravity / test::fall(test::read_cube_tosses(folder, 1.0)).first;
  std::vector<test::CubeToss> all = test::read_cube_tosses(folder, scale), tosses;
  for (std::size_t i = 0; i < all.size(); i += 3) tosses.push_back(all[i]);
  test::CubeModel model;
  std::tie(model.position, model.orientation) = test::camera_noise(all);
  for (test::CubeToss& toss : tosses) {
    toss.restitution = 0.26;
    test::find_impact(model, true, toss);
    BOOST_TEST_MESSAGE(toss.name << ": impact at " << toss.impact << " s, restitution "
                                 << toss.restitution);
    BOOST_TEST(toss.restitution > 0.2);  // the published value, 0.125, is not confirmed
    BOOST_TEST(toss.restitution < 0.35);
  }
  const RobotProblem problem = test::cube_problem(test::cube_dynamics(model), tosses, model);
  const Solution solution = solve(problem, {});
  BOOST_TEST(solution.converged());
  const test::CubeInertia found = test::cube_inertia(problem.dynamics().parameters(), solution);
  BOOST_TEST_MESSAGE("I/m " << found.ratio.transpose() << " ± " << found.ratio_std.transpose()
                            << " m², centre of mass " << found.centre.transpose() << " ± "
                            << found.centre_std.transpose() << " m");
  // Walls of acrylic, 1180 kg/m³, that make up 0.37 kg: inner by outer width is 0.90.
  const double width = 2 * test::cube_half_width;
  const double inner = std::cbrt(1 - 0.37 / (1180 * std::pow(width, 3)));
  const double hollow = width * width / 6 * (1 - std::pow(inner, 5)) / (1 - std::pow(inner, 3));
  BOOST_TEST(std::abs(found.mean - hollow) < 3 * found.mean_std);
  BOOST_TEST(found.mean_std < 0.1 * found.mean);
  BOOST_TEST(std::abs(found.mean - width * width / 6) > 3 * found.mean_std);  // it is not solid
  for (int t = 0; t < problem.num_trajectories(); ++t) {
    const PathDetails details = problem.details(solution.point.theta, t, solution.point.paths[t]);
    const std::vector<StagePlan>& stages = problem.timeline(t).stages;
    Eigen::Index k = 0;
    while (!stages[static_cast<std::size_t>(k)].impact) ++k;
    // The published friction is 0.18; nothing in the model keeps it below that.
    BOOST_TEST(details.slip.col(k).head<2>().norm() < 0.22 * details.force(0, k));
  }
}

}  // namespace bayesid
