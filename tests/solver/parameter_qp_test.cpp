// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <random>

#include "solver/parameter_qp.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The solution by enumeration of active sets: independent of the solver's method.
struct Exhaustive {
  bool found = false;
  VectorXd step;
  std::vector<int> active;
};

Exhaustive try_all(const MatrixXd& H, const VectorXd& g, const LinearConstraints& c) {
  Exhaustive best;
  double best_cost = 0;
  const auto n = g.size(), ne = c.E.rows(), ng = c.G.rows();
  for (int mask = 0; mask < (1 << ng); ++mask) {
    std::vector<int> active;
    for (int i = 0; i < ng; ++i) {
      if (mask & (1 << i)) active.push_back(i);
    }
    const auto na = static_cast<Eigen::Index>(active.size());
    if (ne + na > n) continue;
    MatrixXd K = MatrixXd::Zero(n + ne + na, n + ne + na);
    VectorXd rhs(n + ne + na);
    K.topLeftCorner(n, n) = H;
    K.block(n, 0, ne, n) = c.E;
    K.block(n + ne, 0, na, n) = c.G(active, Eigen::all);
    K.topRightCorner(n, ne + na) = K.bottomLeftCorner(ne + na, n).transpose();
    rhs << -g, -c.e, -c.g(active);
    const Eigen::FullPivLU<MatrixXd> lu(K);
    if (!lu.isInvertible()) continue;
    const VectorXd x = lu.solve(rhs).head(n);
    if (ng > 0 && (c.G * x + c.g).minCoeff() < -1e-9) continue;
    const double cost = 0.5 * x.dot(H * x) + g.dot(x);
    if (best.found && cost >= best_cost) continue;
    best = {true, x, active};
    best_cost = cost;
  }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(parameter_qp_equals_the_best_of_all_active_sets) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index cols) -> MatrixXd {
    return MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
  };
  std::map<size_t, int> sizes;
  int indefinite = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Eigen::Index n = 3 + trial % 8, ne = trial % 3, ng = trial % 9;
    const MatrixXd root = draw(n, n);
    MatrixXd H = root * root.transpose() + 0.05 * MatrixXd::Identity(n, n);
    const VectorXd g = 3 * draw(n, 1);
    LinearConstraints c{draw(ne, n), draw(ne, 1), draw(ng, n), draw(ng, 1)};
    if (trial >= 400 && ne > 0) {
      // Positive along the equalities, not across them.
      H -= 100 * c.E.transpose() * c.E;
      indefinite += H.llt().info() == Eigen::Success ? 0 : 1;
    }
    const Exhaustive expected = try_all(H, g, c);
    const ParameterQpSolution step = solve_parameter_qp(H, g, c, {});
    BOOST_TEST(step.solved == expected.found);
    if (!expected.found || !step.solved) continue;
    ++sizes[expected.active.size()];
    BOOST_TEST((step.dtheta - expected.step).norm() < 1e-8 * (1 + expected.step.norm()), trial);
    // Forces balance: H δ + g = Eᵀμ + Gᵀλ, λ ≥ 0 and zero where there is slack.
    VectorXd balance = H * step.dtheta + g - c.G.transpose() * step.inequality_multipliers;
    if (ne > 0) balance -= c.E.transpose() * step.equality_multipliers;
    BOOST_TEST(balance.norm() < 1e-8 * (1 + g.norm()));
    if (ng == 0) continue;
    BOOST_TEST(step.inequality_multipliers.minCoeff() > -1e-9);
    BOOST_TEST(step.inequality_multipliers.cwiseProduct(c.G * step.dtheta + c.g).norm() <
               1e-8 * (1 + g.norm()));
  }
  BOOST_TEST(sizes.size() >= 5);  // many sets were active
  BOOST_TEST(indefinite > 50);
}

BOOST_AUTO_TEST_CASE(constraints_that_exclude_each_other_have_no_step) {
  const MatrixXd H = MatrixXd::Identity(2, 2);
  LinearConstraints c{MatrixXd(0, 2), VectorXd(0), MatrixXd(2, 2), VectorXd(2)};
  c.G << 1, 0, -1, 0;
  c.g << -1, 0;  // x ≥ 1 and x ≤ 0
  BOOST_TEST(!solve_parameter_qp(H, VectorXd::Zero(2), c, {}).solved);
}
