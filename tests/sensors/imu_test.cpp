// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "support/count_allocations.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/sensor_bench.hpp"

using namespace bayesid;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const ImuConfig all_parts{.place = {}, .acceleration = 0.1, .rate = 0.02, .orientation = 0.03};

Config config_with(bool has_biases) {
  Config out;
  out.measurements.imus["base"] = all_parts;
  if (has_biases) out.parameters.imu_bias.emplace();
  out.parameters.delay["position"] = {};  // another parameter of sensors
  return out;
}

/// An inertial sensor on a link of a random robot in random motion.
struct Scene {
  test::SensorBench bench;
  const Robot& robot;
  Kinematics kinematics;
  Instant at;
  FramePlacement frame;

  Scene(int seed, bool floating, bool mimic, const std::string& link, bool has_biases = true)
      : bench(seed, floating, mimic, config_with(has_biases)),
        robot(bench.robot),
        kinematics(robot),
        frame(*find_frame(robot, link)) {
    const int nv = robot.nv();
    at.q = make_configuration(robot, VectorXd::Random(nv));
    at.v = VectorXd::Random(nv);
    at.a = 3 * VectorXd::Random(nv);
    at.parameters = VectorXd::Random(bench.parameters.layout().num_sensors);
    at.kinematics = &kinematics;
    frame.rotation = frame.rotation * Eigen::AngleAxisd(0.7, Vector3d::UnitY()).toRotationMatrix();
    frame.translation += Vector3d(0.1, -0.2, 0.3);
    bench.noise.imus["base"] = {.frame = frame, .std = all_parts};
  }

  std::unique_ptr<Sensor> imu(const MatrixXd& measured) const {
    return bench.make("imu.base", measured);
  }

  Residual residual(const Sensor& sensor, Order order = Order::derivatives) {
    Residual out(sensor.max_rows(), 2 * robot.nv(), static_cast<int>(sensor.parameters().size()));
    out.dr_dx.fill(7);  // left by another sample
    out.dr_da.fill(7);
    out.dr_dparameters.fill(7);
    sensor.evaluate(at, order, out);
    return out;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(imu_derivatives_agree_with_central_differences) {
  for (int seed = 0; seed < 12; ++seed) {
    std::srand(seed);
    Scene scene(seed, seed % 3 != 0, seed % 2 == 0, seed % 4 ? "link6" : "link2");
    const auto imu = scene.imu(VectorXd::Random(10));
    const Residual analytic = scene.residual(*imu);
    const Eigen::Index num_parameters = scene.at.parameters.size();
    BOOST_REQUIRE(imu->parameters().size() == 6);
    BOOST_REQUIRE(analytic.rows == 9);
    const Instant at = scene.at;
    const int nv = scene.robot.nv();
    const auto r = [&](const VectorXd& change) {
      VectorXd moved(scene.robot.nq());
      integrate(scene.robot, at.q, change.head(nv), moved);
      scene.at.q = moved;
      scene.at.v = at.v + change.segment(nv, nv);
      scene.at.a = at.a + change.segment(2 * nv, nv);
      scene.at.parameters = at.parameters + change.tail(num_parameters);
      return VectorXd(scene.residual(*imu, Order::value).r);
    };
    const MatrixXd numeric = numeric_jacobian(r, VectorXd::Zero(3 * nv + num_parameters));
    MatrixXd expected = MatrixXd::Zero(9, 3 * nv + num_parameters);
    expected.leftCols(2 * nv) = analytic.dr_dx;
    expected.middleCols(2 * nv, nv) = analytic.dr_da;
    for (size_t i = 0; i < imu->parameters().size(); ++i)
      expected.col(3 * nv + imu->parameters()[i]) =
          analytic.dr_dparameters.col(static_cast<int>(i));
    const DerivativeCheck check = check_derivatives(expected, numeric);
    BOOST_TEST(check.max_error < 1e-6, "seed " << seed << ": " << check.worst_entry);
  }
}

BOOST_AUTO_TEST_CASE(imu_measures_second_differences_of_position_and_differences_of_rotation) {
  for (int seed = 0; seed < 6; ++seed) {
    std::srand(seed);
    Scene scene(seed, seed % 2 == 0, seed % 3 == 0, "link5", false);
    const int nv = scene.robot.nv();
    const double h = 1e-4;
    // A motion with this velocity and acceleration at time 0.
    const auto pose_at = [&](double t) {
      VectorXd q(scene.robot.nq());
      const VectorXd step = t * scene.at.v + 0.5 * t * t * scene.at.a;
      integrate(scene.robot, scene.at.q, step, q);
      return scene.kinematics.pose(q, scene.frame);
    };
    const FramePose before = pose_at(-h), now = pose_at(0), after = pose_at(h);
    const Vector3d acceleration =
        (after.translation - 2 * now.translation + before.translation) / (h * h);
    const Eigen::AngleAxisd turn(before.rotation.transpose() * after.rotation);
    VectorXd measured = VectorXd::Constant(10, std::numeric_limits<double>::quiet_NaN());
    measured.head<3>() = now.rotation.transpose() * (acceleration - scene.robot.gravity());
    measured.segment<3>(3) = turn.angle() * turn.axis() / (2 * h);
    measured.tail<4>() = -2 * Eigen::Quaterniond(now.rotation).coeffs();  // sign and length
    const Residual at = scene.residual(*scene.imu(measured));
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
  BOOST_TEST(scene.residual(*scene.imu(measured)).rows == 6);
  measured.tail<4>().setZero();
  BOOST_TEST(scene.residual(*scene.imu(measured)).rows == 3);
  Residual out(9, 2 * scene.robot.nv(), 6);
  const auto whole = scene.imu(VectorXd::Random(10));
  whole->evaluate(scene.at, Order::derivatives, out);
  const long before = test::num_allocations();
  whole->evaluate(scene.at, Order::derivatives, out);
  scene.at.v *= 1.1;
  whole->evaluate(scene.at, Order::derivatives, out);
  BOOST_TEST(test::num_allocations() == before);
}
