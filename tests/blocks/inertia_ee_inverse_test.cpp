// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>

#include "blocks/inertia_ee.hpp"
#include "math/so3.hpp"

using namespace bayesid;
using namespace bayesid::blocks;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

struct Body {
  double m = 1;
  Vector3d c = Vector3d::Zero();
  Vector3d omega = Vector3d::Zero();
  Vector3d L = Vector3d::Ones();
};

InertialParameters inertia_of(const Body& body) {
  InertiaCoordinates theta;
  theta << std::log(body.m), body.m * body.c, body.omega, body.L.array().log().matrix();
  return inertia_from_coordinates(theta);
}

/// |π(θ(π)) − π|, relative to π with the units of length taken out.
double round_trip_error(const InertialParameters& pi) {
  const std::optional<InertiaCoordinates> theta = coordinates_from_inertia(pi);
  if (!theta) return 1;
  const InertialParameters again = inertia_from_coordinates(*theta);
  const double h_scale = std::max(pi.segment<3>(1).norm(), std::numeric_limits<double>::min());
  return std::max({std::abs(again[0] - pi[0]) / pi[0], (again - pi).segment<3>(1).norm() / h_scale,
                   (again - pi).tail<6>().norm() / pi.tail<6>().norm()});
}

const std::vector<Vector3d> shapes{{1, 1, 1},         {1, 2, 3},          {1e-6, 1e-6, 1},
                                   {1e-6, 1, 1},      {1e-6, 2e-6, 1},    {1, 1, 1 + 1e-13},
                                   {1, 1, 1 + 1e-10}, {1, 1 + 1e-7, 0.5}, {1e-9, 1e-9, 1}};

Vector3d random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(inverse_map_gives_back_every_inertia) {
  std::mt19937 random(10);
  for (const Vector3d& shape : shapes) {
    for (const double m : {1e-6, 1.0, 1e4}) {
      for (const double distance : {0.0, 0.3, 10.0}) {
        for (const double turn : {0.0, 1e-10, 1e-5, 1.0}) {
          // Far away, a thin body's own moments vanish in the round-off of π: nothing to give back.
          if (distance > 1 && shape.minCoeff() < 1e-7) continue;
          const InertialParameters pi = inertia_of({.m = m,
                                                    .c = distance * random_vector(random),
                                                    .omega = turn * random_vector(random),
                                                    .L = 0.1 * m * shape});
          BOOST_TEST(round_trip_error(pi) < 1e-9);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(inverse_map_gives_back_canonical_coordinates) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    InertiaCoordinates theta;
    theta << random_vector(random).x(), random_vector(random), 0.25 * random_vector(random),
        random_vector(random);
    if (theta.segment<3>(4).norm() > 0.7) continue;  // 45° and more: perhaps not the smallest
    const InertiaCoordinates again = *coordinates_from_inertia(inertia_from_coordinates(theta));
    BOOST_TEST((again - theta).norm() < 1e-9 * theta.norm() * std::exp(theta.tail<3>().norm()));
  }
}

BOOST_AUTO_TEST_CASE(inverse_map_is_canonical_from_any_of_the_24_frames) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 100; ++trial) {
    InertiaCoordinates theta;
    theta << 0.1, random_vector(random), 2 * random_vector(random), random_vector(random);
    const InertialParameters pi = inertia_from_coordinates(theta);
    const InertiaCoordinates once = *coordinates_from_inertia(pi);
    const InertiaCoordinates twice = *coordinates_from_inertia(inertia_from_coordinates(once));
    // No rotation of the octahedral group is farther than 62.8° from its nearest neighbour.
    BOOST_TEST((once.segment<3>(4).norm() < 1.097));
    BOOST_TEST((twice - once).norm() < 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(a_diagonal_inertia_has_no_rotation) {
  for (const Vector3d& shape : shapes) {
    const std::optional<InertiaCoordinates> theta =
        coordinates_from_inertia(inertia_of({.m = 2, .L = shape}));
    BOOST_REQUIRE(theta.has_value());
    BOOST_TEST(theta->segment<3>(4).norm() == 0);
    const Vector3d L = theta->tail<3>().array().exp();
    BOOST_TEST((L - shape).norm() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_body_of_revolution_turns_only_its_axis) {
  const Vector3d omega(0.2, -0.3, 0);  // no spin about the axis
  const Body body{.omega = omega, .L = {0.1, 0.1, 1}};
  Body spun = body;
  spun.omega = so3_log(so3_exp(omega) * so3_exp(Vector3d(0, 0, 0.6)));
  const InertiaCoordinates theta = *coordinates_from_inertia(inertia_of(spun));
  BOOST_TEST((theta.segment<3>(4) - omega).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(ties_are_decided_the_same_way_every_time) {
  // A body turned by 45°: four representatives have the same angle.
  for (const double noise : {-1e-13, 0.0, 1e-13}) {
    const Body body{.omega = {0, 0, M_PI / 4 + noise}, .L = {1, 2, 3}};
    const InertiaCoordinates theta = *coordinates_from_inertia(inertia_of(body));
    BOOST_TEST(std::abs(theta[6] - M_PI / 4) < 1e-9);
    BOOST_TEST(std::abs(theta[7]) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(an_inconsistent_inertia_has_no_coordinates) {
  InertialParameters pi = inertia_of({.L = {1, 2, 3}});
  pi[0] = 0;
  BOOST_TEST(!coordinates_from_inertia(pi));
  pi[0] = -1;
  BOOST_TEST(!coordinates_from_inertia(pi));
  pi[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(!coordinates_from_inertia(pi));

  InertialParameters triangle;
  triangle << 1, 0, 0, 0, 1, 0, 1, 0, 0, 3;  // D_z > D_x + D_y
  BOOST_TEST(!coordinates_from_inertia(triangle));
  InertialParameters plate;
  plate << 1, 0, 0, 0, 1, 0, 1, 0, 0, 2;  // no thickness
  BOOST_TEST(!coordinates_from_inertia(plate));
}
