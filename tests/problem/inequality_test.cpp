// SPDX-License-Identifier: BSD-3-Clause
// Inequalities of states, contact forces and efforts.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "bayesid/solve.hpp"
#include "stage/limit_rows.hpp"
#include "support/identification.hpp"
#include "support/interior_point.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/standing.hpp"

namespace bayesid {
namespace {

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
  out.force_std = 1;
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
      BOOST_TEST(found.converged());
      BOOST_TEST(found.gap <= 1e-8);
      BOOST_TEST(outside_of_cone(foot_forces(problem, found), mu) <= 1e-8);
      BOOST_TEST(found.cost > before.cost + 1e-3);  // the cones are active
      BOOST_TEST(std::abs(found.cost - dense.cost) < 1e-7 * (1 + dense.cost));
      const VectorXd std = found.theta_cov.diagonal().cwiseSqrt();
      const VectorXd off = (found.point.theta - dense.theta).cwiseQuotient(std);
      BOOST_TEST(off.lpNorm<Eigen::Infinity>() < 1e-4);
      BOOST_TEST((foot_forces(problem, found) - dense.forces).lpNorm<Eigen::Infinity>() < 1e-3);
    }
  }
}

BOOST_AUTO_TEST_CASE(legged_robots_near_slip_converge_with_forces_in_their_cones) {
  for (const bool exact : {true, false}) {
    const test::Scene& scene = test::standing_scenes()[1];
    const RobotProblem given = test::standing_problem(scene, 100, exact, 5);
    const Solution before = solve(given, {});
    BOOST_REQUIRE(before.converged());
    const double mu = slippery(foot_forces(given, before), 0.3);
    ProblemOptions options = given.options();
    options.limits = cones(given, mu);
    const RobotProblem problem(std::make_shared<const Dynamics>(given.dynamics()),
                               given.recordings(), given.noise(), given.integrator(), options);
    const Solution found = solve(problem, {});
    BOOST_TEST_MESSAGE((exact ? "exact" : "noisy")
                       << " efforts, mu " << mu << ": " << before.history.size()
                       << " iterations, then " << found.history.size() << ", gap " << found.gap);
    BOOST_TEST(found.converged());
    BOOST_TEST(outside_of_cone(foot_forces(problem, found), mu) <= 1e-8);
    BOOST_TEST(found.cost > before.cost);
  }
}

namespace {

/// A two-joint arm whose log goes beyond limits of positions, velocities and efforts by a few
/// standard deviations of its sensors.
struct LimitedArm {
  test::Identification identification =
      test::make_identification(test::two_joint_config(), test::two_joint_options(), 1);
  StageLimits limits;

  LimitedArm() {
    const Recording& log = identification.problem->recordings()[0];
    const Noise& noise = identification.problem->noise();
    const auto below = [](const MatrixXd& values, int j, double std) {
      return values.row(j).tail(values.cols() - 1).cwiseAbs().maxCoeff() - 2 * std;
    };
    for (const Joint& joint : identification.dynamics->robot().joints) {
      const int j = joint.idx_v;
      const auto add = [&](const MatrixXd& values, double std, std::vector<JointLimit>& to) {
        const double most = below(values, j, std);
        to.push_back({joint.idx_q, j, -most, most, 0.3 * std, joint.name});
      };
      add(log.position, noise.position[j], limits.position);
      add(log.velocity, noise.velocity[j], limits.velocity);
      add(log.effort, noise.effort[j], limits.effort);
    }
  }

  RobotProblem problem() const {
    const RobotProblem& given = *identification.problem;
    ProblemOptions options = given.options();
    options.limits = limits;
    return {identification.dynamics, given.recordings(), given.noise(), given.integrator(),
            options};
  }
};

/// How far numbers are beyond the limits of their joints.
double beyond(const MatrixXd& values, const std::vector<JointLimit>& limits) {
  double out = 0;
  for (const JointLimit& limit : limits) {
    const auto row = values.row(limit.idx_v);
    out = std::max({out, row.maxCoeff() - limit.upper, limit.lower - row.minCoeff()});
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(states_and_efforts_stay_within_their_limits) {
  const LimitedArm arm;
  const RobotProblem problem = arm.problem();
  const Solution before = solve(*arm.identification.problem, {});
  const Solution found = solve(problem, {});
  const int nv = problem.dynamics().nv();
  const auto numbers = [&](const Solution& solution, int which) {
    const Path& path = solution.point.paths[0];
    if (which == 0) return MatrixXd(path.x.topRows(nv));
    if (which == 1) return MatrixXd(path.x.bottomRows(nv));
    return MatrixXd(problem.recordings()[0].effort.leftCols(path.u.cols()) +
                    path.u.middleRows(nv, nv));
  };
  BOOST_TEST_MESSAGE(before.history.size() << " iterations without limits, " << found.history.size()
                                           << " with, gap " << found.gap);
  BOOST_TEST(found.converged());
  BOOST_TEST(found.gap <= 1e-8);
  BOOST_TEST(found.cost > before.cost);
  const std::vector<JointLimit>* all[] = {&arm.limits.position, &arm.limits.velocity,
                                          &arm.limits.effort};
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(beyond(numbers(before, i), *all[i]) > 1e-6);
    BOOST_TEST(beyond(numbers(found, i), *all[i]) < 1e-8);
  }
  // Only limits that are reached are active, with inward multipliers.
  const MatrixXd& kappa = found.point.paths[0].kappa;
  int active_limits = 0;
  for (int i = 0; i < 2 * nv; ++i) {
    const JointLimit& limit = (*all[i / nv])[i % nv];
    const VectorXd y = numbers(found, i / nv).row(limit.idx_v).transpose();
    for (Eigen::Index k = 0; k < y.size(); ++k) {
      if (kappa(i, k) == 0) continue;
      ++active_limits;
      BOOST_TEST(std::abs(y[k] - (kappa(i, k) > 0 ? limit.lower : limit.upper)) < 1e-8);
    }
  }
  BOOST_TEST(active_limits > 0);
}

BOOST_AUTO_TEST_CASE(the_cost_of_a_state_beyond_its_limits_has_the_gradient_of_its_node) {
  const LimitedArm arm;
  const RobotProblem problem = arm.problem();
  const RobotProblem& free = *arm.identification.problem;
  const int nv = problem.dynamics().nv();
  Point point = problem.start();
  Path& path = point.paths[0];
  const auto at = problem.at(point.theta);
  const auto workspace = problem.trajectory(0).make_workspace(),
             free_workspace = free.trajectory(0).make_workspace();
  const std::vector<std::string> names = problem.cost_parts();
  const auto part = std::ranges::find(names, "inequalities") - names.begin();
  VectorXd parts(static_cast<Eigen::Index>(names.size()) + 1);
  const auto records = problem.trajectory(0).make_records(),
             free_records = free.trajectory(0).make_records();
  Stage with(problem.trajectory(0).size(), problem.space().ncurvature()),
      without(free.trajectory(0).size(), free.space().ncurvature());
  std::srand(3);
  int pressed = 0;
  const int k = static_cast<int>(path.u.cols());  // the last node has no stage
  for (int i = 0; i < 50; ++i) {
    path.x.col(k) = 3 * VectorXd::Random(2 * nv);
    path.kappa.col(k) = 100 * VectorXd::Random(path.kappa.rows());
    problem.trajectory(0).linearise(*at->trajectories[0], k, path, *workspace, with, records.get());
    free.trajectory(0).linearise(*free.at(point.theta)->trajectories[0], k, path, *free_workspace,
                                 without, free_records.get());
    const auto cost = [&](const VectorXd& change) {
      Path moved = path;
      moved.x.col(k) += change;
      problem.trajectory(0).evaluate(*at->trajectories[0], k, moved, *workspace, parts);
      return VectorXd(VectorXd::Constant(1, parts[part]));
    };
    const MatrixXd numeric = precise_jacobian(cost, VectorXd::Zero(2 * nv));
    const VectorXd analytic = with.q - without.q;
    BOOST_TEST((numeric.transpose() - analytic).norm() < 1e-7 * (1 + analytic.norm()));
    pressed += (with.Q - without.Q).isZero(0) ? 0 : 1;
  }
  BOOST_TEST(pressed > 10);
}

}  // namespace bayesid
