// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/multibody.hpp>

#include "bayesid/dynamics.hpp"
#include "bayesid/error.hpp"
#include "support/scene.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The balance at an instant, with the rotors' commands or without.
ForceBalance balance_of(const Dynamics& dynamics, const test::Instant& at, bool with_rotors) {
  Dynamics::Workspace workspace(dynamics);
  ForceBalance out(dynamics.nv(), dynamics.nzeta(), dynamics.num_rotors());
  VectorXd tau = at.tau;
  if (!with_rotors) tau.tail(dynamics.num_rotors()).setZero();
  dynamics.balance(*dynamics.at(at.theta), at.q, at.v, at.a, tau, Order::derivatives, workspace,
                   out);
  return out;
}

/// (thrust axis, moment axis) τ_r in the axes of the rotor's frame.
Eigen::Matrix<double, 6, 1> wrench(const RotorConfig& rotor, double thrust, double moment,
                                   double command) {
  const Eigen::Vector3d axis =
      Eigen::Map<const Eigen::Vector3d>(rotor.axis.data()).normalized() * command;
  Eigen::Matrix<double, 6, 1> out;
  out << thrust * axis, moment * axis;
  return out;
}

/// The frame of the link in Pinocchio.
pinocchio::FrameIndex frame_of(const pinocchio::Model& model, const std::string& link) {
  return model.getFrameId(link, pinocchio::BODY);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rotor_forces_equal_those_by_frame_jacobians) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const pinocchio::Model& model = *dynamics.robot().model;
    pinocchio::Data data(model);
    for (int seed = 0; seed < 3; ++seed) {
      const test::Instant at = test::random_instant(scene, seed);
      const PhysicalParameters eta = dynamics.parameters().physical(at.theta);
      VectorXd force = VectorXd::Zero(dynamics.nv());
      for (int r = 0; r < dynamics.num_rotors(); ++r) {
        const RotorConfig& rotor = scene.config.model.rotors[r];
        MatrixXd J = MatrixXd::Zero(6, model.nv);
        pinocchio::computeFrameJacobian(model, data, at.q, frame_of(model, rotor.frame),
                                        pinocchio::LOCAL, J);
        force += dynamics.robot().mimic.transpose() * J.transpose() *
                 wrench(rotor, eta.thrust[r], eta.moment[r], at.tau[dynamics.nv() + r]);
      }
      BOOST_TEST_CONTEXT(scene.name << ", seed " << seed) {
        const VectorXd found = balance_of(dynamics, at, false).h - balance_of(dynamics, at, true).h;
        BOOST_TEST((found - force).norm() < 1e-9 * (1 + force.norm()));
      }
    }
  }
}

/// Forces that turn with their bodies, as in the derivatives of RNEA.
BOOST_AUTO_TEST_CASE(rotor_derivatives_equal_those_of_rnea_with_external_forces) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    if (dynamics.robot().has_mimic()) continue;
    const pinocchio::Model& model = *dynamics.robot().model;
    const test::Instant at = test::random_instant(scene, 4);
    const PhysicalParameters eta = dynamics.parameters().physical(at.theta);
    PINOCCHIO_ALIGNED_STD_VECTOR(pinocchio::Force)
    on_bodies(model.njoints, pinocchio::Force::Zero()), none = on_bodies;
    for (int r = 0; r < dynamics.num_rotors(); ++r) {
      const RotorConfig& rotor = scene.config.model.rotors[r];
      const pinocchio::Frame& frame = model.frames[frame_of(model, rotor.frame)];
      on_bodies[frame.parentJoint] += frame.placement.act(
          pinocchio::Force(wrench(rotor, eta.thrust[r], eta.moment[r], at.tau[dynamics.nv() + r])));
    }
    const auto dtau_dq = [&](const auto& forces) {
      pinocchio::Data data(model);
      MatrixXd dq = MatrixXd::Zero(model.nv, model.nv), dv = dq, da = dq;
      pinocchio::computeRNEADerivatives(model, data, at.q, at.v, at.a, forces, dq, dv, da);
      return dq;
    };
    const MatrixXd expected = dtau_dq(on_bodies) - dtau_dq(none);
    const MatrixXd found =
        balance_of(dynamics, at, true).dh_dq - balance_of(dynamics, at, false).dh_dq;
    BOOST_TEST_CONTEXT(scene.name) {
      BOOST_TEST((found - expected).norm() < 1e-9 * (1 + expected.norm()));
      const bool moves = scene.name != "iris";  // on the base alone nothing changes with q
      BOOST_TEST((found.norm() > 1e-3) == moves);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_rotor_must_sit_on_something_that_moves) {
  Config config = test::panda_config();
  config.model.rotors.push_back({.name = "fan", .frame = "panda_link0"});
  const Robot robot = read_robot(config.model);
  const auto says = [](const InputError& error) {
    return std::string(error.what()) ==
           "model.actuation.rotors[0].frame: \"panda_link0\" is fixed to the world, expected a "
           "frame that moves";
  };
  BOOST_CHECK_EXCEPTION(ParameterSet(robot, config), InputError, says);
}

BOOST_AUTO_TEST_CASE(rotor_force_is_what_a_unit_command_does) {
  for (const test::Scene& scene : test::rotor_scenes()) {
    const Dynamics& dynamics = *scene.dynamics;
    const test::Instant at = test::random_instant(scene, 2);
    const ForceBalance with = balance_of(dynamics, at, true);
    const VectorXd by_hand = with.rotor_force * at.tau.tail(dynamics.num_rotors());
    BOOST_TEST((balance_of(dynamics, at, false).h - with.h - by_hand).norm() <
               1e-10 * (1 + by_hand.norm()));
    VectorXd force(dynamics.nv());
    dynamics.effort_force(*dynamics.at(at.theta), with, at.tau, force);
    const VectorXd gain = dynamics.parameters().physical(at.theta).gain;
    BOOST_TEST((force - gain.cwiseProduct(at.tau.head(dynamics.nv())) - by_hand).norm() <
               1e-10 * (1 + force.norm()));
  }
}

}  // namespace bayesid
