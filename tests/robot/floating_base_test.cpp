// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numbers>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

#include "bayesid/robot.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"
#include "support/count_allocations.hpp"
#include "support/input_error.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/random_robot.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::string anymal_urdf() {
  return std::string(BAYESID_ROBOTS) + "/anymal_b_simple_description/robots/anymal.urdf";
}

Robot anymal() {
  return read_robot({.urdf = anymal_urdf(), .floating_base = true});
}

Robot floating_robot(const std::string& urdf_text, ModelConfig config = {}) {
  test::TempFolder folder;
  config.urdf = folder.write("robot.urdf", urdf_text);
  config.floating_base = true;
  return read_robot(config);
}

VectorXd moved(const Robot& robot, const VectorXd& q, const VectorXd& dv) {
  VectorXd out(robot.nq());
  integrate(robot, q, dv, out);
  return out;
}

VectorXd between(const Robot& robot, const VectorXd& from, const VectorXd& to) {
  VectorXd out(robot.nv());
  difference(robot, from, to, out);
  return out;
}

/// Numbers for make_configuration with a rotation of the base of less than half a turn.
VectorXd random_numbers(const Robot& robot) {
  return 1.5 * VectorXd::Random(robot.nv());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_floating_robot_has_six_more_velocities) {
  const Robot robot = anymal();
  BOOST_TEST(robot.floating);
  BOOST_TEST(robot.base_nv() == 6);
  BOOST_TEST(robot.joints.size() == 12);
  BOOST_TEST(robot.coordinates.size() == 12);
  BOOST_TEST(robot.nv() == 18);
  BOOST_TEST(robot.nq() == 19);
  BOOST_TEST(robot.num_bodies() == 13);
  BOOST_TEST(robot.mimic.isIdentity(0));
  for (int j = 0; j < 12; ++j) {
    BOOST_TEST(robot.joints[j].idx_v == 6 + j);
    BOOST_TEST(robot.joints[j].idx_q == 7 + j);
    BOOST_TEST(robot.joints[j].body == 2 + j);
  }
  // The root link weighs nothing, what is fixed to it does.
  BOOST_TEST(std::ranges::any_of(
      robot.links, [](const Link& link) { return link.body == 1 && link.pi[0] > 10; }));
}

BOOST_AUTO_TEST_CASE(floating_integrate_and_difference_agree_with_pinocchio) {
  std::srand(1);
  const Robot robot = anymal();
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = make_configuration(robot, random_numbers(robot));
    const VectorXd dv = (i % 2 ? 1.5 : 1e-6) * VectorXd::Random(robot.nv());
    const VectorXd next = moved(robot, q, dv);
    BOOST_TEST((next - pinocchio::integrate(*robot.model, q, dv)).norm() < 1e-12);
    BOOST_TEST((between(robot, q, next) - dv).norm() < 1e-12);
    BOOST_TEST((between(robot, q, next) - pinocchio::difference(*robot.model, q, next)).norm() <
               1e-12);
    BOOST_TEST(between(robot, q, q).norm() < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(floating_difference_holds_near_half_a_turn) {
  const Robot robot = anymal();
  VectorXd dv = VectorXd::Zero(robot.nv());
  dv.head<6>() << 0.3, -0.2, 0.1, 0, 0, std::numbers::pi - 1e-9;
  const VectorXd q = make_configuration(robot, VectorXd::Zero(robot.nv()));
  BOOST_TEST((between(robot, q, moved(robot, q, dv)) - dv).norm() < 1e-7);
}

BOOST_AUTO_TEST_CASE(a_quaternion_stays_of_length_one_over_many_steps) {
  const Robot robot = anymal();
  VectorXd q = make_configuration(robot, VectorXd::Zero(robot.nv()));
  const VectorXd dv = VectorXd::Constant(robot.nv(), 1e-2);
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const VectorXd before = q;
    integrate(robot, q, dv, q);
    largest = std::max(largest, (q - before).segment<4>(3).norm());  // a change of sign is 2
  }
  BOOST_TEST(std::abs(q.segment<4>(3).norm() - 1) < 1e-14);
  BOOST_TEST(largest < 0.1);
}

BOOST_AUTO_TEST_CASE(integrate_jacobians_agree_with_central_differences) {
  std::srand(2);
  const Robot robot = anymal();
  for (const double scale : {1e-3, 1.0}) {
    const VectorXd q = make_configuration(robot, random_numbers(robot));
    const VectorXd dv = scale * VectorXd::Random(robot.nv()), next = moved(robot, q, dv);
    Eigen::Matrix<double, 6, 6> wrt_q, wrt_dv;
    integrate_jacobians(robot, dv, wrt_q, wrt_dv);
    const auto by_q = [&](const VectorXd& dq) {
      return between(robot, next, moved(robot, moved(robot, q, dq), dv));
    };
    const auto by_dv = [&](const VectorXd& change) {
      return between(robot, next, moved(robot, q, dv + change));
    };
    const VectorXd zero = VectorXd::Zero(robot.nv());
    MatrixXd analytic = MatrixXd::Identity(robot.nv(), robot.nv());
    analytic.topLeftCorner<6, 6>() = wrt_q;
    const DerivativeCheck in_q = check_derivatives(analytic, numeric_jacobian(by_q, zero));
    BOOST_TEST(in_q.max_error < 1e-8, in_q.worst_entry);
    analytic.topLeftCorner<6, 6>() = wrt_dv;
    const DerivativeCheck in_dv = check_derivatives(analytic, numeric_jacobian(by_dv, zero));
    BOOST_TEST(in_dv.max_error < 1e-8, in_dv.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(floating_joint_angles_undo_make_configuration) {
  std::srand(3);
  for (int seed = 0; seed < 10; ++seed) {
    const Robot robot = floating_robot(test::random_urdf(seed, {.num_joints = 6, .mimic = true}));
    const VectorXd numbers = random_numbers(robot);
    const VectorXd q = make_configuration(robot, numbers);
    BOOST_TEST((joint_angles(robot, q) - numbers).norm() < 1e-12);
    BOOST_TEST(pinocchio::isNormalized(*robot.model, q, 1e-14));
    const VectorXd dv = VectorXd::Random(robot.nv());
    BOOST_TEST(
        (moved(robot, q, dv) - pinocchio::integrate(*robot.model, q, VectorXd(robot.mimic * dv)))
            .norm() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(floating_integrate_does_not_allocate) {
  const Robot robot = anymal();
  const VectorXd q = make_configuration(robot, VectorXd::Constant(robot.nv(), 0.1));
  VectorXd dv = VectorXd::Constant(robot.nv(), 0.2), out(robot.nq());
  Eigen::Matrix<double, 6, 6> wrt_q, wrt_dv;
  const long before = test::num_allocations();
  integrate(robot, q, dv, out);
  integrate_jacobians(robot, dv, wrt_q, wrt_dv);
  difference(robot, q, out, dv);
  BOOST_TEST(test::num_allocations() == before);
}

BOOST_AUTO_TEST_CASE(find_frame_knows_feet_and_the_base) {
  for (const bool floating : {true, false}) {
    const Robot robot = read_robot({.urdf = anymal_urdf(), .floating_base = floating});
    const VectorXd q = make_configuration(robot, VectorXd::Constant(robot.nv(), 0.3));
    pinocchio::Data data(*robot.model);
    pinocchio::framesForwardKinematics(*robot.model, data, q);
    for (const std::string name : {"LF_FOOT", "RH_FOOT", "LF_SHANK", "base", "base_inertia"}) {
      const auto frame = find_frame(robot, name);
      BOOST_REQUIRE(frame.has_value());
      const pinocchio::SE3 placement(frame->rotation, frame->translation);
      const pinocchio::SE3 world = data.oMi[frame->body] * placement;
      BOOST_TEST(world.isApprox(data.oMf[robot.model->getBodyId(name)], 1e-12), name);
    }
    BOOST_TEST(find_frame(robot, "LF_FOOT")->body ==
               robot.joints[robot.joint_index("LF_KFE")].body);
    BOOST_TEST(find_frame(robot, "base_inertia")->body == (floating ? 1 : 0));
    BOOST_TEST(find_frame(robot, "LF_KFE").has_value());  // a joint's frame
    BOOST_TEST(!find_frame(robot, "LF_TOE").has_value());
    const std::vector<std::string> names = frame_names(robot);
    BOOST_TEST(std::ranges::count(names, "LF_FOOT") == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_floating_root_without_mass_is_named) {
  const std::string message = test::input_error([] { floating_robot(test::small_urdf); });
  for (const char* part : {"robot.urdf:3: ", "link 'base'", "model.base: floating", "<inertial>"})
    BOOST_TEST(message.find(part) != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(a_joint_with_the_name_of_the_base_is_named) {
  const std::string urdf =
      test::replaced(test::random_urdf(1, 2), "joint name=\"joint1\"", "joint name=\"base\"");
  const std::string message = test::input_error([&] { floating_robot(urdf); });
  BOOST_TEST(message.find("joint 'base' has the name of the floating base") != std::string::npos,
             message);
}

BOOST_AUTO_TEST_CASE(joints_of_a_floating_robot_with_a_link_named_base_may_be_locked) {
  const std::string file = std::string(BAYESID_ROBOTS) + "/b1_description/urdf/b1-z1.urdf";
  const Robot free = read_robot({.urdf = file, .floating_base = true}),
              locked = read_robot(
                  {.urdf = file, .floating_base = true, .lock = {{"jointGripper", 0.1}}});
  BOOST_TEST(locked.nv() == free.nv() - 1);
}

BOOST_AUTO_TEST_CASE(all_joints_of_a_floating_robot_may_be_locked) {
  const Robot robot = floating_robot(test::random_urdf(1, {.num_joints = 2}),
                                     {.lock = {{"joint1", 0.3}, {"joint2", -0.2}}});
  BOOST_TEST(robot.nv() == 6);
  BOOST_TEST(robot.num_bodies() == 1);
  BOOST_TEST(robot.links.size() >= 3);
}

BOOST_AUTO_TEST_CASE(the_root_of_a_floating_robot_is_rewritten) {
  test::TempFolder folder;
  const std::string text = test::random_urdf(5, {.num_joints = 3});
  const std::string file = folder.write("before.urdf", text);
  const Robot before = read_robot({.urdf = file, .floating_base = true});
  BOOST_REQUIRE(before.links.front().name == "link0");
  BOOST_TEST(before.links.front().body == 1);
  InertialParameters pi = before.links.front().pi;
  pi *= 1.25;
  const std::string out = folder.write("after.urdf", rewrite_urdf(file, {{"link0", pi}}));
  const Robot after = read_robot({.urdf = out, .floating_base = true});
  BOOST_TEST((after.links.front().pi - pi).norm() < 1e-12);
}
