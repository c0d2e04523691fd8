// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "support/random_robot.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid;
using test::replaced;
using test::small_urdf;
using NamedParameters = std::vector<std::pair<std::string, InertialParameters>>;

namespace {

/// All links ten percent heavier, with their centres moved and their inertias scaled.
NamedParameters changed_links(const Robot& robot) {
  NamedParameters links;
  for (const Link& link : robot.links) {
    InertialParameters pi = link.pi;
    pi[0] *= 1.1;
    pi.segment<3>(1) *= 1.05;
    pi.tail<6>() *= 1.2;
    links.emplace_back(link.name, pi);
  }
  return links;
}

void check_round_trip(const std::string& text) {
  test::TempFolder folder;
  const Robot robot = read_robot({.urdf = folder.temp_file(text, ".urdf")});
  const NamedParameters links = changed_links(robot);
  const Robot again =
      read_robot({.urdf = folder.temp_file(rewrite_urdf(robot.urdf_file, links), ".urdf")});
  BOOST_REQUIRE(again.links.size() == links.size());
  for (std::size_t i = 0; i < links.size();
       ++i)  // rounding of the way to the centre of mass and back
    BOOST_TEST((again.links[i].pi - links[i].second).norm() < 1e-12 * links[i].second.norm(),
               links[i].first);
}

/// Each run of characters that numbers are made of becomes one #.
std::string without_numbers(const std::string& text) {
  const std::string number = "0123456789+-.e";
  std::string out;
  for (const char letter : text) {
    if (number.find(letter) == std::string::npos)
      out += letter;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

std::string rewritten(const std::string& text, const NamedParameters& links) {
  test::TempFolder folder;
  return rewrite_urdf(folder.temp_file(text, ".urdf"), links);
}

InertialParameters simple_parameters() {
  InertialParameters pi;  // 2 kg at (0.5, 0, 0.25), I_c = diag(0.25, 0.5, 0.375): exact in binary
  pi << 2, 1, 0, 0.5, 0.375, 0, 1.125, -0.25, 0, 0.875;
  return pi;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rewritten_robots_read_back_the_same_numbers) {
  check_round_trip(small_urdf);
  for (int seed = 0; seed < 20; ++seed)
    check_round_trip(test::random_urdf(seed, {.num_joints = 6, .mimic = true}));
}

BOOST_AUTO_TEST_CASE(only_numbers_of_the_named_link_change) {
  const std::string expected =
      replaced(replaced(replaced(small_urdf, "xyz=\"0.1 0.02 -0.3\" rpy=\"0.1 0.2 0.3\"",
                                 "xyz=\"0.5 0 0.25\" rpy=\"0 0 0\""),
                        "<mass value=\"2.5\"/>", "<mass value=\"2\"/>"),
               "ixx=\"0.03\" ixy=\"0.001\" ixz=\"0.002\" iyy=\"0.04\" iyz=\"-0.001\" izz=\"0.02\"",
               "ixx=\"0.25\" ixy=\"0\" ixz=\"0\" iyy=\"0.5\" iyz=\"0\" izz=\"0.375\"");
  BOOST_TEST(rewritten(small_urdf, {{"arm", simple_parameters()}}) == expected);
}

BOOST_AUTO_TEST_CASE(a_missing_origin_is_inserted_on_its_own_line) {
  const std::string text = rewritten(small_urdf, {{"hand", simple_parameters()}});
  BOOST_TEST(text.find("<inertial>\n      <origin xyz=\"0.5 0 0.25\" rpy=\"0 0 0\"/>\n      "
                       "<mass value=\"2\"/>") != std::string::npos,
             text);
}

BOOST_AUTO_TEST_CASE(numbers_that_keep_their_value_keep_their_spelling) {
  const std::string text =
      replaced(replaced(small_urdf, "\"2.5\"", "\"2.000e0\""), "0.1 0.02", " 0.1  0.000 ");
  const std::string now = rewritten(text, {{"arm", simple_parameters()}});
  BOOST_TEST(now.find("\"2.000e0\"") != std::string::npos, now);
  BOOST_TEST(now.find("\" 0.5  0.000  0.25\"") != std::string::npos, now);
}

BOOST_AUTO_TEST_CASE(comments_quotes_and_line_endings_stay) {
  // Traps: tags in comments and CDATA, single quotes, '>' in a value, CRLF, an <inertial>
  // elsewhere.
  const std::string text =
      "<?xml version='1.0'?><!DOCTYPE robot>\r\n"
      "<!-- <link name=\"arm\"><inertial><mass value=\"7\"/></inertial></link> -->\r\n"
      "<robot name='a>b'>\r\n\t<link name=\"world\"/>\r\n"
      "<gazebo><link name='arm'><inertial><mass "
      "value='8'/></inertial></link><![CDATA[<link>]]></gazebo>\r\n"
      "<link\r\n name = 'arm' ><visual><origin xyz='9 9 9'/><geometry><box size='1 1 "
      "1'/></geometry></visual>\r\n"
      "<inertial ><!-- <mass value='3'/> --><mass\tvalue = '4' /><origin rpy='0 0 0' xyz='1 2 3'/>"
      "<inertia izz='1' iyz='0' iyy='1' ixz='0' ixy='0' ixx='1' /></inertial></link>\r\n"
      "<joint name='j' type='continuous'><parent link='world'/><child link='arm'/></joint>\r\n"
      "</robot>\r\n<!-- end -->";
  std::string expected = replaced(text, "value = '4'", "value = '2'");
  expected = replaced(expected, "'1 2 3'", "'0.5 0 0.25'");
  expected = replaced(expected, "izz='1' iyz='0' iyy='1'", "izz='0.375' iyz='0' iyy='0.5'");
  expected = replaced(expected, "ixx='1'", "ixx='0.25'");
  BOOST_TEST(rewritten(text, {{"arm", simple_parameters()}}) == expected);
}

BOOST_AUTO_TEST_CASE(the_panda_changes_in_numbers_only) {
  const std::string file = BAYESID_ROBOTS "/panda_description/urdf/panda.urdf";
  const Robot robot = read_robot({.urdf = file});
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string now = rewrite_urdf(file, changed_links(robot));
  BOOST_TEST(now != text);
  BOOST_TEST((without_numbers(now) == without_numbers(text)));
  BOOST_TEST((rewrite_urdf(file, {}) == text));
}

BOOST_AUTO_TEST_CASE(links_that_cannot_be_written_are_named) {
  const auto names = [](const std::string& part) {
    return [part](const InputError& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    };
  };
  const InertialParameters pi = simple_parameters();
  BOOST_CHECK_EXCEPTION(rewritten(small_urdf, {{"base", pi}}), InputError,
                        names("file0.urdf:3: link 'base' has no <inertial>"));
  BOOST_CHECK_EXCEPTION(rewritten(small_urdf, {{"leg", pi}}), InputError, names("no link 'leg'"));
  BOOST_CHECK_EXCEPTION(rewritten(small_urdf, {{"arm", -pi}}), InputError, names("link 'arm'"));
}
