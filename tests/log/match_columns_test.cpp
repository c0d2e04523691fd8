// SPDX-License-Identifier: BSD-3-Clause
#include "log/match_columns.hpp"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "log/column_words.hpp"

using namespace bayesid;

namespace {

using Names = std::vector<std::string>;

const Names arm{"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint"};
const Names panda{"panda_joint1", "panda_joint2", "panda_joint3", "panda_finger_joint1"};

/// "channel<column:by" of every match, those of the same column in order.
Names matched(const Names& columns, const Names& joints, const Names& followers = {}) {
  const ColumnMatches found = match_columns({.names = columns, .on_request = {}},
                                            {.joints = joints, .followers = followers});
  Names out;
  for (const ColumnMatch& one : found.matches)
    out.push_back(one.channel + "<" + columns[one.column] + ":" + to_string(one.by));
  for (const UnclearColumn& one : found.unclear)
    out.push_back("?" + columns[one.column] + ": " + one.reason);
  return out;
}

void check(const Names& found, const Names& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_end_where_letters_change) {
  check(words_of("leftHip_pos2"), {"left", "hip", "pos", "2"});
  check(words_of("/joint_states/LF_HAA[10]"), {"joint", "states", "lf", "haa", "10"});
  check(words_of("v1 [deg/s]"), {"v", "1", "deg", "s"});
}

BOOST_AUTO_TEST_CASE(canonical_columns_need_no_match) {
  check(matched({"time", "q.a", "arm/v.a", "tau.a", "imu.base.ax", "contact.LF"}, {"a", "b"}),
        {"q.a<q.a:channel", "v.a<arm/v.a:channel", "tau.a<tau.a:channel",
         "imu.base.ax<imu.base.ax:channel", "contact.LF<contact.LF:channel"});
  check(matched({"q.a", "q.follower"}, {"a"}, {"follower"}),
        {"q.a<q.a:channel", "q.follower<q.follower:channel"});
}

BOOST_AUTO_TEST_CASE(columns_are_matched_by_name) {
  check(matched({"elbow.velocity", "tau_elbow", "/joint_states/elbow_joint/position"}, arm),
        {"v.elbow_joint<elbow.velocity:name", "tau.elbow_joint<tau_elbow:name",
         "q.elbow_joint</joint_states/elbow_joint/position:name"});
  check(matched({"q.shoulderPan", "ShoulderLiftCurrentPosition", "q.elbw"}, arm),
        {"q.shoulder_pan_joint<q.shoulderPan:name",
         "q.shoulder_lift_joint<ShoulderLiftCurrentPosition:name", "q.elbow_joint<q.elbw:similar"});
  check(matched({"robot_elbow_pos", "lift_pos"}, arm),
        {"q.elbow_joint<robot_elbow_pos:similar", "q.shoulder_lift_joint<lift_pos:similar"});
  check(matched({"shoulder_pos"}, arm), {"?shoulder_pos: several joints fit"});
  check(matched({"wrist_pos"}, arm), {"?wrist_pos: no joint has such a name"});
}

BOOST_AUTO_TEST_CASE(columns_are_matched_by_number) {
  check(matched({"joint1_pos", "joint2_pos", "joint3_pos"}, panda),
        {"q.panda_joint1<joint1_pos:number", "q.panda_joint2<joint2_pos:number",
         "q.panda_joint3<joint3_pos:number"});
  check(matched({"actual_q_0", "actual_q_1", "actual_q_2"}, panda),
        {"q.panda_joint1<actual_q_0:number", "q.panda_joint2<actual_q_1:number",
         "q.panda_joint3<actual_q_2:number"});
  check(matched({"position[0]", "position[1]", "position[2]"}, arm),
        {"q.shoulder_pan_joint<position[0]:order", "q.shoulder_lift_joint<position[1]:order",
         "q.elbow_joint<position[2]:order"});
  check(matched({"wheel_speed_1", "wheel_speed_2"}, {"joint1", "joint2"}),
        {"v.joint1<wheel_speed_1:similar", "v.joint2<wheel_speed_2:similar"});
  // Neither 0 … 2 nor 1 … 3: which one is missing?
  check(matched({"q0", "q1"}, panda),
        {"?q0: the joints are not counted like this", "?q1: the joints are not counted like this"});
  // The names of the joints are in another order than their numbers.
  check(matched({"q1", "q2"}, {"j2", "j1"}), {"q.j1<q1:number", "q.j2<q2:number"});
  check(matched({"left_1_q", "left_2_q"}, {"left_arm_1", "left_arm_2", "right_arm_1"}),
        {"q.left_arm_1<left_1_q:number", "q.left_arm_2<left_2_q:number"});
}

BOOST_AUTO_TEST_CASE(what_is_measured_goes_before_commands_and_currents) {
  check(
      matched({"target_q_0", "actual_q_0", "actual_qd_0", "actual_current_0", "actual_TCP_pose_0"},
              {"pivot"}),
      {"q.pivot<actual_q_0:order", "v.pivot<actual_qd_0:order",
       "tau.pivot<actual_current_0:order"});
  check(matched({"torque_cmd_1", "current_1"}, {"pivot"}), {"tau.pivot<current_1:order"});
  check(matched({"torque_cmd_1"}, {"pivot"}), {"?torque_cmd_1: its name is that of a command"});
  check(matched({"elbow_pos", "elbow_angle"}, arm),
        {"?elbow_pos: several columns fit", "?elbow_angle: several columns fit"});
  const ColumnMatches found =
      match_columns({.names = {"current_1", "vel_1_deg_s"}, .on_request = {}}, {.joints = {"a"}});
  BOOST_TEST(found.find("tau.a")->is_current);
  BOOST_TEST(found.find("v.a")->is_degrees);
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_likeliest_column) {
  const Names columns{"ros_time_stamp", "t", "stamp_nsec"};
  const ColumnMatches found =
      match_columns({.names = columns, .on_request = {}}, {.joints = {"a"}});
  BOOST_TEST(found.times == (std::vector<std::size_t>{1, 0, 2}), boost::test_tools::per_element());
}
