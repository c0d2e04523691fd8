// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/init.hpp"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "bayesid/check.hpp"
#include "pipeline/init_case.hpp"

using namespace bayesid;
using bayesid::test::canonical;
using bayesid::test::changed;
using bayesid::test::csv_of;
using bayesid::test::degrees;
using bayesid::test::Drafted;
using bayesid::test::LogColumn;
using bayesid::test::replaced;
using bayesid::test::turning_urdf;

BOOST_AUTO_TEST_CASE(init_asks_about_currents_and_efforts_that_the_model_contradicts) {
  const Drafted current(csv_of(changed({{"tau.elbow", {"current_2", "tau.elbow", 0.1}},
                                        {"tau.shoulder", {"current_1", "tau.shoulder", 0.1}}})));
  const DraftQuestion question = current.question("current");
  BOOST_TEST(question.lines.size() == 2U);
  // The model is right: ten to two digits, less what friction adds.
  BOOST_TEST(question.lines[0].starts_with("tau.shoulder: {source: current_1, scale: "));
  BOOST_TEST(current.has("times the model's prediction (correlation "), current.draft.text);
  BOOST_TEST(!current.config().logs.at(0).columns.contains("tau.elbow"));

  const Drafted raw(csv_of(changed({{"tau.shoulder", {"tau.shoulder", "tau.shoulder", 100}}})));
  BOOST_TEST(raw.question("tau").candidates == std::vector<std::string>{"tau.shoulder"});
  const Drafted sign(csv_of(changed({{"tau.shoulder", {"tau.shoulder", "tau.shoulder", -1}}})));
  BOOST_TEST(sign.question("tau").lines.at(0).starts_with(
      "tau.shoulder: {source: tau.shoulder, sign: -1}"));
}

BOOST_AUTO_TEST_CASE(init_asks_about_joints_that_no_column_names) {
  const Drafted arm(csv_of({{"time", "time"},
                            {"q.shoulder", "q.shoulder"},
                            {"tau.shoulder", "tau.shoulder"},
                            {"wrist_pos", "q.elbow"}}));
  BOOST_TEST(arm.question("model.lock").lines.at(0) == "lock: {elbow: 0}");
  BOOST_TEST(arm.question("q").lines.at(0) == "q.elbow: wrist_pos");
  BOOST_TEST(arm.config().model.lock.empty());
  // The answer, without its mark, is a configuration that works.
  const std::string answered = replaced(arm.draft.text, "  # lock:", "  lock:");
  const Config config = read_config(arm.folder.write("answered.yaml", answered));
  BOOST_TEST(check(config).problems.empty());
}

BOOST_AUTO_TEST_CASE(init_locks_fingers_that_the_log_lacks) {
  std::string urdf = turning_urdf();
  for (std::size_t at = 0; (at = urdf.find("elbow", at)) != std::string::npos;)
    urdf.replace(at, 5, "finger_joint");
  const Drafted arm(
      csv_of({{"time", "time"}, {"q.shoulder", "q.shoulder"}, {"tau.shoulder", "tau.shoulder"}}),
      urdf);
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  BOOST_TEST(arm.config().model.lock.at("finger_joint") == 0);
  BOOST_TEST(check(arm.config()).problems.empty());
}

BOOST_AUTO_TEST_CASE(init_asks_about_the_base_and_its_sensors) {
  const std::string urdf = replaced(turning_urdf(), R"(<link name="base"/>)",
                                    R"(<link name="base"><inertial><mass value="7"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)");
  std::vector<LogColumn> columns = canonical;
  for (const char* name : {"pose.base.px", "pose.base.py", "pose.base.pz", "imu.head.ax",
                           "imu.head.ay", "imu.head.az", "contact.hand", "contact.foot"})
    columns.push_back({name, "time", 0});
  const Drafted arm(csv_of(columns), urdf);
  BOOST_TEST(arm.question("model.base").lines.at(0) == "base: floating");
  BOOST_TEST(arm.question("model.base").text.find("7 kg") != std::string::npos);
  BOOST_TEST(arm.question("measurements.pose.base").lines.at(0) == "pose.base: {position: auto}");
  BOOST_TEST(arm.question("measurements.imu.head").lines.at(0).find("link: <link>") !=
             std::string::npos);
  BOOST_TEST(arm.question("model.contacts").candidates == std::vector<std::string>{"contact.foot"});
  const Config config = arm.config();
  BOOST_TEST(!config.model.floating_base);
  BOOST_TEST(config.model.contacts.at(0).frame == "hand");
}

BOOST_AUTO_TEST_CASE(init_asks_whether_a_wheel_turned_often_or_counts_degrees) {
  const std::string urdf = replaced(
      replaced(turning_urdf(), R"("elbow" type="revolute")", R"("elbow" type="continuous")"),
      R"(lower="-2" upper="2" effort)", "effort");
  const Drafted arm(csv_of(changed({{"q.elbow", {"q.elbow", "q.elbow", 100}},
                                    {"v.elbow", {"v.elbow", "v.elbow", 100}}})),
                    urdf);
  BOOST_TEST(arm.question("q.elbow").text.find("is it in degrees?") != std::string::npos);
  BOOST_TEST(!arm.config().logs.at(0).columns.contains("q.shoulder"));
}

BOOST_AUTO_TEST_CASE(init_takes_torque_sensors_by_their_names) {
  std::vector<LogColumn> columns = canonical;
  columns.push_back({"torque.elbow", "tau.elbow"});
  const Drafted arm(csv_of(columns));
  BOOST_TEST(arm.draft.questions.empty(), arm.draft.text);
  BOOST_TEST(arm.config().measurements.joint_sensors.contains("torque"));
  BOOST_TEST(check(arm.config()).problems.empty());
}

BOOST_AUTO_TEST_CASE(init_asks_about_channels_of_joints_that_are_not_there) {
  std::vector<LogColumn> columns = canonical;
  columns.push_back({"q.gripper", "time"});
  const Drafted arm(csv_of(columns));
  BOOST_TEST(arm.question("columns").candidates == std::vector<std::string>{"q.gripper"});
}
