// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "blocks/inertia_ee.hpp"

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>
#include <random>

#include "math/so3.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using namespace bayesid::blocks;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

InertiaCoordinates random_coordinates(std::mt19937& random) {
  std::normal_distribution<double> normal;
  InertiaCoordinates theta;
  for (double& value : theta) value = 0.5 * normal(random);
  return theta;
}

/// Random ones, and ones with small, large and zero rotation.
std::vector<InertiaCoordinates> scenes() {
  std::mt19937 random(5);
  std::vector<InertiaCoordinates> out;
  for (const double scale : {0.0, 1e-9, 1e-5, 1e-2, 1.0, 4.0}) {
    InertiaCoordinates theta = random_coordinates(random);
    theta.segment<3>(4) *= scale;
    out.push_back(theta);
  }
  return out;
}

/// π of point masses; the independent oracle of the transform.
struct PointMass {
  double m;
  Vector3d at;
};

InertialParameters inertia_of(const std::vector<PointMass>& points) {
  InertialParameters pi = InertialParameters::Zero();
  for (const PointMass& p : points) {
    const Matrix3d I = -p.m * skew(p.at) * skew(p.at);
    InertialParameters one;
    one << p.m, p.m * p.at, I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2);
    pi += one;
  }
  return pi;
}

}  // namespace

BOOST_AUTO_TEST_CASE(inertia_is_consistent_for_every_coordinate) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const InertialParameters pi = inertia_from_coordinates(2 * random_coordinates(random));
    const Vector3d h = pi.segment<3>(1);
    Eigen::Matrix4d
        pseudo;  // positive definite exactly when a positive mass distribution has this π
    const Matrix3d I = symmetric_matrix(pi.tail<6>());
    pseudo << 0.5 * I.trace() * Matrix3d::Identity() - I, h, h.transpose(), pi[0];
    BOOST_TEST(Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(pseudo).eigenvalues()[0] > 0);
  }
}

BOOST_AUTO_TEST_CASE(inertia_without_rotation_or_offset_is_diagonal) {
  InertiaCoordinates theta = InertiaCoordinates::Zero();
  theta.tail<3>() = Vector3d(1, 2, 3).array().log();
  InertialParameters expected;
  expected << 1, 0, 0, 0, 5, 0, 4, 0, 0, 3;  // D = P L
  BOOST_TEST((inertia_from_coordinates(theta) - expected).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(inertia_jacobian_agrees_with_central_differences) {
  const auto value = [](const VectorXd& x) -> VectorXd { return inertia_from_coordinates(x); };
  for (const InertiaCoordinates& theta : scenes()) {
    const DerivativeCheck check =
        check_derivatives(inertia_jacobian(theta), numeric_jacobian(value, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(inertia_curvature_agrees_with_central_differences) {
  std::mt19937 random(7);
  for (const InertiaCoordinates& theta : scenes()) {
    const InertialParameters s = random_coordinates(random);
    const auto gradient = [&s](const VectorXd& x) -> VectorXd {
      return inertia_jacobian(x).transpose() * s;
    };
    const Matrix10 curvature = inertia_curvature(theta, s);
    const DerivativeCheck check = check_derivatives(curvature, numeric_jacobian(gradient, theta));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    BOOST_TEST((curvature - curvature.transpose()).norm() == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_sign_in_the_curvature_is_caught) {
  std::mt19937 random(8);
  const InertiaCoordinates theta = random_coordinates(random);
  const InertialParameters s = random_coordinates(random);
  const auto gradient = [&s](const VectorXd& x) -> VectorXd {
    return inertia_jacobian(x).transpose() * s;
  };
  Matrix10 wrong = inertia_curvature(theta, s);
  wrong(5, 4) *= -1;
  const DerivativeCheck check = check_derivatives(wrong, numeric_jacobian(gradient, theta));
  BOOST_TEST(check.max_error > 1e-3);
  BOOST_TEST(check.worst_entry.starts_with("(5, 4)"), check.worst_entry);
}

BOOST_AUTO_TEST_CASE(inertia_transform_agrees_with_point_masses_in_both_frames) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  const Matrix3d R = so3_exp(vector());
  const Vector3d p = vector();
  std::vector<PointMass> in_link, in_body;
  for (int i = 0; i < 6; ++i) {
    in_link.push_back({std::abs(normal(random)), vector()});
    in_body.push_back({in_link.back().m, R * in_link.back().at + p});
  }
  const InertialParameters transformed = inertia_transform(R, p) * inertia_of(in_link);
  BOOST_TEST((transformed - inertia_of(in_body)).norm() < 1e-13 * transformed.norm());
  BOOST_TEST(
      (inertia_transform(Matrix3d::Identity(), Vector3d::Zero()) - Matrix10::Identity()).norm() ==
      0);
}
