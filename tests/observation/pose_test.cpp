// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <numbers>

#include "bayesid/math/numeric_jacobian.hpp"
#include "bayesid/observation/encoder.hpp"
#include "bayesid/observation/pose.hpp"
#include "support/count_allocations.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Robot random_robot(int seed, bool floating, bool mimic = false) {
  test::TempFolder folder;
  const std::string urdf = test::random_urdf(seed, {.num_joints = 6, .mimic = mimic});
  return read_robot({.urdf = folder.write("robot.urdf", urdf), .floating_base = floating});
}

/// A pose term that sees one sample.
struct Scene {
  Robot robot;
  Kinematics kinematics;
  Knot knot;
  FramePlacement frame;

  explicit Scene(Robot given, const std::string& name)
      : robot(std::move(given)), kinematics(robot), frame(*find_frame(robot, name)) {
    knot.q = make_configuration(robot, VectorXd::Random(robot.nv()));
    knot.v = VectorXd::Random(robot.nv());
    knot.kinematics = &kinematics;
  }

  VectorXd true_pose() {
    const FramePose pose = kinematics.pose(knot.q, frame);
    VectorXd out(7);
    out << pose.translation, Eigen::Quaterniond(pose.rotation).coeffs();
    return out;
  }

  Residual residual(const Term& term, Order order = Order::derivatives) {
    Residual out(term.max_rows(), 2 * robot.nv());
    out.dr_dx.fill(7);  // left by another term
    term.evaluate(knot, order, out);
    return out;
  }
};

const PoseConfig both{.position = 1e-2, .orientation = 2e-2};

}  // namespace

BOOST_AUTO_TEST_CASE(pose_derivatives_agree_with_central_differences) {
  for (int seed = 0; seed < 12; ++seed) {
    std::srand(seed);
    Scene scene(random_robot(seed, seed % 3 != 0, seed % 2 == 0), seed % 4 ? "link6" : "link0");
    const Pose term("frame", scene.frame, VectorXd::Random(7), both);
    const Residual analytic = scene.residual(term);
    BOOST_REQUIRE(analytic.rows == 6);
    const VectorXd q = scene.knot.q;
    const auto r = [&](const VectorXd& dx) {
      VectorXd moved(scene.robot.nq());
      integrate(scene.robot, q, dx.head(scene.robot.nv()), moved);
      scene.knot.q = moved;
      return VectorXd(scene.residual(term, Order::value).r);
    };
    const MatrixXd numeric = numeric_jacobian(r, VectorXd::Zero(2 * scene.robot.nv()));
    const DerivativeCheck check = check_derivatives(analytic.dr_dx, numeric);
    BOOST_TEST(check.max_error < 1e-6, "seed " << seed << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(pose_residual_is_zero_at_the_truth_whatever_the_quaternion) {
  Scene scene(random_robot(1, true), "link3");
  for (const double factor : {1.0, -1.0, 2.5}) {
    VectorXd measured = scene.true_pose();
    measured.tail<4>() *= factor;
    BOOST_TEST(scene.residual(Pose("link3", scene.frame, measured, both)).r.norm() < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(pose_residual_counts_metres_and_radians) {
  Scene scene(random_robot(2, true), "link2");
  VectorXd measured = scene.true_pose();
  measured[1] -= 0.03;
  const Eigen::AngleAxisd turn(-0.1, Eigen::Vector3d::UnitZ());  // about the z axis of the frame
  measured.tail<4>() =
      (Eigen::Quaterniond(Eigen::Vector4d(measured.tail<4>())) * Eigen::Quaterniond(turn)).coeffs();
  const Residual residual = scene.residual(Pose("link2", scene.frame, measured, both));
  const VectorXd expected = (VectorXd(6) << 0, 3, 0, 0, 0, 5).finished();
  BOOST_TEST((residual.r - expected).norm() < 1e-9);
}

BOOST_AUTO_TEST_CASE(pose_parts_that_are_not_measured_have_no_rows) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Scene scene(random_robot(3, true), "link1");
  const VectorXd truth = scene.true_pose();
  const auto rows = [&](const VectorXd& measured, const PoseConfig& std) {
    return scene.residual(Pose("link1", scene.frame, measured, std)).rows;
  };
  VectorXd no_position = truth, no_orientation = truth;
  no_position[2] = nan;
  no_orientation[5] = nan;
  BOOST_TEST(rows(truth, both) == 6);
  BOOST_TEST(rows(no_position, both) == 3);
  BOOST_TEST(rows(no_orientation, both) == 3);
  BOOST_TEST(rows(VectorXd::Constant(7, nan), both) == 0);
  BOOST_TEST(rows(truth, {.position = 1e-2, .orientation = {}}) == 3);
  BOOST_TEST(rows(truth, {.position = {}, .orientation = 1e-2}) == 3);
  BOOST_TEST(rows(no_position, {.position = 1e-2, .orientation = {}}) == 0);
}

BOOST_AUTO_TEST_CASE(pose_does_not_allocate) {
  Scene scene(random_robot(4, true, true), "link5");
  const Pose term("link5", scene.frame, scene.true_pose(), both);
  Residual out(term.max_rows(), 2 * scene.robot.nv());
  const VectorXd other = make_configuration(scene.robot, VectorXd::Random(scene.robot.nv()));
  const long before = test::num_allocations();
  term.evaluate(scene.knot, Order::derivatives, out);
  scene.knot.q = other;
  term.evaluate(scene.knot, Order::derivatives, out);
  BOOST_TEST(test::num_allocations() == before);
}

BOOST_AUTO_TEST_CASE(encoders_on_a_floating_base_see_joints_only) {
  const Robot robot = random_robot(5, true);
  const int nv = robot.nv(), num_joints = static_cast<int>(robot.joints.size());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const VectorXd numbers = VectorXd::Random(nv), v = VectorXd::Random(nv);
  Knot knot;
  knot.q = make_configuration(robot, numbers);
  knot.v = v;
  VectorXd position = numbers, velocity = v;
  position.array() -= 0.01;
  velocity.array() -= 0.02;
  position.head<6>().fill(nan);
  velocity.head<6>().fill(nan);
  const VectorXd std = VectorXd::Constant(nv, 0.01);
  Residual out(nv, 2 * nv);
  EncoderPosition(robot, position, std).evaluate(knot, Order::derivatives, out);
  BOOST_REQUIRE(out.rows == num_joints);
  BOOST_TEST((out.r.head(num_joints).array() - 1).matrix().norm() < 1e-9);
  MatrixXd expected = MatrixXd::Zero(num_joints, 2 * nv);
  expected.middleCols(6, num_joints).diagonal().setConstant(100);
  BOOST_TEST((out.dr_dx.topRows(num_joints) - expected).norm() < 1e-9);
  EncoderVelocity(velocity, std).evaluate(knot, Order::derivatives, out);
  BOOST_REQUIRE(out.rows == num_joints);
  BOOST_TEST((out.r.head(num_joints).array() - 2).matrix().norm() < 1e-9);
  expected.setZero();
  expected.middleCols(nv + 6, num_joints).diagonal().setConstant(100);
  BOOST_TEST((out.dr_dx.topRows(num_joints) - expected).norm() < 1e-9);
}
