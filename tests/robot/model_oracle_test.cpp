// SPDX-License-Identifier: BSD-3-Clause
// Oracle: torques of the model that Pinocchio reads from the same text by itself.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "support/random_robot.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::VectorXd;

namespace {

VectorXd torque(const pinocchio::Model& model, const VectorXd& q, const VectorXd& v,
                const VectorXd& a) {
  pinocchio::Data data(model);
  return pinocchio::rnea(model, data, q, v, a);
}

pinocchio::Model oracle_model(const std::string& text, bool mimic) {
  pinocchio::Model model;
  pinocchio::urdf::buildModelFromXML(text, model, false, mimic);
  return model;
}

/// Deterministic numbers around zero.
VectorXd numbers(int size, double phase) {
  VectorXd out(size);
  for (int i = 0; i < size; ++i) out[i] = std::sin(phase + 1.7 * i);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(torques_agree_with_pinocchios_own_reading) {
  test::TempFolder folder;
  for (int seed = 0; seed < 10; ++seed) {
    const std::string text = test::random_urdf(seed, 7);
    const Robot robot = read_robot({.urdf = folder.temp_file(text, ".urdf")});
    const pinocchio::Model oracle = oracle_model(text, false);
    const VectorXd q = make_configuration(robot, numbers(robot.nv(), 0.3));
    const VectorXd v = numbers(robot.nv(), 1), a = numbers(robot.nv(), 2);
    const VectorXd expected = torque(oracle, q, v, a);
    BOOST_TEST((torque(*robot.model, q, v, a) - expected).norm() < 1e-11 * (1 + expected.norm()),
               "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(gravity_is_that_of_the_config) {
  test::TempFolder folder;
  const std::string text = test::random_urdf(4, 5);
  const Robot robot =
      read_robot({.urdf = folder.temp_file(text, ".urdf"), .gravity = {1.0, -2.0, 3.0}});
  pinocchio::Model oracle = oracle_model(text, false);
  oracle.gravity.linear() << 1, -2, 3;
  const VectorXd q = make_configuration(robot, numbers(5, 0.3)), zero = VectorXd::Zero(5);
  BOOST_TEST((torque(*robot.model, q, zero, zero) - torque(oracle, q, zero, zero)).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_locked_joint_is_a_joint_that_does_not_move) {
  test::TempFolder folder;
  for (int seed = 0; seed < 10; ++seed) {
    const std::string file = folder.temp_file(test::random_urdf(seed, 6), ".urdf");
    const Robot full = read_robot({.urdf = file});
    const std::map<std::string, double> lock{{"joint2", 0.4}, {"joint5", -0.3}};
    const Robot robot = read_robot({.urdf = file, .lock = lock});
    BOOST_TEST(robot.nv() == 4);
    const VectorXd angles = numbers(4, 0.3), v = numbers(4, 1), a = numbers(4, 2);
    VectorXd angles_full(6), v_full(6), a_full(6);
    for (int i = 0; i < 6; ++i) {
      const int j = robot.joint_index(full.joints[i].name);
      angles_full[i] = j < 0 ? lock.at(full.joints[i].name) : angles[j];
      v_full[i] = j < 0 ? 0 : v[j];
      a_full[i] = j < 0 ? 0 : a[j];
    }
    const VectorXd tau = torque(*robot.model, make_configuration(robot, angles), v, a);
    const VectorXd expected =
        torque(*full.model, make_configuration(full, angles_full), v_full, a_full);
    for (int j = 0; j < 4; ++j)
      BOOST_TEST(std::abs(tau[j] - expected[full.joint_index(robot.joints[j].name)]) < 1e-10,
                 "seed " << seed << " joint " << robot.joints[j].name);
  }
}

BOOST_AUTO_TEST_CASE(the_mimic_map_agrees_with_pinocchios_mimic_joints) {
  // τ = Sᵀ τ_all, v_all = S v: against Pinocchio's own mimic joints, which rnea supports.
  const std::string file = BAYESID_ROBOTS "/panda_description/urdf/panda.urdf";
  const Robot robot = read_robot({.urdf = file});
  pinocchio::Model oracle;
  pinocchio::urdf::buildModel(file, oracle, false, true);
  BOOST_REQUIRE(oracle.nv == robot.nv());
  const VectorXd angles = 0.1 * numbers(8, 0.3), v = numbers(8, 1), a = numbers(8, 2);
  const VectorXd tau =
      robot.mimic.transpose() *
      torque(*robot.model, make_configuration(robot, angles), robot.mimic * v, robot.mimic * a);
  const VectorXd expected = torque(oracle, angles, v, a);
  BOOST_TEST((tau - expected).norm() < 1e-11 * (1 + expected.norm()));
}

BOOST_AUTO_TEST_CASE(example_robots_load_or_say_why_not, *boost::unit_test::label("slow")) {
  int num_loaded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BAYESID_ROBOTS)) {
    if (entry.path().extension() != ".urdf") continue;
    try {  // anything but an InputError is our fault and ends the test
      const Robot robot = read_robot({.urdf = entry.path().string()});
      ++num_loaded;
      for (const std::string& warning : robot.warnings) BOOST_TEST_MESSAGE(warning);
    } catch (const InputError& error) {
      BOOST_TEST_MESSAGE("refused: " << error.what());
      BOOST_TEST(std::string(error.what()).starts_with(entry.path().string()), error.what());
    }
  }
  BOOST_TEST(num_loaded > 20);
}
