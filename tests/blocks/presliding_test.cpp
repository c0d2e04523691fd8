// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "blocks/presliding.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "support/scene.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

BOOST_AUTO_TEST_CASE(presliding_is_a_spring_at_first_and_gives_way) {
  constexpr double distance = 3e-4;
  // Stiffness 1/δ for small ways, either way.
  BOOST_TEST(std::abs(presliding_step(0, 1e-8, distance) - 1e-8 / distance) < 1e-9);
  BOOST_TEST(std::abs(presliding_step(0, -1e-8, distance) + 1e-8 / distance) < 1e-9);
  // One distance: 1 − 1/e. Many: all of the force, and no more.
  BOOST_TEST(std::abs(presliding_step(0, distance, distance) - (1 - std::exp(-1))) < 1e-14);
  BOOST_TEST(presliding_step(0.3, 1.0, distance) == 1.0);
  BOOST_TEST(presliding_step(-1.0, 0.0, distance) == -1.0);
}

BOOST_AUTO_TEST_CASE(presliding_depends_on_the_way_and_not_on_its_samples) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const double z = uniform(random), way = 1e-3 * uniform(random);
    double in_parts = z;
    for (int i = 0; i < 7; ++i) in_parts = presliding_step(in_parts, way / 7, 3e-4);
    BOOST_TEST(std::abs(in_parts - presliding_step(z, way, 3e-4)) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(presliding_takes_energy_in_every_closed_cycle) {
  for (const double amplitude : {1e-5, 1e-4, 1e-3, 1e-2}) {
    constexpr int steps = 20000;
    double z = 0, work = 0;
    for (int cycle = 0; cycle < 3; ++cycle) {
      work = 0;
      for (int i = 0; i < steps; ++i) {
        const double before = amplitude * std::sin(2 * M_PI * i / steps),
                     after = amplitude * std::sin(2 * M_PI * (i + 1) / steps);
        const double next = presliding_step(z, after - before, 3e-4);
        work += 0.5 * (z + next) * (after - before);
        z = next;
      }
    }
    BOOST_TEST(work > 0, amplitude);
    BOOST_TEST(work < 4 * amplitude, amplitude);  // what full force over the whole way would take
  }
}

BOOST_AUTO_TEST_CASE(presliding_follows_the_rows_of_its_drives) {
  const test::Scene& scene = test::scenes()[1];  // with a motor that turns with two joints
  const ParameterSet& parameters = scene.dynamics->parameters();
  const auto num_drives = static_cast<Eigen::Index>(parameters.presliding().size());
  BOOST_REQUIRE(num_drives == scene.dynamics->nv() + 1);
  MatrixXd position = 1e-4 * MatrixXd::Random(scene.dynamics->nv(), 30);
  const MatrixXd z = presliding_along(parameters, position);
  for (Eigen::Index p = 0; p < num_drives; ++p) {
    double expected = 0;
    const Presliding& one = parameters.presliding()[p];
    const auto& row = parameters.drives()[one.drive].row;
    for (Eigen::Index k = 1; k < position.cols(); ++k) {
      expected =
          presliding_step(expected, row.dot(position.col(k) - position.col(k - 1)), one.distance);
      BOOST_TEST(std::abs(z(p, k) - expected) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(smoothed_positions_keep_straight_lines_and_lessen_noise) {
  const VectorXd time = VectorXd::LinSpaced(501, 0, 0.5);
  MatrixXd line(2, 501);
  line.row(0) = 3 * time.transpose();
  line.row(1).setConstant(0.7);
  BOOST_TEST((smoothed_positions(time, line, 0.01) - line).cwiseAbs().maxCoeff() < 1e-12);
  BOOST_TEST((smoothed_positions(time, line, 0) - line).cwiseAbs().maxCoeff() == 0);
  const MatrixXd noise = MatrixXd::Random(2, 501);
  const double left = smoothed_positions(time, noise, 0.0201).middleCols(20, 460).norm();
  BOOST_TEST(left < 0.3 * noise.middleCols(20, 460).norm());  // 1/√21 of it
  BOOST_TEST(left > 0.1 * noise.middleCols(20, 460).norm());
}
