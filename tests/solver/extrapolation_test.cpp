// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "solver/extrapolation.hpp"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>
#include <random>

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int num_states = 3, num_nodes = 4, num_theta = 2, num_unknowns = 14;

/// An unknown of all, as a step: states first, then θ; multipliers go with the states.
FullStep as_step(const VectorXd& z) {
  FullStep out;
  out.dx.push_back(Eigen::Map<const MatrixXd>(z.data(), num_states, num_nodes));
  out.dgamma.push_back(2 * out.dx[0]);
  out.dtheta = z.tail(num_theta);
  return out;
}

VectorXd as_vector(const FullStep& step) {
  VectorXd out(num_unknowns);
  out << Eigen::Map<const VectorXd>(step.dx[0].data(), num_states * num_nodes), step.dtheta;
  return out;
}

/// Iterations until z ← z + s(z) with s(z) = (G − 1) z is at 0.
int iterations(const MatrixXd& G, bool extrapolated) {
  VectorXd z = VectorXd::LinSpaced(num_unknowns, 1, 2);
  Extrapolation memory;
  const MatrixXd information = MatrixXd::Identity(num_theta, num_theta);
  for (int i = 0; i < 1000; ++i) {
    if (z.norm() < 1e-8) return i;
    const FullStep step = as_step((G - MatrixXd::Identity(num_unknowns, num_unknowns)) * z);
    FullStep taken = step;
    if (extrapolated) {
      if (!memory.improve(step, information, taken)) taken = step;
      memory.remember(step, taken);
    }
    BOOST_TEST((taken.dgamma[0] - 2 * taken.dx[0]).norm() < 1e-9);
    z += as_vector(taken);
  }
  return 1000;
}

/// A map with the given eigenvalues, the rest being 0, in random directions.
MatrixXd map_with(const VectorXd& eigenvalues) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  MatrixXd basis(num_unknowns, num_unknowns);
  for (double& entry : basis.reshaped()) entry = normal(random);
  VectorXd values = VectorXd::Zero(num_unknowns);
  values.head(eigenvalues.size()) = eigenvalues;
  return basis * values.asDiagonal() * basis.inverse();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extrapolation)

BOOST_AUTO_TEST_CASE(takes_off_a_pair_of_slow_modes) {
  const MatrixXd G = map_with(Eigen::Vector2d(0.9, -0.9));
  BOOST_TEST(iterations(G, false) > 150);
  BOOST_TEST(iterations(G, true) < 8);
}

BOOST_AUTO_TEST_CASE(takes_off_as_many_modes_as_it_remembers) {
  const MatrixXd G = map_with((VectorXd(5) << 0.95, -0.9, 0.7, -0.5, 0.3).finished());
  BOOST_TEST(iterations(G, false) > 300);
  BOOST_TEST(iterations(G, true) < 25);
}

BOOST_AUTO_TEST_CASE(forgets) {
  Extrapolation memory;
  FullStep out;
  const FullStep step = as_step(VectorXd::Ones(num_unknowns));
  const MatrixXd information = MatrixXd::Identity(num_theta, num_theta);
  BOOST_TEST(!memory.improve(step, information, out));
  memory.remember(step, step);
  BOOST_TEST(!memory.is_empty());
  memory.forget();
  BOOST_TEST(memory.is_empty());
  BOOST_TEST(!memory.improve(step, information, out));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace bayesid
