// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <vector>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using test::replaced;
using test::small_urdf;

namespace {

/// The sentence read_robot throws, with the file's path cut to its name; empty when it does not.
std::string error_of(const std::string& text, ModelConfig config = {}) {
  test::TempFolder folder;
  config.urdf = folder.temp_file(text, ".urdf");
  try {
    read_robot(config);
  } catch (const InputError& error) {
    const std::string sentence = error.what();
    const std::string path = folder.path().string() + "/";
    const std::size_t at = sentence.find(path);
    BOOST_TEST(at != std::string::npos, "names no file: " << sentence);
    return std::string(sentence).erase(at, path.size());
  }
  return "";
}

/// A change to the small robot and the expected error.
struct Case {
  std::string from, to;
  std::vector<std::string> parts;
};

void check(const Case& c) {
  const std::string sentence = error_of(replaced(small_urdf, c.from, c.to));
  for (const std::string& part : c.parts)
    BOOST_TEST(sentence.find(part) != std::string::npos,
               "'" << c.to << "' gave '" << sentence << "' without '" << part << "'");
}

const std::string second_parent =
    R"(<joint name="bar" type="fixed"><parent link="base"/><child link="hand"/></joint></robot>)";

}  // namespace

BOOST_AUTO_TEST_CASE(the_small_robot_is_without_fault) {
  BOOST_TEST(error_of(small_urdf) == "");
}

BOOST_AUTO_TEST_CASE(numbers_are_read_strictly) {
  for (const std::string bad : {"nan", "abc", "1,5", "1e400", "inf", "1.5kg", "", "1 2", "0x10"})
    check({"2.5", bad, {"file0.urdf:7", "<mass", "link 'arm'"}});
  check({"xyz=\"0.1 0.02 -0.3\"", "xyz=\"0.1 0.02\"", {":6", "<origin xyz=", "three"}});
  check({"rpy=\"0.1 0.2 0.3\"", "rpy=\"0.1,0.2,0.3\"", {":6", "<origin rpy=", "link 'arm'"}});
  check({"ixx=\"0.03\"", "ixx=\"0.03.\"", {":8", "<inertia ixx=", "link 'arm'"}});
  check({"ixx=\"0.03\" ", "", {":8", "<inertia>", "'ixx'", "link 'arm'"}});
  check({"xyz=\"0 1 0\"", "xyz=\"0 one 0\"", {":21", "<axis xyz=", "joint 'shoulder'"}});
  check({"upper=\"1.5\"", "upper=\"2*pi\"", {":22", "<limit upper=", "joint 'shoulder'"}});
  check({"<mass value=\"2.5\"/>", "", {":5", "<inertial>", "<mass>", "link 'arm'"}});
}

BOOST_AUTO_TEST_CASE(numbers_may_have_blanks_and_a_plus_sign) {
  BOOST_TEST(error_of(replaced(small_urdf, "0.1 0.02 -0.3", " +0.1  0.02\n -.3e0 ")) == "");
}

BOOST_AUTO_TEST_CASE(a_negative_mass_is_an_error) {
  check({"2.5", "-2.5", {"file0.urdf:7", "<mass value=\"-2.5\">", "link 'arm'", "negative"}});
}

BOOST_AUTO_TEST_CASE(a_moving_body_without_mass_is_an_error) {
  check({"<mass value=\"0.5\"/>", "<mass value=\"0\"/>", {":12", "'hand'", "'slide'", "mass"}});
  const std::string inertial =
      small_urdf.substr(small_urdf.find("    <inertial>\n      <mass value=\"0.5"),
                        small_urdf.find("  </link>\n  <joint") -
                            small_urdf.find("    <inertial>\n      <mass value=\"0.5"));
  check({inertial, "", {"file0.urdf:11", "link 'hand'", "joint 'slide'", "model.lock"}});
}

BOOST_AUTO_TEST_CASE(an_inconsistent_inertia_is_an_error_unless_it_may_be_repaired) {
  const ModelConfig strict{.repair_inertias = false};
  const std::string sentence =
      error_of(replaced(small_urdf, "iyy=\"0.04\"", "iyy=\"0.4\""), strict);
  for (const std::string part : {"file0.urdf:5", "<inertia>", "link 'arm'", "0.4", "repair"})
    BOOST_TEST(sentence.find(part) != std::string::npos, sentence);
}

BOOST_AUTO_TEST_CASE(a_zero_axis_is_an_error) {
  check({"xyz=\"0 1 0\"", "xyz=\"0 0 0\"", {"file0.urdf:21", "<axis", "joint 'shoulder'", "zero"}});
}

BOOST_AUTO_TEST_CASE(a_link_with_two_parents_is_sent_to_model_loops) {
  check({"</robot>", second_parent, {":32", "'hand'", "two parents", "'slide'", "`model.loops`"}});
}

BOOST_AUTO_TEST_CASE(the_links_must_form_one_tree) {
  check({"</robot>", "<link name=\"lost\"/></robot>", {":32", "'lost'", "second root", "'base'"}});
  check({"<parent link=\"base\"/>",
         "<parent link=\"hand\"/>",
         {"cycle", "joint '", "`model.loops`", "file0.urdf:"}});
  check({"<parent link=\"base\"/>",
         "<parent link=\"bass\"/>",
         {":18", "<parent link=\"bass\">", "'shoulder'", "did you mean 'base'"}});
  check({"<child link=\"hand\"/>", "<child link=\"paw\"/>", {":27", "<child", "no link 'paw'"}});
  check({"<child link=\"hand\"/>", "", {":25", "<joint> of joint 'slide'", "<child>"}});
  check({"</robot>", "<link name=\"arm\"/></robot>", {":32", "link 'arm'", "line 4"}});
  check({"name=\"slide\"", "name=\"shoulder\"", {":25", "joint 'shoulder'", "line 17"}});
}

BOOST_AUTO_TEST_CASE(a_mimic_needs_a_joint_that_moves) {
  const std::string at = "<limit lower=\"0\"";
  check({at, "<mimic joint=\"sholder\"/>" + at, {":30", "<mimic", "'slide'", "mean 'shoulder'"}});
  check({at, "<mimic joint=\"slide\"/>" + at, {":30", "<mimic", "'slide'", "cycle"}});
  check({at, "<mimic/>" + at, {":30", "<mimic>", "'joint'", "joint 'slide'"}});
}

BOOST_AUTO_TEST_CASE(joints_that_cannot_be_used_are_named) {
  check(
      {"type=\"prismatic\"", "type=\"floating\"", {":25", "'slide'", "floating", "not supported"}});
  check({"type=\"prismatic\"", "type=\"planar\"", {":25", "'slide'", "planar", "not supported"}});
  check({"type=\"prismatic\"", "type=\"prismatik\"", {":25", "'slide'", "mean 'prismatic'"}});
  check({"<limit lower=\"-2\" upper=\"1.5\" effort=\"50\" velocity=\"3\"/>",
         "",
         {":17", "joint 'shoulder'", "<limit>", "continuous"}});
}

BOOST_AUTO_TEST_CASE(files_that_are_no_urdf_are_distinguished) {
  const auto check_text = [](const std::string& text, const std::vector<std::string>& parts) {
    const std::string sentence = error_of(text);
    for (const std::string& part : parts)
      BOOST_TEST(sentence.find(part) != std::string::npos, sentence << " lacks " << part);
  };
  check_text("", {"file0.urdf:1", "empty"});
  check_text(" \n\n", {"file0.urdf:1", "empty"});
  check_text(small_urdf.substr(0, small_urdf.find("=\"arm\"/>")), {"file0.urdf:19", "truncated"});
  check_text("hello", {"file0.urdf:1", "not XML"});
  check_text("<!-- nothing -->", {"no <robot>"});
  check_text("<mujoco model=\"a\"/>", {"file0.urdf:1", "MJCF"});
  check_text("\n<sdf version=\"1\"/>", {"file0.urdf:2", "SDF"});
  check_text("<html></html>", {"file0.urdf:1", "<html>"});
  check_text("<robot name=\"a\"/>", {"file0.urdf:1", "no <link>"});
  check_text(replaced(small_urdf, "<link name=\"base\"/>", "<link name=\"base\">"), {"XML", ":3"});
  check_text(replaced(small_urdf, "\"2.5\"", "\"${mass}\""), {":7", "<mass", "${mass}", "xacro"});
  check_text(replaced(small_urdf, "<link name=\"base\"/>", "<xacro:base/>"), {":3", "xacro:base"});
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named) {
  test::TempFolder folder;
  ModelConfig config;
  config.urdf = (folder.path() / "none.urdf").string();
  BOOST_CHECK_EXCEPTION(read_robot(config), InputError, [](const InputError& error) {
    return std::string(error.what()).find("none.urdf: cannot be read") != std::string::npos;
  });
  config.urdf = folder.path();
  BOOST_CHECK_EXCEPTION(read_robot(config), InputError, [](const InputError& error) {
    return std::string(error.what()).find("is a folder") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_robot_that_cannot_move_is_an_error) {
  const std::string sentence = error_of("<robot name=\"rock\"><link name=\"stone\"/></robot>");
  BOOST_TEST(sentence.starts_with("file0.urdf:1: <robot> 'rock'"), sentence);
  BOOST_TEST(sentence.find("no joint that moves") != std::string::npos, sentence);
  const std::string locked = error_of(small_urdf, {.lock = {{"shoulder", 0.1}, {"slide", 0.1}}});
  BOOST_TEST(locked.find("model.lock") != std::string::npos, locked);
}

BOOST_AUTO_TEST_CASE(unknown_locks_suggest_the_nearest_joint) {
  const std::string sentence = error_of(small_urdf, {.lock = {{"sholder", 0.0}}});
  for (const std::string part : {"model.lock", "'sholder'", "did you mean 'shoulder'?"})
    BOOST_TEST(sentence.find(part) != std::string::npos, sentence);
}
