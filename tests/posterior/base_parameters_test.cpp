// SPDX-License-Identifier: BSD-3-Clause
// Base parameters against the singular vectors of Pinocchio's own regressor.
#define BOOST_TEST_DYN_LINK
#include "posterior/base_parameters.hpp"

#include <Eigen/SVD>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/multibody.hpp>
#include <random>

#include "posterior/readable_coordinates.hpp"
#include "support/identification.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double slope = 20.0;  // of Coulomb friction, s/rad

/// Seven joints, inertias alone.
Config arm_config() {
  Config config = test::panda_config();
  config.parameters.friction.reset();
  return config;
}

/// The same with Coulomb and viscous friction of a known slope, armatures and offsets.
Config arm_with_drives() {
  Config config = arm_config();
  config.parameters.friction.emplace();
  config.parameters.friction->stiction = false;
  config.parameters.friction->prior = {{"coulomb_slope", slope}};
  config.parameters.armature.emplace();
  config.parameters.effort_offset.emplace();
  test::fix_slopes(config);
  return config;
}

BaseParameters base_of(const Dynamics& dynamics) {
  const VectorXd theta = dynamics.parameters().prior();
  const ReadableCoordinates r = readable_coordinates(dynamics.parameters(), theta);
  std::vector<int> order(r.names.size());
  std::iota(order.begin(), order.end(), 0);
  const MotionSpace space{{Mode{}}, {}};
  return base_parameters(
      random_regressor(dynamics, theta, space, dynamics.coordinates().K * r.deta_dr), order);
}

/// Pinocchio's regressor at random motions, then columns of friction, armatures and offsets when
/// asked for: in the order of θ.
MatrixXd reference_regressor(const pinocchio::Model& model, bool drives) {
  constexpr int samples = 100;
  const int nv = model.nv, bodies = model.njoints - 1;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto draw = [&] {
    return VectorXd(VectorXd::NullaryExpr(nv, [&] { return normal(random); }));
  };
  pinocchio::Data data(model);
  MatrixXd out = MatrixXd::Zero(samples * nv, 10 * bodies + (drives ? 4 * nv : 0));
  for (int s = 0; s < samples; ++s) {
    const VectorXd q = draw(), v = draw(), a = draw();
    auto rows = out.middleRows(s * nv, nv);
    rows.leftCols(10 * bodies) = pinocchio::computeJointTorqueRegressor(model, data, q, v, a);
    for (int j = 0; drives && j < nv; ++j) {
      rows(j, 10 * bodies + 2 * j) = std::tanh(slope * v[j]);
      rows(j, 10 * bodies + 2 * j + 1) = v[j];
      rows(j, 10 * bodies + 2 * nv + j) = a[j];
      rows(j, 10 * bodies + 3 * nv + j) = -1;
    }
  }
  return out;
}

/// Orthonormal rows that span the same, from singular values above 1e-9 of the largest.
MatrixXd row_space(const MatrixXd& matrix) {
  const Eigen::BDCSVD<MatrixXd> svd(matrix, Eigen::ComputeThinV);
  const Index rank = (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count();
  return svd.matrixV().leftCols(rank).transpose();
}

/// Sine of the largest principal angle.
double angle_between(const MatrixXd& a, const MatrixXd& b) {
  const MatrixXd outside = a - a * b.transpose() * b;
  return Eigen::JacobiSVD<MatrixXd>(outside).singularValues()[0];
}

void check_span(const Config& config, bool drives, int rank) {
  const test::Scene scene = test::make_scene("arm", config);
  const BaseParameters base = base_of(*scene.dynamics);
  BOOST_TEST(static_cast<int>(base.kept.size()) == rank);
  const MatrixXd expected = row_space(reference_regressor(*scene.dynamics->robot().model, drives));
  BOOST_TEST(expected.rows() == rank);
  const MatrixXd found = row_space(base.G);
  BOOST_TEST(found.cols() == expected.cols());
  BOOST_TEST(angle_between(found, expected) < 1e-6);
  BOOST_TEST(angle_between(expected, found) < 1e-6);
}

}  // namespace

BOOST_AUTO_TEST_CASE(base_parameters_of_a_panda_span_those_of_pinocchio) {
  check_span(arm_config(), false, 43);
}

BOOST_AUTO_TEST_CASE(base_parameters_with_drives_span_those_of_pinocchio) {
  // Of the armatures the first two are part of their links' inertias: no joint before them turns
  // these links about the same axis.
  check_span(arm_with_drives(), true, 43 + 14 + 5 + 7);
}

BOOST_AUTO_TEST_CASE(base_parameters_are_regrouped_towards_the_base) {
  const test::Scene scene = test::make_scene("arm", arm_with_drives());
  const BaseParameters base = base_of(*scene.dynamics);
  const std::vector<std::string> names =
      readable_coordinates(scene.dynamics->parameters(), scene.dynamics->parameters().prior())
          .names;
  // The first joint turns about z: only izz of its link is identifiable, and only with its motor's
  // inertia.
  BOOST_TEST(names[base.kept[0]] == "frame_inertia.panda_link1.izz");
  for (Index j = 0; j < base.G.cols(); ++j) {
    if (names[j] == "armature.panda_joint1") BOOST_TEST(std::abs(base.G(0, j) - 1) < 1e-9);
    for (Index i = 0; i < base.G.rows(); ++i) {
      if (base.kept[i] > j) BOOST_TEST(base.G(i, j) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(base_parameters_write_dependent_columns_as_sums) {
  // Ranks and dependences as made, with columns of very different sizes.
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto draw = [&](Index rows, Index cols) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  const MatrixXd mixing = draw(4, 9);
  MatrixXd Y = draw(30, 4) * mixing;
  Y.col(5).setZero();
  for (Index j = 0; j < 9; ++j) Y.col(j) *= std::pow(10.0, static_cast<double>(j % 4) - 2);
  std::vector<int> order(9);
  std::iota(order.begin(), order.end(), 0);
  const BaseParameters base = base_parameters(Y, order);
  BOOST_TEST(base.kept == std::vector<int>({0, 1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST((Y(Eigen::all, base.kept) * base.G - Y).norm() < 1e-10 * Y.norm());
  BOOST_TEST(base.G.col(5).norm() == 0);
}

BOOST_AUTO_TEST_CASE(readable_coordinates_have_the_derivatives_of_the_parameters) {
  for (const test::Scene& scene : test::all_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const ParameterSet& parameters = scene.dynamics->parameters();
      const VectorXd theta = test::random_instant(scene, 4).theta;
      const auto at = [&](const VectorXd& point) {
        return readable_coordinates(parameters, point);
      };
      const ReadableCoordinates r = at(theta);
      const MatrixXd chain = r.deta_dr * r.dr_dtheta;
      const MatrixXd expected = parameters.physical_jacobian(theta);
      BOOST_TEST((chain - expected).norm() <= 1e-12 * expected.norm());
      constexpr double h = 1e-6;
      for (Index i = 0; i < theta.size(); ++i) {
        VectorXd high = theta, low = theta;
        high[i] += h;
        low[i] -= h;
        const VectorXd numeric = (at(high).value - at(low).value) / (2 * h);
        const double scale = r.dr_dtheta.col(i).norm() + 1e-3 * r.value.norm();
        BOOST_TEST((numeric - r.dr_dtheta.col(i)).norm() <= 1e-6 * scale);
      }
    }
  }
}

}  // namespace bayesid
