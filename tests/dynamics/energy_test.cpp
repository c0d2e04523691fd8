// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "support/count_allocations.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd one(double value) {
  return VectorXd::Constant(1, value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(energy_derivatives_agree_with_central_differences) {
  for (const test::Scene& scene : test::all_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const int nv = dynamics.nv();
    Dynamics::Workspace workspace(dynamics);
    const test::Instant at = test::random_instant(scene, 1), other = test::random_instant(scene, 2);
    Energy energy(nv, dynamics.nzeta()), later = energy;
    Dissipation lost(nv, dynamics.nzeta());
    const auto model = dynamics.at(at.theta);
    dynamics.energy(*model, at.q, at.v, Order::derivatives, workspace, energy);
    dynamics.energy(*model, other.q, other.v, Order::derivatives, workspace, later);
    dynamics.dissipation(*model, at.v, at.tau.tail(dynamics.num_presliding()), Order::derivatives,
                         lost);
    const MatrixXd T = dynamics.dzeta_dtheta(at.theta);
    const auto E = [&](const VectorXd& theta, const VectorXd& q, const VectorXd& v) {
      Energy out(nv, dynamics.nzeta());
      dynamics.energy(*dynamics.at(theta), q, v, Order::value, workspace, out);
      return out.value;
    };
    const auto P = [&](const VectorXd& theta, const VectorXd& v) {
      Dissipation out(nv, dynamics.nzeta());
      dynamics.dissipation(*dynamics.at(theta), v, at.tau.tail(dynamics.num_presliding()),
                           Order::value, out);
      return one(out.value);
    };
    const VectorXd zero = VectorXd::Zero(nv);
    const auto in_q = [&](const VectorXd& dq) {
      return one(E(at.theta, test::moved(dynamics.robot(), at.q, dq), at.v));
    };
    const auto in_v = [&](const VectorXd& v) { return one(E(at.theta, at.q, v)); };
    const auto in_theta = [&](const VectorXd& theta) {
      return one(E(theta, other.q, other.v) - E(theta, at.q, at.v));
    };
    const auto P_in_v = [&](const VectorXd& v) { return P(at.theta, v); };
    const auto P_in_theta = [&](const VectorXd& theta) { return P(theta, at.v); };
    const DerivativeCheck checks[] = {
        check_derivatives(energy.dE_dq.transpose(), numeric_jacobian(in_q, zero)),
        check_derivatives(energy.dE_dv.transpose(), numeric_jacobian(in_v, at.v)),
        check_derivatives((later.dE_dzeta - energy.dE_dzeta).transpose() * T,
                          numeric_jacobian(in_theta, at.theta), 1e-2),
        check_derivatives(lost.dP_dv.transpose(), numeric_jacobian(P_in_v, at.v)),
        check_derivatives(lost.dP_dzeta.transpose() * T, numeric_jacobian(P_in_theta, at.theta))};
    const char* names[] = {"dE_dq", "dE_dv", "dE_dtheta", "dP_dv", "dP_dtheta"};
    for (int i = 0; i < 5; ++i) {
      BOOST_TEST(checks[i].max_error < 1e-6,
                 scene.name << " " << names[i] << ": " << checks[i].worst_entry);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_forces_do_is_what_energy_gains_and_friction_takes) {
  for (const test::Scene& scene : test::all_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const int nv = dynamics.nv();
    Dynamics::Workspace workspace(dynamics);
    const test::Instant at = test::random_instant(scene, 3);
    const auto model = dynamics.at(at.theta);
    Energy energy(nv, dynamics.nzeta());
    Dissipation lost(nv, dynamics.nzeta());
    ForceBalance balance(nv, dynamics.nzeta());
    dynamics.energy(*model, at.q, at.v, Order::derivatives, workspace, energy);
    dynamics.dissipation(*model, at.v, at.tau.tail(dynamics.num_presliding()), Order::value, lost);
    VectorXd inputs = VectorXd::Zero(dynamics.num_inputs());  // no motor, only friction
    inputs.tail(dynamics.num_presliding()) = at.tau.tail(dynamics.num_presliding());
    dynamics.balance(*model, at.q, at.v, at.a, inputs, Order::value, workspace, balance);
    const double power = at.v.dot(balance.h + model->eta.offset);
    const double gain = energy.dE_dq.dot(at.v) + energy.dE_dv.dot(at.a);
    BOOST_TEST(std::abs(power - gain - lost.value) < 1e-9 * (1 + std::abs(power)), scene.name);
  }
}

BOOST_AUTO_TEST_CASE(rotor_power_derivatives_agree_with_central_differences) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const int nv = dynamics.nv();
    Dynamics::Workspace workspace(dynamics);
    const test::Instant at = test::random_instant(scene, 5);
    const VectorXd commands = at.tau.tail(dynamics.num_rotors());
    const auto power = [&](const VectorXd& theta, const VectorXd& q, const VectorXd& v,
                           Order order) {
      RotorPower out(nv, dynamics.nzeta());
      dynamics.rotor_power(*dynamics.at(theta), q, v, commands, order, workspace, out);
      return out;
    };
    const RotorPower found = power(at.theta, at.q, at.v, Order::derivatives);
    const auto in_state = [&](const VectorXd& change) {
      const VectorXd q = test::moved(dynamics.robot(), at.q, change.head(nv));
      return one(power(at.theta, q, at.v + change.tail(nv), Order::value).value);
    };
    Eigen::RowVectorXd by_state(2 * nv);  // at once: rotors on a base do not depend on its pose
    by_state << found.dP_dq.transpose(), found.dP_dv.transpose();
    const auto in_theta = [&](const VectorXd& theta) {
      return one(power(theta, at.q, at.v, Order::value).value);
    };
    const DerivativeCheck checks[] = {
        check_derivatives(by_state, numeric_jacobian(in_state, VectorXd::Zero(2 * nv)), 1e-2),
        check_derivatives(found.dP_dzeta.transpose() * dynamics.dzeta_dtheta(at.theta),
                          numeric_jacobian(in_theta, at.theta))};
    const char* names[] = {"dP_dx", "dP_dtheta"};
    for (int i = 0; i < 2; ++i) {
      BOOST_TEST(checks[i].max_error < 1e-6,
                 scene.name << " " << names[i] << ": " << checks[i].worst_entry);
    }
    // The generalised force agrees.
    ForceBalance balance(nv, dynamics.nzeta(), dynamics.num_rotors());
    dynamics.balance(*dynamics.at(at.theta), at.q, at.v, at.a, at.tau, Order::value, workspace,
                     balance);
    const double expected = at.v.dot(balance.rotor_force * commands);
    BOOST_TEST(std::abs(found.value - expected) < 1e-10 * (1 + std::abs(expected)), scene.name);
    BOOST_TEST(std::abs(expected) > 1e-3, scene.name);
  }
}

BOOST_AUTO_TEST_CASE(energy_allocates_nothing) {
  const test::Scene& scene = test::floating_scenes().back();
  const Dynamics& dynamics = *scene.dynamics;
  Dynamics::Workspace workspace(dynamics);
  const test::Instant at = test::random_instant(scene, 1);
  const auto model = dynamics.at(at.theta);
  Energy energy(dynamics.nv(), dynamics.nzeta());
  Dissipation lost(dynamics.nv(), dynamics.nzeta());
  dynamics.energy(*model, at.q, at.v, Order::derivatives, workspace, energy);
  const long before = test::num_allocations();
  dynamics.energy(*model, at.q, at.v, Order::derivatives, workspace, energy);
  dynamics.dissipation(*model, at.v, at.tau.tail(dynamics.num_presliding()), Order::derivatives,
                       lost);
  BOOST_TEST(test::num_allocations() == before);
}

BOOST_AUTO_TEST_CASE(rotor_power_allocates_nothing) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    Dynamics::Workspace workspace(dynamics);
    const test::Instant at = test::random_instant(scene, 1);
    const auto model = dynamics.at(at.theta);
    RotorPower power(dynamics.nv(), dynamics.nzeta());
    const auto commands = at.tau.tail(dynamics.num_rotors());
    const long before = test::num_allocations();
    dynamics.rotor_power(*model, at.q, at.v, commands, Order::derivatives, workspace, power);
    BOOST_TEST(test::num_allocations() == before, scene.name);
  }
}

}  // namespace bayesid
