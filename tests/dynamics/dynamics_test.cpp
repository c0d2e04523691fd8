// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "bayesid/dynamics.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::moved;

BOOST_AUTO_TEST_CASE(balance_derivatives_agree_with_central_differences) {
  for (const test::Scene& scene : test::all_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    Dynamics::Workspace workspace(dynamics);
    const int nv = dynamics.nv();
    ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
    for (int seed = 0; seed < 3; ++seed) {
      BOOST_TEST_CONTEXT(scene.name << ", seed " << seed) {
        const test::Instant at = test::random_instant(scene, seed);
        const auto h = [&](const VectorXd& theta, const VectorXd& q, const VectorXd& v,
                           const VectorXd& a) {
          ForceBalance value(nv, dynamics.nzeta(), dynamics.num_rotors());
          dynamics.balance(*dynamics.at(theta), q, v, a, at.tau, Order::value, workspace, value);
          return VectorXd(value.h);
        };
        dynamics.balance(*dynamics.at(at.theta), at.q, at.v, at.a, at.tau, Order::derivatives,
                         workspace, balance);
        const VectorXd zero = VectorXd::Zero(nv);
        const DerivativeCheck checks[] = {
            check_derivatives(balance.dh_dq, numeric_jacobian(
                                                 [&](const VectorXd& dq) {
                                                   return h(at.theta,
                                                            moved(dynamics.robot(), at.q, dq), at.v,
                                                            at.a);
                                                 },
                                                 zero)),
            check_derivatives(
                balance.dh_dv,
                numeric_jacobian([&](const VectorXd& v) { return h(at.theta, at.q, v, at.a); },
                                 at.v)),
            check_derivatives(
                balance.mass,
                numeric_jacobian([&](const VectorXd& a) { return h(at.theta, at.q, at.v, a); },
                                 at.a)),
            check_derivatives(
                balance.dh_dzeta * dynamics.dzeta_dtheta(at.theta),
                numeric_jacobian([&](const VectorXd& theta) { return h(theta, at.q, at.v, at.a); },
                                 at.theta))};
        const char* names[] = {"dh_dq", "dh_dv", "mass", "dh_dtheta"};
        for (int i = 0; i < 4; ++i) {
          BOOST_TEST_CONTEXT(names[i] << ": " << checks[i].worst_entry) {
            BOOST_TEST(checks[i].max_error < 1e-6);
          }
        }
        VectorXd along(nv);
        const VectorXd dzeta = VectorXd::Random(dynamics.nzeta());
        dynamics.balance_along(*dynamics.at(at.theta), at.q, at.v, at.a, at.tau, dzeta, workspace,
                               along);
        BOOST_TEST((along - balance.dh_dzeta * dzeta).norm() < 1e-9 * (1 + along.norm()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(acceleration_satisfies_the_balance) {
  for (const test::Scene& scene : test::all_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const Dynamics& dynamics = *scene.dynamics;
      Dynamics::Workspace workspace(dynamics);
      const test::Instant at = test::random_instant(scene, 1);
      ForceBalance balance(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors());
      const auto model = dynamics.at(at.theta);
      StageDynamics stage(dynamics.nv(), dynamics.nzeta(), 0, dynamics.num_rotors());
      dynamics.solve(*model, {}, at.q, at.v, at.tau, workspace, stage);
      const VectorXd& a = stage.a;
      const MatrixXd& mass = stage.balance.mass;
      dynamics.balance(*model, at.q, at.v, a, at.tau, Order::derivatives, workspace, balance);
      BOOST_TEST(balance.h.lpNorm<Eigen::Infinity>() <
                 1e-9 * (1 + at.tau.norm() + (mass * a).norm()));
      BOOST_TEST((mass - balance.mass).norm() < 1e-10 * mass.norm());
    }
  }
}

/// The acceleration obeys h(a) + Σ_d I_d r_d r_d·(a − a₀) = 0, I the slopes of friction.
BOOST_AUTO_TEST_CASE(friction_depends_on_the_acceleration_of_its_own_step_like_an_inertia) {
  for (const test::Scene& scene : test::all_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const Dynamics& dynamics = *scene.dynamics;
      const std::vector<Drive>& drives = dynamics.parameters().drives();
      Dynamics::Workspace workspace(dynamics);
      const test::Instant at = test::random_instant(scene, 1);
      const auto model = dynamics.at(at.theta);
      StepInertia step{VectorXd(std::ssize(drives)), at.a};
      dynamics.friction_slopes(*model, at.v, step.inertia);
      StageDynamics stage(dynamics.nv(), dynamics.nzeta(), 0, dynamics.num_rotors());
      dynamics.solve(*model, {}, at.q, at.v, at.tau, workspace, stage, &step);
      ForceBalance balance(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors());
      dynamics.balance(*model, at.q, at.v, stage.a, at.tau, Order::derivatives, workspace, balance);
      for (std::size_t d = 0; d < drives.size(); ++d) {
        const auto column = static_cast<Eigen::Index>(d);
        const VectorXd gamma = model->eta.gamma.col(column), &row = drives[d].row;
        const double speed = row.dot(at.v), little = 1e-6;
        const double slope =
            (friction(speed + little, gamma).tau - friction(speed - little, gamma).tau) /
            (2 * little);
        BOOST_TEST(std::abs(step.inertia[column] - std::max(0.0, slope)) < 1e-5 * (1 + slope));
        balance.h += step.inertia[column] * row * row.dot(stage.a - at.a);
      }
      BOOST_TEST(balance.h.lpNorm<Eigen::Infinity>() <
                 1e-9 * (1 + at.tau.norm() + (stage.balance.mass * stage.a).norm()));
    }
  }
}

BOOST_AUTO_TEST_CASE(stage_coordinates_agree_with_central_differences) {
  for (const test::Scene& scene : test::all_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const test::Instant at = test::random_instant(scene, 1);
    const DerivativeCheck check = check_derivatives(
        dynamics.dzeta_dtheta(at.theta),
        numeric_jacobian([&](const VectorXd& theta) { return dynamics.zeta(theta); }, at.theta));
    BOOST_TEST_CONTEXT(scene.name << check.worst_entry) {
      BOOST_TEST(check.max_error < 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE(curvature_agrees_with_differences_of_the_jacobian) {
  for (const test::Scene& scene : test::all_scenes()) {
    BOOST_TEST_CONTEXT(scene.name) {
      const Dynamics& dynamics = *scene.dynamics;
      Dynamics::Workspace workspace(dynamics);
      const test::Instant at = test::random_instant(scene, 2);
      const VectorXd xi = VectorXd::Random(dynamics.nv());
      ForceBalance balance(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors());
      const auto gradient = [&](const VectorXd& theta) {
        dynamics.balance(*dynamics.at(theta), at.q, at.v, at.a, at.tau, Order::derivatives,
                         workspace, balance);
        return VectorXd(dynamics.dzeta_dtheta(theta).transpose() * balance.dh_dzeta.transpose() *
                        xi);
      };
      gradient(at.theta);
      const VectorXd s = balance.dh_dzeta.transpose() * xi;
      Eigen::Matrix<double, 6, Eigen::Dynamic> friction =
          Eigen::Matrix<double, 6, Eigen::Dynamic>::Zero(
              6, static_cast<Eigen::Index>(dynamics.parameters().drives().size()));
      dynamics.add_friction_curvature(*dynamics.at(at.theta), at.v, xi, friction);
      const MatrixXd jacobian = dynamics.dzeta_dtheta(at.theta);
      const MatrixXd curvature =
          dynamics.zeta_curvature(at.theta, s) +
          jacobian.transpose() * dynamics.friction_curvature(friction) * jacobian;
      const DerivativeCheck check =
          check_derivatives(curvature, numeric_jacobian(gradient, at.theta));
      BOOST_TEST_CONTEXT(check.worst_entry) {
        BOOST_TEST(check.max_error < 1e-6);
      }
    }
  }
}

/// Ten of the base, seven of each further body on a turning joint.
BOOST_AUTO_TEST_CASE(a_floating_tree_has_as_many_base_parameters_as_theory_predicts) {
  Config config = test::anymal_config();
  config.parameters.friction.reset();
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  BOOST_TEST(dynamics.parameters().ntheta() == 130);
  BOOST_TEST(dynamics.nzeta() == 94);
}

BOOST_AUTO_TEST_CASE(a_floating_base_has_no_effort_friction_or_armature) {
  for (const test::Scene& scene : test::floating_scenes()) {
    const ParameterSet& parameters = scene.dynamics->parameters();
    const PhysicalParameters eta = parameters.physical(parameters.prior());
    BOOST_TEST(eta.gain.head(6).isZero(0));
    BOOST_TEST(eta.offset.head(6).isZero(0));
    BOOST_TEST((eta.gain.tail(scene.dynamics->nv() - 6).array() != 0).all());
    for (const Drive& drive : parameters.drives()) BOOST_TEST(drive.row.head(6).isZero(0));
  }
}

}  // namespace bayesid
