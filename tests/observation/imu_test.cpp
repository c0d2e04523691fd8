// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/observation/imu.hpp"

#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "bayesid/math/numeric_jacobian.hpp"
#include "support/count_allocations.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const Vector3d gravity(0.3, -0.2, -9.7);
const ImuConfig all_parts{.place = {}, .acceleration = 0.1, .rate = 0.02, .orientation = 0.03};

/// An inertial sensor on a link of a random robot in random motion.
struct Scene {
  Robot robot;
  Kinematics kinematics;
  Knot knot;
  FramePlacement frame;

  Scene(int seed, bool floating, bool mimic, const std::string& link)
      : robot(make_robot(seed, floating, mimic)),
        kinematics(robot),
        frame(*find_frame(robot, link)) {
    const int nv = robot.nv();
    knot.q = make_configuration(robot, VectorXd::Random(nv));
    knot.v = VectorXd::Random(nv);
    knot.a = 3 * VectorXd::Random(nv);
    knot.sensor = VectorXd::Random(8);
    knot.kinematics = &kinematics;
    frame.rotation = frame.rotation * Eigen::AngleAxisd(0.7, Vector3d::UnitY()).toRotationMatrix();
    frame.translation += Vector3d(0.1, -0.2, 0.3);
  }

  static Robot make_robot(int seed, bool floating, bool mimic) {
    test::TempFolder folder;
    const std::string urdf = test::random_urdf(seed, {.num_joints = 6, .mimic = mimic});
    return read_robot({.urdf = folder.write("robot.urdf", urdf), .floating_base = floating});
  }

  Imu imu(const MatrixXd& measured, std::array<int, 6> bias = {1, -1, 3, 4, 5, 7}) const {
    return Imu({.name = "base", .frame = frame, .std = all_parts, .gravity = gravity, .bias = bias},
               measured);
  }

  Residual residual(const Term& term, Order order = Order::derivatives) {
    Residual out(term.max_rows(), 2 * robot.nv(), static_cast<int>(term.parameters().size()));
    out.dr_dx.fill(7);  // left by another sample
    out.dr_da.fill(7);
    out.dr_dsensor.fill(7);
    term.evaluate(knot, order, out);
    return out;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(imu_derivatives_agree_with_central_differences) {
  for (int seed = 0; seed < 12; ++seed) {
    std::srand(seed);
    Scene scene(seed, seed % 3 != 0, seed % 2 == 0, seed % 4 ? "link6" : "link2");
    const Imu term = scene.imu(VectorXd::Random(10));
    const Residual analytic = scene.residual(term);
    BOOST_REQUIRE(analytic.rows == 9);
    const Knot knot = scene.knot;
    const int nv = scene.robot.nv();
    const auto r = [&](const VectorXd& change) {
      VectorXd moved(scene.robot.nq());
      integrate(scene.robot, knot.q, change.head(nv), moved);
      scene.knot.q = moved;
      scene.knot.v = knot.v + change.segment(nv, nv);
      scene.knot.a = knot.a + change.segment(2 * nv, nv);
      scene.knot.sensor = knot.sensor + change.tail(8);
      return VectorXd(scene.residual(term, Order::value).r);
    };
    const MatrixXd numeric = numeric_jacobian(r, VectorXd::Zero(3 * nv + 8));
    MatrixXd expected = MatrixXd::Zero(9, 3 * nv + 8);
    expected.leftCols(2 * nv) = analytic.dr_dx;
    expected.middleCols(2 * nv, nv) = analytic.dr_da;
    for (size_t i = 0; i < term.parameters().size(); ++i)
      expected.col(3 * nv + term.parameters()[i]) = analytic.dr_dsensor.col(static_cast<int>(i));
    const DerivativeCheck check = check_derivatives(expected, numeric);
    BOOST_TEST(check.max_error < 1e-6, "seed " << seed << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(imu_sees_the_second_difference_of_its_place_and_the_difference_of_its_turn) {
  for (int seed = 0; seed < 6; ++seed) {
    std::srand(seed);
    Scene scene(seed, seed % 2 == 0, seed % 3 == 0, "link5");
    const int nv = scene.robot.nv();
    const double h = 1e-4;
    // A motion with this velocity and acceleration at time 0.
    const auto pose_at = [&](double t) {
      VectorXd q(scene.robot.nq());
      const VectorXd step = t * scene.knot.v + 0.5 * t * t * scene.knot.a;
      integrate(scene.robot, scene.knot.q, step, q);
      return scene.kinematics.pose(q, scene.frame);
    };
    const FramePose before = pose_at(-h), now = pose_at(0), after = pose_at(h);
    const Vector3d acceleration =
        (after.translation - 2 * now.translation + before.translation) / (h * h);
    const Eigen::AngleAxisd turn(before.rotation.transpose() * after.rotation);
    VectorXd measured = VectorXd::Constant(10, std::numeric_limits<double>::quiet_NaN());
    measured.head<3>() = now.rotation.transpose() * (acceleration - gravity);
    measured.segment<3>(3) = turn.angle() * turn.axis() / (2 * h);
    measured.tail<4>() = -2 * Eigen::Quaterniond(now.rotation).coeffs();  // sign and length
    const Residual at = scene.residual(scene.imu(measured, {-1, -1, -1, -1, -1, -1}));
    BOOST_REQUIRE(at.rows == 9);
    BOOST_TEST(at.r.head<3>().norm() * 0.1 < 1e-4);
    BOOST_TEST(at.r.segment<3>(3).norm() * 0.02 < 1e-6);
    BOOST_TEST(at.r.tail<3>().norm() < 1e-9);
    BOOST_TEST(nv > 0);
  }
}

BOOST_AUTO_TEST_CASE(imu_leaves_out_what_was_not_measured_and_allocates_nothing) {
  Scene scene(1, true, false, "link3");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  VectorXd measured = VectorXd::Random(10);
  measured[1] = nan;
  const Imu term = scene.imu(measured);
  BOOST_TEST(scene.residual(term).rows == 6);
  measured.tail<4>().setZero();
  BOOST_TEST(scene.residual(scene.imu(measured)).rows == 3);
  Residual out(9, 2 * scene.robot.nv(), 5);
  const Imu whole = scene.imu(VectorXd::Random(10));
  whole.evaluate(scene.knot, Order::derivatives, out);
  const long before = test::num_allocations();
  whole.evaluate(scene.knot, Order::derivatives, out);
  scene.knot.v *= 1.1;
  whole.evaluate(scene.knot, Order::derivatives, out);
  BOOST_TEST(test::num_allocations() == before);
}
