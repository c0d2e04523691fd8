// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "bayesid/config.hpp"
#include "support/input_error.hpp"
#include "support/oracle.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::Axes;
using bayesid::Config;
using bayesid::ConstraintType;
using bayesid::test::input_error;
using bayesid::test::TempFolder;
using Vector3 = std::array<double, 3>;

Config read(const std::string& text) {
  const TempFolder folder;
  return bayesid::read_config(folder.write("robot.yaml", text));
}

struct Case {
  std::string text;
  std::string message;  // after the folder: file, line, key, remedy
};

void check(const std::string& head, const std::vector<Case>& cases) {
  const TempFolder folder;
  for (const Case& one : cases) {
    const std::string file = folder.write("robot.yaml", head + one.text);
    const std::string message = input_error([&] { bayesid::read_config(file); });
    BOOST_TEST(message == folder.path().string() + "/robot.yaml:" + one.message);
  }
}

/// Three lines, so that what follows starts at line 4.
std::string model() {
  return "schema: 1\nmodel:\n  urdf: robot.urdf\n";
}

/// Two contacts and a log, in six lines, so that what follows starts at line 7.
std::string log() {
  return model() +
         "  contacts: [{name: LF, frame: LF_FOOT}, {name: RF, frame: RF_FOOT}]\n"
         "logs:\n"
         "  - file: a.csv\n";
}

/// Every key of contacts, loops and what goes with them, none at its default.
std::string everything() {
  return "schema: 1\n"
         "model:\n"
         "  urdf: robot.urdf\n"
         "  base: floating\n"
         "  gravity: [0.1, 0, -9.8]\n"
         "  lock: {gripper: 0.1}\n"
         "  repair_inertias: false\n"
         "  contacts:\n"
         "    - {name: LF, frame: LF_FOOT, type: frame, axes: local, kp: 100, kd: 20}\n"
         "    - {name: \"null\", frame: \"right: foot\", type: point, axes: world_aligned, "
         "keep: [z]}\n"
         "  loops:\n"
         "    - name: knee_bar\n"
         "      type: frame\n"
         "      body1: {link: crank, xyz: [0, 0, -0.1], rpy: [0.1, 0.2, 0.3]}\n"
         "      body2: {link: coupler, xyz: [1, 2, 3], rpy: [-0.1, 0, 0]}\n"
         "      axes: world_aligned\n"
         "      keep: [x, z, ry]\n"
         "      kp: 1600\n"
         "      kd: 80\n"
         "    - {name: plain, body1: {link: a}, body2: {link: b}}\n"
         "  actuation:\n"
         "    joints: [a, b]\n"
         "    drives: [{name: motor6, joints: {joint_5: 1, joint_6: -1}}]\n"
         "logs:\n"
         "  - file: run.csv\n"
         "    columns: {contact.LF: {source: left, scale: 2, sign: -1, offset: 1}}\n"
         "    joint_order: [a, b]\n"
         "    rate: 500\n"
         "    phases:\n"
         "      - {from: -1, to: 2, contacts: [LF, \"null\"]}\n"
         "      - {from: 2, to: 2.5, contacts: []}\n"
         "    impacts: [{time: 2.5, contacts: [\"null\"], restitution: 0.25, slip: 0.1, twist: "
         "0.01}]\n"
         "  - file: other.csv\n"
         "measurements:\n"
         "  position: 1e-3\n"
         "  velocity: [0.1, 0.2]\n"
         "  effort: {a: 2}\n"
         "  pose.tool0: {position: 1e-3, orientation: 2e-3}\n"
         "  pose.base: {orientation: 0.01}\n"
         "disturbance: {position: 1e-5, velocity: 1e-4, projection: none}\n"
         "initial_state: {position: 1, velocity: 2, mean: {q.a: 0.5}, on_constraints: false}\n"
         "parameters:\n"
         "  inertia: {links: [crank], std: {log_mass: 0.1, first_moment: 0.2}}\n"
         "  friction: {joints: [a], terms: [viscous], prior: {viscous: 2}, std: {viscous: 1}}\n"
         "  armature: {joints: [a], prior: {a: 0.01}, std: 0.7}\n"
         "  effort_gain: {std: 0.1}\n"
         "  effort_offset: {std: 0.2}\n"
         "  gear_ratio: {joints: [b], std: 0.3}\n"
         "  set: {inertia.crank.hx: fixed, inertia.crank.hy: {prior: 1, std: 2}}\n"
         "constraints: {bounds: {friction.a.viscous: [0, .inf]}}\n"
         "solver: {dynamics: forward, integrator: constant_acceleration, max_iterations: 7, "
         "tolerance: 1e-8}\n"
         "simulation: {duration: 2, rate: 100, substeps: 7, logs: 3, harmonics: 4, base_frequency: "
         "0.2, "
         "amplitude: 0.3, prior_error: 0.1, gait: {type: trot, period: 0.5, step_length: 0.1, "
         "step_height: 0.08, body_motion: 0.01}}\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(config_contacts_and_loops_have_the_documented_defaults) {
  const Config config = read(model() +
                             "  contacts: [{name: LF, frame: LF_FOOT}]\n"
                             "  loops: [{name: bar, body1: {link: a}, body2: {link: b}}]\n");
  const bayesid::ContactConfig& contact = config.model.contacts.at(0);
  BOOST_TEST(contact.name == "LF");
  BOOST_TEST(contact.frame == "LF_FOOT");
  BOOST_TEST((contact.type == ConstraintType::point));
  BOOST_TEST((contact.axes == Axes::world_aligned));
  BOOST_TEST(contact.keep.empty());
  BOOST_TEST(contact.kp == 0);
  BOOST_TEST(contact.kd == 0);
  const bayesid::LoopConfig& loop = config.model.loops.at(0);
  BOOST_TEST(loop.name == "bar");
  BOOST_TEST((loop.type == ConstraintType::point));
  BOOST_TEST((loop.axes == Axes::local));
  BOOST_TEST(loop.body1.link == "a");
  BOOST_TEST(loop.body2.link == "b");
  BOOST_TEST((loop.body1.xyz == Vector3{} && loop.body1.rpy == Vector3{}));
  BOOST_TEST(loop.keep.empty());
  BOOST_TEST(loop.kp == 0);
}

BOOST_AUTO_TEST_CASE(config_contacts_and_loops_are_read) {
  const bayesid::ModelConfig robot = read(everything()).model;
  BOOST_TEST(robot.floating_base);
  BOOST_REQUIRE(robot.contacts.size() == 2u);
  BOOST_TEST((robot.contacts[0].type == ConstraintType::frame));
  BOOST_TEST((robot.contacts[0].axes == Axes::local));
  BOOST_TEST(robot.contacts[0].kp == 100);
  BOOST_TEST(robot.contacts[0].kd == 20);
  BOOST_TEST(robot.contacts[0].keep.empty());
  BOOST_TEST(robot.contacts[1].name == "null");
  BOOST_TEST((robot.contacts[1].keep == std::vector<std::string>{"z"}));
  BOOST_TEST(robot.contacts[1].frame == "right: foot");
  BOOST_REQUIRE(robot.loops.size() == 2u);
  const bayesid::LoopConfig& loop = robot.loops[0];
  BOOST_TEST((loop.type == ConstraintType::frame));
  BOOST_TEST((loop.axes == Axes::world_aligned));
  BOOST_TEST((loop.body1.xyz == Vector3{0, 0, -0.1}));
  BOOST_TEST((loop.body1.rpy == Vector3{0.1, 0.2, 0.3}));
  BOOST_TEST((loop.body2.xyz == Vector3{1, 2, 3}));
  BOOST_TEST((loop.keep == std::vector<std::string>{"x", "z", "ry"}));
  BOOST_TEST(loop.kp == 1600);
  BOOST_TEST(loop.kd == 80);
}

BOOST_AUTO_TEST_CASE(config_phases_impacts_and_poses_are_read) {
  const Config config = read(everything());
  const bayesid::LogConfig& first = config.logs.at(0);
  BOOST_REQUIRE(first.phases.size() == 2u);
  BOOST_TEST(first.phases[0].from == -1);
  BOOST_TEST(first.phases[0].to == 2);
  BOOST_TEST((first.phases[0].contacts == std::vector<std::string>{"LF", "null"}));
  BOOST_TEST(first.phases[1].contacts.empty());
  BOOST_REQUIRE(first.impacts.size() == 1u);
  BOOST_TEST(first.impacts[0].time == 2.5);
  BOOST_TEST(first.impacts[0].contacts.at(0) == "null");
  BOOST_TEST(first.impacts[0].restitution == 0.25);
  BOOST_TEST(first.impacts[0].slip == 0.1);
  BOOST_TEST(first.impacts[0].twist == 0.01);
  BOOST_TEST(config.logs.at(1).phases.empty());

  BOOST_TEST(config.measurements.poses.size() == 2u);
  BOOST_TEST(config.measurements.poses.at("tool0").position.value() == 1e-3);
  BOOST_TEST(config.measurements.poses.at("tool0").orientation.value() == 2e-3);
  BOOST_TEST(!config.measurements.poses.at("base").position.has_value());
  BOOST_TEST(config.measurements.poses.at("base").orientation.value() == 0.01);
}

BOOST_AUTO_TEST_CASE(config_gait_is_read) {
  const bayesid::GaitConfig trot = read(everything()).simulation.gait.value();
  BOOST_TEST(trot.type == "trot");
  BOOST_TEST(trot.period == 0.5);
  BOOST_TEST(trot.step_length == 0.1);
  BOOST_TEST(trot.step_height == 0.08);
  BOOST_TEST(trot.body_motion == 0.01);

  const bayesid::GaitConfig stand =
      read(model() + "simulation: {gait: {}}\n").simulation.gait.value();
  BOOST_TEST(stand.type == "stand");
  BOOST_TEST(stand.period == 0.6);
  BOOST_TEST(stand.step_length == 0.05);
  BOOST_TEST(stand.step_height == 0.05);
  BOOST_TEST(stand.body_motion == 0.03);
}

BOOST_AUTO_TEST_CASE(config_yaml_is_read_back_as_the_same_configuration) {
  const TempFolder folder;
  const std::string place = folder.path().string();
  const Config config = bayesid::read_config(folder.write("robot.yaml", everything()));
  const std::string text = bayesid::config_yaml(config, place);
  const Config again = bayesid::read_config(folder.write("again.yaml", text));
  BOOST_TEST(bayesid::config_yaml(again, place) == text);
  // The text would not show what the writer leaves out; one line for each key that it must write.
  for (const char* line :
       {"  base: floating\n",
        "    - {name: LF, frame: LF_FOOT, type: frame, axes: local, kp: 100, kd: 20}\n",
        "    - {name: \"null\", frame: \"right: foot\", type: point, axes: world_aligned, keep: "
        "[z], kp: 0, kd: 0}\n",
        "    - name: knee_bar\n      type: frame\n",
        "      body1: {link: crank, xyz: [0, 0, -0.1], rpy: [0.1, 0.2, 0.3]}\n",
        "      body2: {link: coupler, xyz: [1, 2, 3], rpy: [-0.1, 0, 0]}\n",
        "      axes: world_aligned\n      keep: [x, z, ry]\n      kp: 1600\n      kd: 80\n",
        "    - name: plain\n      type: point\n",
        "      - {name: motor6, joints: {joint_5: 1, joint_6: -1}}\n",
        "      - {from: -1, to: 2, contacts: [LF, \"null\"]}\n",
        "      - {from: 2, to: 2.5, contacts: []}\n",
        "      - {time: 2.5, contacts: [\"null\"], restitution: 0.25, slip: 0.1, twist: 0.01}\n",
        "  pose.base: {orientation: 0.01}\n",
        "  pose.tool0: {position: 0.001, orientation: 0.002}\n", "  projection: none\n",
        "  on_constraints: false\n", "  dynamics: forward\n",
        "  integrator: constant_acceleration\n",
        "  gait: {type: trot, period: 0.5, step_length: 0.1, step_height: 0.08, body_motion: "
        "0.01}\n"}) {
    BOOST_TEST(text.find(line) != text.npos, line);
  }
}

BOOST_AUTO_TEST_CASE(config_of_a_four_bar_is_accepted, *boost::unit_test::label("needs_oracle") *
                                                           bayesid::test::needs_shared("oracle")) {
  const std::string folder = bayesid::test::shared_folder("oracle/four_bar");
  const Config config = bayesid::read_config(folder + "/config.yaml");
  const bayesid::LoopConfig& loop = config.model.loops.at(0);
  BOOST_TEST(loop.body1.link == "coupler");
  BOOST_TEST(loop.body2.xyz[1] == 0.02);
  BOOST_TEST((loop.keep == std::vector<std::string>{"x", "z"}));
  BOOST_TEST(loop.kp == 1600);
  BOOST_TEST(config.initial_state.on_constraints);
}

BOOST_AUTO_TEST_CASE(config_json_with_a_loop_is_accepted) {
  const Config config = read(
      "{\n \"schema\": 1,\n \"model\": {\n  \"urdf\": \"model.urdf\",\n  \"base\": \"fixed\",\n"
      "  \"loops\": [\n   {\n    \"name\": \"loop\",\n    \"type\": \"point\",\n"
      "    \"axes\": \"world_aligned\",\n    \"keep\": [\n     \"x\",\n     \"z\"\n    ],\n"
      "    \"kp\": 1600.0,\n    \"kd\": 80.0,\n"
      "    \"body1\": {\n     \"link\": \"coupler\",\n     \"xyz\": [\n      0.4,\n      0,\n"
      "      0\n     ]\n    },\n    \"body2\": {\n     \"link\": \"rocker\"\n    }\n   }\n  ]\n "
      "},\n"
      " \"disturbance\": {\n  \"projection\": \"dynamic\"\n }\n}");
  BOOST_TEST((config.model.loops.at(0).axes == Axes::world_aligned));
  BOOST_TEST(config.model.loops.at(0).body1.xyz[0] == 0.4);
  BOOST_TEST(config.model.loops.at(0).keep.at(1) == "z");
}

BOOST_AUTO_TEST_CASE(config_names_of_contacts_and_loops_differ) {
  const std::string loops =
      "  loops:\n"
      "    - {name: bar, body1: {link: a}, body2: {link: b}}\n";
  check(model(),
        {
            {"  contacts:\n"
             "    - {name: LF, frame: LF_FOOT}\n"
             "    - {name: RF, frame: RF_FOOT}\n"
             "    - {name: LF, frame: LH_FOOT}\n",
             "7: model.contacts[2].name is LF, which is the name of model.contacts[0] too"},
            {loops + "    - {name: bar, body1: {link: a}, body2: {link: c}}\n",
             "6: model.loops[1].name is bar, which is the name of model.loops[0] too"},
            {loops + "  contacts: [{name: bar, frame: foot}]\n",
             "5: model.loops[0].name is bar, which is the name of model.contacts[0] too"},
        });
}

BOOST_AUTO_TEST_CASE(config_loops_keep_rows_of_their_type_and_join_two_links) {
  const std::string bodies = "body1: {link: a}, body2: {link: b}";
  check(model() + "  loops:\n",
        {
            {"    - name: bar\n      body1: {link: a}\n      body2:\n        link: a\n",
             "8: model.loops[0].body2.link is a, the same as that of body1"},
            {"    - {name: bar, " + bodies + ",\n       keep: [x, rz]}\n",
             "6: model.loops[0].keep[1] is rz, a loop of type point has x, y and z only"},
            {"    - {name: bar, " + bodies + ", type: point, keep: [rx]}\n",
             "5: model.loops[0].keep[0] is rx, a loop of type point has x, y and z only"},
            {"    - {name: bar, " + bodies + ", type: frame, keep: [x, ry, x]}\n",
             "5: model.loops[0].keep[2] is x, which the list has already"},
            {"    - {name: bar, " + bodies + ", keep: []}\n",
             "5: model.loops[0].keep has 0 values, must have at least 1"},
            {"    - {name: bar, " + bodies + ", keep: [w]}\n",
             "5: model.loops[0].keep[0] is w, must be x, y, z, rx, ry or rz, did you mean x?"},
            {"    - {name: bar, " + bodies + ", kp: -1}\n",
             "5: model.loops[0].kp is -1, must be at least 0"},
            {"    - {name: bar, body1: {link: a}}\n", "5: model.loops[0].body2 is missing"},
        });
  check(model(), {
                     {"  contacts: [{name: LF}]\n", "4: model.contacts[0].frame is missing"},
                     {"  contacts: [{name: LF, frame: a, type: pont}]\n",
                      "4: model.contacts[0].type is pont, must be point or frame, did you mean "
                      "point?"},
                     {"  contacts: [{name: LF, frame: a, keep: [z, ry]}]\n",
                      "4: model.contacts[0].keep[1] is ry, a contact of type point has x, y and z "
                      "only"},
                     {"  contacts: [{name: LF, frame: a, keep: [z, z]}]\n",
                      "4: model.contacts[0].keep[1] is z, which the list has already"},
                     {"  contacts: [{name: LF, frame: a, keep: [w]}]\n",
                      "4: model.contacts[0].keep[0] is w, must be x, y, z, rx, ry or rz, did you "
                      "mean x?"},
                 });
}

BOOST_AUTO_TEST_CASE(config_phases_have_times_that_fit) {
  check(log() + "    phases:\n",
        {
            {"      - {from: 2, to: 1.5, contacts: [LF]}\n",
             "8: logs[0].phases[0].to is 1.5, must be larger than from (2)"},
            {"      - {from: 2, to: 2, contacts: [LF]}\n",
             "8: logs[0].phases[0].to is 2, must be larger than from (2)"},
            {"      - {from: 0, to: 2, contacts: [LF]}\n"
             "      - {from: 1.5, to: 3, contacts: [RF]}\n",
             "9: logs[0].phases[1] (1.5 s to 3 s) overlaps logs[0].phases[0] (0 s to 2 s)"},
            {"      - {from: 4, to: 5, contacts: [LF]}\n"
             "      - {from: 0, to: 2, contacts: [LF]}\n"
             "      - {from: 1, to: 4.5, contacts: [RF]}\n",
             "10: logs[0].phases[2] (1 s to 4.5 s) overlaps logs[0].phases[1] (0 s to 2 s)"},
            {"      - {from: 0, to: 2, contacts: [LF]}\n"
             "      - {from: 0, to: 2, contacts: [LF]}\n",
             "9: logs[0].phases[1] (0 s to 2 s) overlaps logs[0].phases[0] (0 s to 2 s)"},
            {"      - {from: 0, contacts: [LF]}\n", "8: logs[0].phases[0].to is missing"},
        });
}

BOOST_AUTO_TEST_CASE(config_phases_may_touch_and_come_in_any_order) {
  const Config config = read(log() +
                             "    phases:\n"
                             "      - {from: 2, to: 3, contacts: [LF]}\n"
                             "      - {from: 0, to: 2.0000000000000004, contacts: [LF, RF]}\n");
  BOOST_TEST(config.logs.at(0).phases.size() == 2u);
}

BOOST_AUTO_TEST_CASE(config_phases_and_impacts_name_contacts_of_the_model_once) {
  const std::string phase = "    phases:\n      - {from: 0, to: 1, contacts: ";
  const std::string impact = "    impacts:\n      - {time: 1, contacts: ";
  check(log(),
        {
            {phase + "[LF, RFF]}\n",
             "8: logs[0].phases[0].contacts[1] is RFF, which is not in model.contacts, did you "
             "mean RF?"},
            {phase + "[gripper]}\n",
             "8: logs[0].phases[0].contacts[0] is gripper, which is not in model.contacts, "
             "expected one of LF, RF"},
            {phase + "[LF, RF, LF]}\n",
             "8: logs[0].phases[0].contacts[2] is LF, which the list has already"},
            {impact + "[RFF]}\n",
             "8: logs[0].impacts[0].contacts[0] is RFF, which is not in model.contacts, did you "
             "mean RF?"},
            {impact + "[LF, LF]}\n",
             "8: logs[0].impacts[0].contacts[1] is LF, which the list has already"},
        });
  check(model() + "logs:\n  - file: a.csv\n",
        {{phase + "[LF]}\n",
          "7: logs[0].phases[0].contacts[0] is LF, which is not in model.contacts, there are "
          "none"}});
}

BOOST_AUTO_TEST_CASE(config_impacts_have_a_restitution_and_a_time_of_their_own) {
  check(log() + "    impacts:\n",
        {
            {"      - {time: 1, contacts: [LF], restitution: 1.5}\n",
             "8: logs[0].impacts[0].restitution is 1.5, must be at least 0 and at most 1"},
            {"      - {time: 1, contacts: [LF], restitution: -0.1}\n",
             "8: logs[0].impacts[0].restitution is -0.1, must be at least 0 and at most 1"},
            {"      - {time: 1, contacts: [LF]}\n"
             "      - {time: 1, contacts: [RF, LF]}\n",
             "9: logs[0].impacts[1].contacts[1] is LF, which has an impact at 1 s in "
             "logs[0].impacts[0] too"},
        });
  const Config config = read(log() +
                             "    impacts:\n"
                             "      - {time: 1, contacts: [LF], restitution: 1}\n"
                             "      - {time: 1, contacts: [RF]}\n"
                             "      - {time: 2, contacts: [LF]}\n");
  BOOST_TEST(config.logs.at(0).impacts.size() == 3u);
}

BOOST_AUTO_TEST_CASE(config_impacts_slip_along_rows_that_no_contact_keeps) {
  const std::string impacts = "    impacts:\n      - {time: 1, contacts: [LF], ";
  check(
      log(),
      {
          {impacts + "slip: 0}\n", "8: logs[0].impacts[0].slip is 0, must be > 0"},
          {impacts + "slip: -1}\n", "8: logs[0].impacts[0].slip is -1, must be > 0"},
          {impacts + "slip: much}\n", "8: logs[0].impacts[0].slip is much, must be a number > 0"},
          {impacts + "twist: 0}\n", "8: logs[0].impacts[0].twist is 0, must be > 0"},
          {impacts + "slide: 1}\n", "8: unknown key logs[0].impacts[0].slide, did you mean slip?"},
          {impacts + "slip: 0.1}\n",
           "8: logs[0].impacts[0].slip is 0.1, but contact LF keeps x, y and z: no axis "
           "is left to slip; list the constrained ones with keep, [z] for a plate"},
      });
  // A point never keeps turns.
  BOOST_TEST(read(log() + impacts + "twist: 0.1}\n").logs.at(0).impacts.at(0).twist == 0.1);
}

BOOST_AUTO_TEST_CASE(config_pose_has_a_position_or_an_orientation) {
  check(model() + "measurements:\n",
        {
            {"  pose.tool0: {}\n", "5: measurements.pose.tool0 needs position or orientation"},
            {"  pose.tool0:\n", "5: measurements.pose.tool0 needs position or orientation"},
            {"  pose.tool0: {position: 0}\n",
             "5: measurements.pose.tool0.position is 0, must be > 0"},
            {"  pose.tool0: {positon: 1}\n",
             "5: unknown key measurements.pose.tool0.positon, did you mean position?"},
            {"  pose.tool0: 1e-3\n", "5: measurements.pose.tool0 is 1e-3, must be a map"},
        });
}
