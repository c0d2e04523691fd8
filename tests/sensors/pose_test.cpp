// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <numbers>

#include "support/count_allocations.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/sensor_bench.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const PoseConfig both{.position = 1e-2, .orientation = 2e-2};

/// A pose sensor with one sample.
struct Scene {
  test::SensorBench bench;
  const Robot& robot;
  Kinematics kinematics;
  Instant at;
  std::string group;

  Scene(int seed, bool floating, bool mimic, const std::string& frame)
      : bench(seed, floating, mimic),
        robot(bench.robot),
        kinematics(robot),
        group("pose." + frame) {
    at.q = make_configuration(robot, VectorXd::Random(robot.nv()));
    at.v = VectorXd::Random(robot.nv());
    at.kinematics = &kinematics;
  }

  std::unique_ptr<Sensor> sensor(const VectorXd& measured, const PoseConfig& std = both) {
    bench.noise.poses[group.substr(5)] = std;
    return bench.make(group, measured);
  }

  VectorXd true_pose() {
    const FramePose pose = kinematics.pose(at.q, *find_frame(robot, group.substr(5)));
    VectorXd out(7);
    out << pose.translation, Eigen::Quaterniond(pose.rotation).coeffs();
    return out;
  }

  Residual residual(const Sensor& of, Order order = Order::derivatives) {
    Residual out(of.max_rows(), 2 * robot.nv());
    out.dr_dx.fill(7);  // left by another sensor
    of.evaluate(at, order, out);
    return out;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(pose_derivatives_agree_with_central_differences) {
  for (int seed = 0; seed < 12; ++seed) {
    std::srand(seed);
    Scene scene(seed, seed % 3 != 0, seed % 2 == 0, seed % 4 ? "link6" : "link0");
    const auto sensor = scene.sensor(VectorXd::Random(7));
    const Residual analytic = scene.residual(*sensor);
    BOOST_REQUIRE(analytic.rows == 6);
    const VectorXd q = scene.at.q;
    const auto r = [&](const VectorXd& dx) {
      VectorXd moved(scene.robot.nq());
      integrate(scene.robot, q, dx.head(scene.robot.nv()), moved);
      scene.at.q = moved;
      return VectorXd(scene.residual(*sensor, Order::value).r);
    };
    const MatrixXd numeric = numeric_jacobian(r, VectorXd::Zero(2 * scene.robot.nv()));
    const DerivativeCheck check = check_derivatives(analytic.dr_dx, numeric);
    BOOST_TEST(check.max_error < 1e-6, "seed " << seed << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(pose_residual_is_zero_at_the_truth_whatever_the_quaternion) {
  Scene scene(1, true, false, "link3");
  for (const double factor : {1.0, -1.0, 2.5}) {
    VectorXd measured = scene.true_pose();
    measured.tail<4>() *= factor;
    BOOST_TEST(scene.residual(*scene.sensor(measured)).r.norm() < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(pose_residual_counts_metres_and_radians) {
  Scene scene(2, true, false, "link2");
  VectorXd measured = scene.true_pose();
  measured[1] -= 0.03;
  const Eigen::AngleAxisd turn(-0.1, Eigen::Vector3d::UnitZ());  // about the z axis of the frame
  measured.tail<4>() =
      (Eigen::Quaterniond(Eigen::Vector4d(measured.tail<4>())) * Eigen::Quaterniond(turn)).coeffs();
  const Residual residual = scene.residual(*scene.sensor(measured));
  const VectorXd expected = (VectorXd(6) << 0, 3, 0, 0, 0, 5).finished();
  BOOST_TEST((residual.r - expected).norm() < 1e-9);
}

BOOST_AUTO_TEST_CASE(pose_parts_that_are_not_measured_have_no_rows) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Scene scene(3, true, false, "link1");
  const VectorXd truth = scene.true_pose();
  const auto rows = [&](const VectorXd& measured, const PoseConfig& std) {
    return scene.residual(*scene.sensor(measured, std)).rows;
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
  Scene scene(4, true, true, "link5");
  const auto sensor = scene.sensor(scene.true_pose());
  Residual out(sensor->max_rows(), 2 * scene.robot.nv());
  const VectorXd other = make_configuration(scene.robot, VectorXd::Random(scene.robot.nv()));
  const long before = test::num_allocations();
  sensor->evaluate(scene.at, Order::derivatives, out);
  scene.at.q = other;
  sensor->evaluate(scene.at, Order::derivatives, out);
  BOOST_TEST(test::num_allocations() == before);
}

BOOST_AUTO_TEST_CASE(encoders_on_a_floating_base_measure_joints_only) {
  const test::SensorBench bench(5, true, false);
  const Robot& robot = bench.robot;
  const int nv = robot.nv(), num_joints = static_cast<int>(robot.joints.size());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const VectorXd numbers = VectorXd::Random(nv), v = VectorXd::Random(nv);
  Instant at;
  at.q = make_configuration(robot, numbers);
  at.v = v;
  VectorXd position = numbers, velocity = v;
  position.array() -= 0.01;
  velocity.array() -= 0.02;
  position.head<6>().fill(nan);
  velocity.head<6>().fill(nan);
  Residual out(nv, 2 * nv);
  bench.make("position", position)->evaluate(at, Order::derivatives, out);
  BOOST_REQUIRE(out.rows == num_joints);
  BOOST_TEST((out.r.head(num_joints).array() - 1).matrix().norm() < 1e-9);
  MatrixXd expected = MatrixXd::Zero(num_joints, 2 * nv);
  expected.middleCols(6, num_joints).diagonal().setConstant(100);
  BOOST_TEST((out.dr_dx.topRows(num_joints) - expected).norm() < 1e-9);
  bench.make("velocity", velocity)->evaluate(at, Order::derivatives, out);
  BOOST_REQUIRE(out.rows == num_joints);
  BOOST_TEST((out.r.head(num_joints).array() - 2).matrix().norm() < 1e-9);
  expected.setZero();
  expected.middleCols(nv + 6, num_joints).diagonal().setConstant(100);
  BOOST_TEST((out.dr_dx.topRows(num_joints) - expected).norm() < 1e-9);
}
