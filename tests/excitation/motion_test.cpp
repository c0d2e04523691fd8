// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "excitation/fourier_basis.hpp"
#include "support/exciting.hpp"
#include "support/numeric_jacobian.hpp"

namespace bayesid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd one_rate(const MotionAt& at) {
  VectorXd out(at.v.size() + at.a.size());
  out << at.v, at.a;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fourier_basis_rests_at_both_ends) {
  for (const int harmonics : {2, 3, 7}) {
    const FourierBasis basis(4.0, harmonics);
    BOOST_TEST(basis.size() == 2 * harmonics - 2);
    for (const double time : {0.0, 4.0}) BOOST_TEST(basis.at(time).cwiseAbs().maxCoeff() < 1e-11);
    BOOST_TEST(basis.at(1.3).row(0).cwiseAbs().maxCoeff() > 1e-2);
  }
}

BOOST_AUTO_TEST_CASE(fourier_basis_derivatives_agree_with_central_differences) {
  const FourierBasis basis(3.0, 4);
  const auto value = [&](int row) {
    return [&basis, row](const VectorXd& time) {
      return VectorXd(basis.at(time[0]).row(row).transpose());
    };
  };
  const VectorXd time = VectorXd::Constant(1, 1.1);
  for (const int row : {0, 1}) {
    const DerivativeCheck check = check_derivatives(basis.at(1.1).row(row + 1).transpose(),
                                                    numeric_jacobian(value(row), time));
    BOOST_TEST(check.max_error < 1e-7, check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(constrained_motion_satisfies_its_constraints_to_round_off) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    const ConstrainedMotion motion = scene.motion();
    Kinematics kinematics(scene.dynamics->robot());
    MotionAt at;
    for (unsigned seed = 1; seed < 6; ++seed) {
      const test::Coordinates c = test::random_coordinates(motion.size(), 0.2, seed);
      BOOST_REQUIRE_MESSAGE(motion.at(c.y, c.dy, c.ddy, kinematics, at), scene.name);
      BOOST_TEST(test::largest_violation(*scene.dynamics, motion.mode(), at) < 1e-11, scene.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(constrained_motion_starts_at_the_start) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    const ConstrainedMotion motion = scene.motion();
    Kinematics kinematics(scene.dynamics->robot());
    MotionAt at;
    const VectorXd rest = VectorXd::Zero(motion.size());
    BOOST_REQUIRE(motion.at(rest, rest, rest, kinematics, at));
    BOOST_TEST((at.q - motion.q_ini()).norm() < 1e-12);
    BOOST_TEST(at.v.norm() == 0);
    BOOST_TEST(at.a.norm() == 0);
  }
}

// v is the derivative of q along a path of y, and a that of v: the chart is consistent.
BOOST_AUTO_TEST_CASE(constrained_motion_rates_are_derivatives_along_time) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    const ConstrainedMotion motion = scene.motion();
    const Robot& robot = scene.dynamics->robot();
    Kinematics kinematics(robot);
    const test::Coordinates c = test::random_coordinates(motion.size(), 0.2, 3);
    const auto at_time = [&](double t) {
      MotionAt at;
      motion.at(c.y + t * c.dy + 0.5 * t * t * c.ddy, c.dy + t * c.ddy, c.ddy, kinematics, at);
      return at;
    };
    const MotionAt now = at_time(0);
    const auto position = [&](const VectorXd& t) {
      VectorXd out(robot.nv());
      difference(robot, now.q, at_time(t[0]).q, out);
      return out;
    };
    const auto velocity = [&](const VectorXd& t) { return at_time(t[0]).v; };
    const VectorXd zero = VectorXd::Zero(1);
    const DerivativeCheck v = check_derivatives(now.v, precise_jacobian(position, zero));
    const DerivativeCheck a = check_derivatives(now.a, precise_jacobian(velocity, zero));
    BOOST_TEST(v.max_error < 1e-7, scene.name << " v " << v.worst_entry);
    BOOST_TEST(a.max_error < 1e-7, scene.name << " a " << a.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(constrained_motion_derivatives_agree_with_central_differences) {
  for (const test::ExcitingScene& scene : test::exciting_scenes()) {
    const ConstrainedMotion motion = scene.motion();
    const Robot& robot = scene.dynamics->robot();
    Kinematics kinematics(robot);
    const test::Coordinates c = test::random_coordinates(motion.size(), 0.2, 5);
    MotionAt now;
    BOOST_REQUIRE(motion.at(c.y, c.dy, c.ddy, kinematics, now));
    const auto moved = [&](const VectorXd& y, const VectorXd& dy, const VectorXd& ddy) {
      MotionAt at;
      motion.at(y, dy, ddy, kinematics, at);
      return at;
    };
    const auto q_of_y = [&](const VectorXd& y) {
      VectorXd out(robot.nv());
      difference(robot, now.q, moved(y, c.dy, c.ddy).q, out);
      return out;
    };
    const auto of_y = [&](const VectorXd& y) { return one_rate(moved(y, c.dy, c.ddy)); };
    const auto of_dy = [&](const VectorXd& dy) { return one_rate(moved(c.y, dy, c.ddy)); };
    const auto of_ddy = [&](const VectorXd& ddy) { return one_rate(moved(c.y, c.dy, ddy)); };
    const int nv = robot.nv(), m = motion.size();
    MatrixXd dy(2 * nv, m), ddy(2 * nv, m), dddy(2 * nv, m);
    dy << now.dv_dy, now.da_dy;
    ddy << now.dq_dy, now.da_ddy;
    dddy << MatrixXd::Zero(nv, m), now.dq_dy;
    for (const DerivativeCheck& check :
         {check_derivatives(now.dq_dy, precise_jacobian(q_of_y, c.y)),
          check_derivatives(dy, precise_jacobian(of_y, c.y)),
          check_derivatives(ddy, precise_jacobian(of_dy, c.dy)),
          check_derivatives(dddy, precise_jacobian(of_ddy, c.ddy))}) {
      BOOST_TEST(check.max_error < 1e-6, scene.name << " " << check.worst_entry);
    }
  }
}

}  // namespace bayesid
