// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <locale>
#include <random>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "robot/link_inertia.hpp"
#include "support/random_robot.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::replaced;
using test::small_urdf;

namespace {

Robot robot_of(const std::string& text, ModelConfig config = {}) {
  test::TempFolder folder;
  config.urdf = folder.temp_file(text, ".urdf");
  return read_robot(config);
}

/// Whether exactly one warning contains all parts.
bool warns(const Robot& robot, const std::vector<std::string>& parts) {
  int num_found = 0;
  for (const std::string& warning : robot.warnings) {
    bool holds_all = true;
    for (const std::string& part : parts)
      holds_all = holds_all && warning.find(part) != std::string::npos;
    num_found += holds_all;
  }
  for (const std::string& warning : robot.warnings) BOOST_TEST_MESSAGE(warning);
  return num_found == 1;
}

const std::string panda = BAYESID_ROBOTS "/panda_description/urdf/panda.urdf";

}  // namespace

BOOST_AUTO_TEST_CASE(joints_carry_the_numbers_of_the_urdf) {
  const Robot robot = robot_of(small_urdf);
  BOOST_TEST(robot.name == "small");
  BOOST_TEST(robot.warnings.empty());
  BOOST_TEST(robot.nv() == 2);
  BOOST_TEST(robot.nq() == 2);
  BOOST_TEST(robot.num_bodies() == 2);
  BOOST_TEST(!robot.has_mimic());
  const Joint& shoulder = robot.joints.at(robot.joint_index("shoulder"));
  BOOST_TEST(shoulder.lower == -2);
  BOOST_TEST(shoulder.upper == 1.5);
  BOOST_TEST(shoulder.velocity == 3);
  BOOST_TEST(shoulder.effort == 50);
  BOOST_TEST(shoulder.damping == 0.1);
  BOOST_TEST(shoulder.friction == 0.2);
  BOOST_TEST(shoulder.child_link == "arm");
  BOOST_TEST(!shoulder.prismatic);
  BOOST_TEST(robot.joints.at(robot.joint_index("slide")).prismatic);
  BOOST_TEST(robot.joint_index("elbow") == -1);
}

BOOST_AUTO_TEST_CASE(pi_is_about_the_origin_of_the_link_and_in_its_axes) {
  const Robot robot = robot_of(small_urdf);
  const Link& arm = robot.links.at(0);
  BOOST_TEST(arm.name == "arm");
  BOOST_TEST(arm.line == 5);
  const Vector3d c(0.1, 0.02, -0.3);
  Matrix3d I;
  I << 0.03, 0.001, 0.002, 0.001, 0.04, -0.001, 0.002, -0.001, 0.02;
  const Matrix3d R =
      (Eigen::AngleAxisd(0.3, Vector3d::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3d::UnitY()) *
       Eigen::AngleAxisd(0.1, Vector3d::UnitX()))
          .toRotationMatrix();
  const Matrix3d O =
      R * I * R.transpose() + 2.5 * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  InertialParameters pi;
  pi << 2.5, 2.5 * c, O(0, 0), O(0, 1), O(1, 1), O(0, 2), O(1, 2), O(2, 2);
  BOOST_TEST((arm.pi - pi).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(an_inconsistent_inertia_is_repaired_with_a_warning) {
  // Triangle inequality broken, then a negative moment.
  for (const std::string iyy : {"0.4", "-0.04"}) {
    const Robot robot = robot_of(replaced(small_urdf, "iyy=\"0.04\"", "iyy=\"" + iyy + "\""));
    BOOST_TEST(warns(
        robot, {"file0.urdf:5", "<inertia>", "link 'arm'", "principal moments", iyy.substr(0, 4)}));
    const CentralInertia repaired = central_from_parameters(robot.links.at(0).pi);
    BOOST_TEST(repaired.mass == 2.5);
    BOOST_TEST((repaired.com - Vector3d(0.1, 0.02, -0.3)).norm() < 1e-15);
    const Matrix3d L = 0.5 * repaired.inertia.trace() * Matrix3d::Identity() - repaired.inertia;
    const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(L).eigenvalues();
    BOOST_TEST(moments[0] > 0.999e-3 * moments[2]);
  }
}

BOOST_AUTO_TEST_CASE(a_wrist_with_mass_and_zero_inertia_loads) {
  // As in the published TX40 file: the last link weighs 0.2 kg and has six zeros; its tool is
  // empty.
  std::string text = replaced(
      small_urdf, "ixx=\"0.002\" ixy=\"0\" ixz=\"0\" iyy=\"0.002\" iyz=\"0\" izz=\"0.002\"",
      "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"");
  text = replaced(text, "</robot>",
                  "<link name=\"tool0\"/><joint name=\"j\" type=\"fixed\"><parent link=\"hand\"/>"
                  "<child link=\"tool0\"/></joint></robot>");
  const Robot robot = robot_of(text);
  BOOST_TEST(robot.links.size() == 2);
  BOOST_TEST(warns(robot, {"link 'hand'", "is zero", ":12"}));
  BOOST_TEST(is_consistent(central_from_parameters(robot.links.at(1).pi).inertia));
}

BOOST_AUTO_TEST_CASE(a_massless_tool_fixed_to_the_hand_loads) {
  const std::string tool =
      "<link name=\"tool\"><inertial><mass value=\"0\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" "
      "iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial></link><joint name=\"j\" type=\"fixed\"><parent "
      "link=\"hand\"/><child link=\"tool\"/></joint></robot>";
  const Robot robot = robot_of(replaced(small_urdf, "</robot>", tool));
  BOOST_TEST(robot.links.size() == 2);
  BOOST_TEST(robot.warnings.empty());
  const Robot heavy =
      robot_of(replaced(replaced(small_urdf, "</robot>", tool), "ixx=\"0\"", "ixx=\"1\""));
  BOOST_TEST(warns(heavy, {"link 'tool'", "no mass", "dropped"}));
}

BOOST_AUTO_TEST_CASE(a_massless_hand_with_a_heavy_tool_loads) {
  const std::string text = replaced(
      replaced(small_urdf, "<child link=\"hand\"/>", "<child link=\"flange\"/>"), "</robot>",
      "<link name=\"flange\"/><joint name=\"j\" type=\"fixed\"><origin xyz=\"0 0 0.1\" rpy=\"0 1 "
      "0\"/>"
      "<parent link=\"flange\"/><child link=\"hand\"/></joint></robot>");
  const Robot robot = robot_of(text);
  const Link& hand = robot.links.at(1);
  BOOST_TEST(hand.body == 2);
  BOOST_TEST((hand.translation - Vector3d(0, 0, 0.1)).norm() < 1e-15);
  BOOST_TEST(std::abs(hand.rotation(0, 2) - std::sin(1.0)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(odd_but_harmless_things_are_warnings) {
  BOOST_TEST(warns(robot_of(replaced(small_urdf, "\"0 1 0\"", "\"0 2 0\"")),
                   {"file0.urdf:21", "<axis", "joint 'shoulder'", "normalised"}));
  const Robot crossed = robot_of(replaced(small_urdf, "lower=\"-2\"", "lower=\"2\""));
  BOOST_TEST(warns(crossed, {"file0.urdf:22", "<limit>", "joint 'shoulder'", "above"}));
  BOOST_TEST(std::isinf(crossed.joints.at(crossed.joint_index("shoulder")).upper));
  const std::string mesh =
      "<link name=\"base\"><visual><geometry><mesh filename=\"package://no/a.stl\"/></geometry>"
      "</visual><collision><geometry><mesh filename=\"b.stl\"/></geometry></collision></link>";
  BOOST_TEST(warns(robot_of(replaced(small_urdf, "<link name=\"base\"/>", mesh)),
                   {"file0.urdf:3", "2 of 2 meshes", "package://no/a.stl"}));
}

BOOST_AUTO_TEST_CASE(a_continuous_joint_takes_two_numbers_of_q) {
  const Robot robot = robot_of(replaced(small_urdf, "\"revolute\"", "\"continuous\""));
  BOOST_TEST(robot.nq() == 3);
  BOOST_TEST(robot.nv() == 2);
  const Joint& joint = robot.joints.at(robot.joint_index("shoulder"));
  BOOST_TEST(joint.continuous);
  BOOST_TEST(std::isinf(joint.upper));
  BOOST_TEST(joint.velocity == 3);
}

BOOST_AUTO_TEST_CASE(mimic_chains_are_followed_to_the_first_joint) {
  const std::string third =
      "<link name=\"finger\"><inertial><mass value=\"0.1\"/><inertia ixx=\"1e-4\" ixy=\"0\" "
      "ixz=\"0\" iyy=\"1e-4\" iyz=\"0\" izz=\"1e-4\"/></inertial></link><joint name=\"grip\" "
      "type=\"prismatic\"><parent link=\"hand\"/><child link=\"finger\"/><limit effort=\"1\" "
      "lower=\"0\" upper=\"1\" velocity=\"1\"/><mimic joint=\"slide\" multiplier=\"-2\" "
      "offset=\"0.5\"/></joint></robot>";
  std::string text = replaced(small_urdf, "</robot>", third);
  text = replaced(text, "<limit lower=\"0\"",
                  "<mimic joint=\"shoulder\" multiplier=\"3\" offset=\"0.1\"/><limit lower=\"0\"");
  const Robot robot = robot_of(text);
  BOOST_TEST(robot.nv() == 1);
  BOOST_TEST(robot.has_mimic());
  BOOST_TEST((robot.mimic - Vector3d(1, 3, -6)).norm() < 1e-15);
  BOOST_TEST((robot.mimic_offset - Vector3d(0, 0.1, 0.3)).norm() < 1e-15);
  BOOST_TEST(warns(robot, {"joint 'grip'", "follows joint 'shoulder'"}));

  // A locked leader takes its followers with it.
  const Robot locked = robot_of(text, {.lock = {{"slide", 0.1}}});
  BOOST_TEST(locked.num_bodies() == 1);
  BOOST_TEST(locked.links.size() == 3);
  const Link& finger = locked.links.at(2);
  const Matrix3d R = Eigen::AngleAxisd(0.3, Vector3d::UnitX()).toRotationMatrix();
  const Vector3d expected = Vector3d(0, 0, -0.6) + R * Vector3d(-2 * 0.1 + 0.5, 0, 0.1);
  BOOST_TEST((finger.translation - expected).norm() < 1e-15);
}

BOOST_AUTO_TEST_CASE(the_panda_with_locked_fingers_has_seven_joints) {
  const Robot robot = read_robot({.urdf = panda, .lock = {{"panda_finger_joint1", 0.02}}});
  BOOST_TEST(robot.nv() == 7);
  BOOST_TEST(robot.nq() == 7);
  BOOST_TEST(robot.joints.front().name == "panda_joint1");
  BOOST_TEST(robot.joints.back().name == "panda_joint7");
  BOOST_TEST(robot.joints.back().effort == 12);
  for (const Link& link : robot.links) {
    BOOST_TEST(link.name != "panda_link0");
    BOOST_TEST(is_consistent(central_from_parameters(link.pi).inertia), link.name);
  }
  for (const std::string& warning : robot.warnings) BOOST_TEST_MESSAGE(warning);

  const Robot open = read_robot({.urdf = panda});
  BOOST_TEST(open.nv() == 8);
  BOOST_TEST(open.nq() == 9);
  BOOST_TEST(open.has_mimic());
}

BOOST_AUTO_TEST_CASE(a_locale_with_decimal_commas_changes_nothing) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const Robot expected = robot_of(small_urdf);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const Robot robot = robot_of(small_urdf);
  std::locale::global(before);
  BOOST_TEST(robot.links.at(0).pi == expected.links.at(0).pi);
  BOOST_TEST(robot.joints.at(0).upper == expected.joints.at(0).upper);
}

BOOST_AUTO_TEST_CASE(a_joint_may_have_the_name_of_a_link_and_names_may_be_escaped) {
  const Robot robot = robot_of(replaced(replaced(small_urdf, "name=\"shoulder\"", "name=\"arm\""),
                                        "name=\"slide\"", "name=\"a&lt;b &amp; c\""));
  BOOST_TEST(robot.joint_index("arm") >= 0);
  BOOST_TEST(robot.joint_index("a<b & c") >= 0);
}

BOOST_AUTO_TEST_CASE(damaged_text_gives_a_robot_or_an_input_error,
                     *boost::unit_test::label("slow")) {
  std::mt19937 random(1);
  const std::string letters = "<>/\"'= 0129.-eEabx&;!\n";
  test::TempFolder folder;
  int num_refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = small_urdf;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text[at] = letters[random() % letters.size()];
      else
        text.erase(at, 1 + random() % 20);
    }
    const std::string file = (folder.path() / "damaged.urdf").string();
    std::ofstream(file, std::ios::binary) << text;
    try {
      const Robot robot = read_robot({.urdf = file});
      rewrite_urdf(file, {{robot.links.at(0).name, robot.links.at(0).pi}});
    } catch (const InputError& error) {
      ++num_refused;
      BOOST_TEST(std::string(error.what()).find("damaged.urdf:") != std::string::npos,
                 error.what());
    } catch (const std::exception& error) {
      BOOST_TEST(false, error.what() << " for\n" << text);
    }
  }
  BOOST_TEST(num_refused > 1000);
}

BOOST_AUTO_TEST_CASE(random_robots_load_and_their_links_add_up, *boost::unit_test::label("slow")) {
  // read_robot compares the sum of the links with Pinocchio's bodies itself.
  for (int seed = 0; seed < 100; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const Robot robot =
          robot_of(test::random_urdf(seed, {.num_joints = 1 + seed % 12, .mimic = seed % 2 == 0}));
      BOOST_TEST(robot.num_bodies() == 1 + seed % 12);
      BOOST_TEST(static_cast<int>(robot.links.size()) >= robot.num_bodies());
      BOOST_TEST(robot.mimic.rows() == robot.num_bodies());
    }
  }
}
