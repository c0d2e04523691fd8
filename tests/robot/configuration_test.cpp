// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

#include "bayesid/robot.hpp"
#include "support/count_allocations.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::VectorXd;

namespace {

Robot random_robot(int seed, const test::RandomRobotOptions& options) {
  test::TempFolder folder;
  return read_robot({.urdf = folder.temp_file(test::random_urdf(seed, options), ".urdf")});
}

}  // namespace

BOOST_AUTO_TEST_CASE(integrate_and_difference_agree_with_pinocchio) {
  for (int seed = 0; seed < 8; ++seed) {
    const Robot robot = random_robot(seed, {.num_joints = 9, .mimic = seed % 2 == 1});
    std::srand(seed);
    const VectorXd q = make_configuration(robot, 1.5 * VectorXd::Random(robot.nv()));
    const VectorXd dv = 1.5 * VectorXd::Random(robot.nv());
    VectorXd out(robot.nq());
    integrate(robot, q, dv, out);
    const VectorXd expected = pinocchio::integrate(*robot.model, q, VectorXd(robot.mimic * dv));
    BOOST_TEST((out - expected).norm() < 1e-13, "seed " << seed);

    VectorXd back(robot.nv());
    difference(robot, q, out, back);
    BOOST_TEST((back - dv).norm() < 1e-13, "seed " << seed);
    const VectorXd all = pinocchio::difference(*robot.model, q, out);
    for (int j = 0; j < robot.nv(); ++j)
      BOOST_TEST(std::abs(back[j] - all[robot.model->idx_vs[robot.joints[j].body]]) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(integrate_keeps_followers_on_their_leaders) {
  const Robot robot = random_robot(3, {.num_joints = 10, .mimic = true});
  BOOST_TEST(robot.has_mimic());
  const VectorXd angles = VectorXd::LinSpaced(robot.nv(), -1.0, 1.2);
  const VectorXd dv = VectorXd::LinSpaced(robot.nv(), 0.5, -0.7);
  VectorXd out(robot.nq());
  integrate(robot, make_configuration(robot, angles), dv, out);
  BOOST_TEST((out - make_configuration(robot, angles + dv)).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(joint_angles_undo_make_configuration) {
  const Robot robot = random_robot(5, {.num_joints = 8});
  const VectorXd angles = VectorXd::LinSpaced(robot.nv(), -3.1, 3.1);
  BOOST_TEST((joint_angles(robot, make_configuration(robot, angles)) - angles).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_continuous_joint_at_minus_pi_reads_pi) {
  for (int seed = 0; seed < 20; ++seed) {
    const Robot robot = random_robot(seed, {.num_joints = 3});
    for (const Joint& joint : robot.joints) {
      if (!joint.continuous) continue;
      VectorXd q = make_configuration(robot, VectorXd::Zero(robot.nv()));
      q[joint.idx_q] = -1;
      q[joint.idx_q + 1] = -0.0;
      BOOST_TEST(joint_angles(robot, q)[robot.joint_index(joint.name)] == std::numbers::pi);
      return;
    }
  }
  BOOST_TEST(false, "no continuous joint in twenty robots");
}

BOOST_AUTO_TEST_CASE(continuous_joints_stay_on_the_circle_over_a_million_steps) {
  const Robot robot = random_robot(2, {.num_joints = 6, .prismatic = false});
  VectorXd q = make_configuration(robot, VectorXd::Zero(robot.nv()));
  const VectorXd dv = VectorXd::Constant(robot.nv(), 1e-3);
  for (int i = 0; i < 1000000; ++i) integrate(robot, q, dv, q);
  for (const Coordinate& c : robot.coordinates)
    if (c.continuous) BOOST_TEST(std::abs(q.segment<2>(c.idx_q).norm() - 1) < 1e-15);
}

BOOST_AUTO_TEST_CASE(integrate_and_difference_do_not_allocate) {
  const Robot robot = random_robot(1, {.num_joints = 12, .mimic = true});
  const VectorXd q = make_configuration(robot, VectorXd::Zero(robot.nv()));
  VectorXd dv = VectorXd::Ones(robot.nv()), out(robot.nq());
#ifndef __SANITIZE_ADDRESS__
  const long before = test::num_allocations();
  const VectorXd probe(100);
  BOOST_TEST(test::num_allocations() > before);  // the counter counts
#endif
  const long start = test::num_allocations();
  integrate(robot, q, dv, out);
  difference(robot, q, out, dv);
  BOOST_TEST(test::num_allocations() - start == 0);
}
