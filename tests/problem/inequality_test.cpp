// SPDX-License-Identifier: BSD-3-Clause
// Inequalities of states, contact forces and efforts.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <limits>
#include <random>

#include "bayesid/math/numeric_jacobian.hpp"
#include "bayesid/observation/wrench.hpp"
#include "bayesid/solver/solve.hpp"
#include "problem/limit_rows.hpp"
#include "support/identification.hpp"
#include "support/interior_point.hpp"
#include "support/standing.hpp"

namespace bayesid {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

RobotProblem with_limits(const RobotProblem& problem, const StageLimits& limits) {
  ProblemOptions options = problem.options();
  options.limits = limits;
  options.projection = Projection::none;
  options.on_constraints = false;
  const auto dynamics = std::make_shared<const Dynamics>(problem.dynamics());
  return {dynamics, problem.recordings(), problem.noise(), problem.integrator(), options};
}

/// Forces of the feet in every stage: three rows for each foot.
MatrixXd foot_forces(const RobotProblem& problem, const Solution& solution) {
  return problem.details(solution.point.theta, 0, solution.point.paths[0]).force;
}

/// The share of stages and feet that slip with a coefficient of friction.
double sliding_share(const MatrixXd& forces, double mu) {
  double out = 0;
  for (Eigen::Index k = 0; k < forces.cols(); ++k) {
    for (Eigen::Index i = 0; i < forces.rows(); i += 3)
      out += forces.col(k).segment<2>(i).norm() > mu * forces(i + 2, k) ? 1 : 0;
  }
  return out / static_cast<double>(forces.size() / 3);
}

/// A coefficient of friction at which this share of the feet's forces would slip.
double slippery(const MatrixXd& forces, double share) {
  double mu = 1;
  while (sliding_share(forces, mu) < share) mu *= 0.98;
  return mu;
}

double outside_of_cone(const MatrixXd& forces, double mu) {
  double out = 0;
  for (Eigen::Index k = 0; k < forces.cols(); ++k) {
    for (Eigen::Index i = 0; i < forces.rows(); i += 3)
      out = std::max(out, forces.col(k).segment<2>(i).norm() - mu * forces(i + 2, k));
  }
  return out;
}

StageLimits cones(const RobotProblem& problem, double mu) {
  StageLimits out;
  for (const MotionConstraint& contact : problem.options().constraints.contacts)
    out.contacts.push_back({contact.name, mu, contact.name});
  out.force_std = 0.03;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cones_of_forces_have_the_derivatives_of_their_distance) {
  std::srand(1);
  int seen[4] = {};
  for (int i = 0; i < 400; ++i) {
    const double mu = i % 5 == 0 ? infinity : 0.2 + 0.1 * (i % 7), rho = 2.5;
    const Vector3d y = Vector3d::Random(), kappa = Vector3d::Random();
    const auto gradient = [&](const VectorXd& at) {
      const Vector3d u = Vector3d(at) - kappa / rho;
      return VectorXd(rho * (u - nearest_in_cone(u, mu)));
    };
    const auto cost = [&](const VectorXd& at) {
      const Vector3d u = Vector3d(at) - kappa / rho;
      return VectorXd(
          VectorXd::Constant(1, 0.5 * rho * (u - nearest_in_cone(u, mu)).squaredNorm()));
    };
    const LimitRows rows = cone_rows(y, kappa, rho, mu);
    ++seen[rows.n];
    const auto a = rows.a.topRows(rows.n);
    const Eigen::DiagonalMatrix<double, Eigen::Dynamic> weight(rows.weight.head(rows.n));
    const VectorXd slope = a.transpose() * (weight * rows.e.head(rows.n));
    const MatrixXd hessian = a.transpose() * weight * a;
    const VectorXd step = VectorXd::Constant(3, 1e-6);
    BOOST_TEST((slope - gradient(y)).norm() < 1e-12);
    BOOST_TEST((slope.transpose() - numeric_jacobian(cost, y, step)).norm() < 1e-8);
    BOOST_TEST((hessian - numeric_jacobian(gradient, y, step)).norm() < 1e-5);
    // The nearest point is in the cone, and what is left is across it and points out of it.
    const Vector3d u = y - kappa / rho, nearest = nearest_in_cone(u, mu), off = u - nearest;
    if (!std::isinf(mu)) BOOST_TEST(nearest.head<2>().norm() <= mu * nearest.z() + 1e-12);
    BOOST_TEST(std::abs(off.dot(nearest)) < 1e-12);
    BOOST_TEST((std::isinf(mu) ? off.z() : mu * off.head<2>().norm() + off.z()) < 1e-12);
  }
  for (const int count : seen) BOOST_TEST(count > 5);  // inside, half space, surface, tip
}

BOOST_AUTO_TEST_CASE(a_quadruped_near_slip_has_the_optimum_of_a_dense_interior_point_method) {
  const test::Scene& scene = test::standing_scenes()[0];
  for (const bool exact : {true, false}) {
    const RobotProblem free = with_limits(test::standing_problem(scene, 4, exact, 3), {});
    const Solution before = solve(free, {});
    BOOST_REQUIRE(before.converged());
    const double mu = slippery(foot_forces(free, before), 0.4);
    const RobotProblem problem = with_limits(free, cones(free, mu));
    const Solution found = solve(problem, {});
    const test::DenseSolution dense = test::solve_interior_point(free, mu);
    BOOST_TEST_CONTEXT((exact ? "exact" : "noisy") << " efforts, mu " << mu) {
      BOOST_TEST_MESSAGE(found.history.size() << " iterations, gap " << found.gap << ", cost "
                                              << before.cost << " -> " << found.cost << ", dense "
                                              << dense.cost << " after " << dense.iterations);
      for (const Iteration& row : found.history) BOOST_TEST_MESSAGE(row.number << " " << row.cost << " step " << row.step << " length " << row.length << " damping " << row.damping << " violation " << row.violation);
      BOOST_TEST(found.converged());
      BOOST_TEST(found.gap <= 1e-8);
      BOOST_TEST(outside_of_cone(foot_forces(problem, found), mu) <= 1e-8);
      BOOST_TEST(found.cost > before.cost + 1e-3);  // the cones press
      BOOST_TEST(std::abs(found.cost - dense.cost) < 1e-7 * (1 + dense.cost));
      const VectorXd std = found.theta_cov.diagonal().cwiseSqrt();
      const VectorXd off = (found.point.theta - dense.theta).cwiseQuotient(std);
      BOOST_TEST(off.lpNorm<Eigen::Infinity>() < 1e-4);
      BOOST_TEST((foot_forces(problem, found) - dense.forces).lpNorm<Eigen::Infinity>() < 1e-3);
    }
  }
}

}  // namespace bayesid
